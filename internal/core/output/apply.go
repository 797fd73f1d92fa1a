package output

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lazy"
)

// temporaryName matches the names of temporary files and directories, so that leftovers of killed runs can be recognized. Only the run
// that holds the lock of their module creates any, so all that it finds are leftovers.
var temporaryName = lazy.Regexp(`^\.informer-gen-[0-9a-f]{16}-\d+\.tmp$`)

// ErrIncomplete is the error of runs that ended after the first file was replaced.
var ErrIncomplete = errors.New("some files were written and others not: run again to complete the output")

// Apply makes the planned changes. First it writes everything under temporary names: if that fails, because of a full disk or a missing
// permission, the tree is unchanged. Then it records both old and new checksums in the manifest, replaces the files, removes the stale
// ones, and completes the manifest. So no file is partial or looks edited. If the process is killed or ctx is done in between, the next
// run completes the output.
func (p *Plan) Apply(ctx context.Context) error {
	for _, name := range p.leftovers {
		if err := os.RemoveAll(name); err != nil {
			return cannot("remove", name, err)
		}
		removeEmpty(p.root, filepath.Dir(name))
	}
	s := newStaging()
	defer s.discard()
	if err := s.addAll(ctx, p); err != nil {
		return fmt.Errorf("%w; nothing was changed", err)
	}
	err := s.commit(ctx, p)
	switch {
	case err == nil:
		return nil
	case !s.changed:
		return fmt.Errorf("%w; nothing was changed", err)
	}
	return fmt.Errorf("%w; %w", err, ErrIncomplete)
}

// removeEmpty removes a directory if it is empty, and then its empty parents, up to the root.
func removeEmpty(root, dir string) {
	for ; dir != root && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if rel, err := filepath.Rel(root, dir); err != nil || !filepath.IsLocal(rel) {
			return
		}
		info, err := os.Lstat(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue // a killed run has already removed it
		}
		if err != nil || !info.IsDir() || os.Remove(dir) != nil {
			return // it is a link, or not empty
		}
	}
}

// rootOf returns the directory that stays even if it becomes empty: the output directory or, for a file in an API package, its module.
func (p *Plan) rootOf(name string) string { return cmp.Or(p.modules[path.Dir(name)], p.root) }

// staging holds files written under temporary names, so that only renames remain. A file whose directory exists has a temporary name in
// it. A missing directory is written under a temporary name with all its files, and needs a single rename: most files of a first run are
// in such directories.
type staging struct {
	id string
	// moves are the renames to make, in this order.
	moves []move
	// done is the number of completed moves. changed is true after the first move or removal.
	done    int
	changed bool
	// complete is the index of the moves that mark the run as complete.
	complete int
	// dirs maps the directories of targets to the directories that the files are written to.
	dirs map[string]string
	// made are the directories created under their final names, parents first.
	made []string
	// files are the files to write by the directory that they are written to, and filled are these directories in order.
	files  map[string][]stagedFile
	filled []string
}

type move struct{ temporary, target string }

type stagedFile struct {
	name, target string
	content      []byte
}

func newStaging() *staging {
	return &staging{id: fmt.Sprintf("%016x", rand.Uint64()), dirs: map[string]string{}, files: map[string][]stagedFile{}}
}

// addAll writes the files of a plan under temporary names.
func (s *staging) addAll(ctx context.Context, p *Plan) error {
	if err := s.makeDir(p.root); err != nil {
		return cannot("make the directory", p.root, err)
	}
	if p.journal != nil {
		if err := s.add(fileName(p.root, ManifestName), p.journal); err != nil {
			return err
		}
	}
	for _, file := range p.Write {
		if err := s.add(fileName(p.root, file.Path), file.Content); err != nil {
			return err
		}
		if file.Path != ManifestName {
			s.complete = len(s.moves)
		}
	}
	return s.write(ctx)
}

// add stages one file.
func (s *staging) add(target string, content []byte) error {
	dir, err := s.stagedDir(filepath.Dir(target))
	if err != nil {
		return cannot("make the directory of", target, err)
	}
	name := filepath.Join(dir, filepath.Base(target))
	if dir == filepath.Dir(target) {
		name = s.temporary(target)
	}
	if s.files[dir] == nil {
		s.filled = append(s.filled, dir)
	}
	s.files[dir] = append(s.files[dir], stagedFile{name, target, content})
	return nil
}

// temporary adds a move to a target, and returns the temporary name, which is in the same directory.
func (s *staging) temporary(target string) string {
	name := filepath.Join(filepath.Dir(target), fmt.Sprintf(".informer-gen-%s-%d.tmp", s.id, len(s.moves)))
	s.moves = append(s.moves, move{name, target})
	return name
}

// canMoveDirs reports whether directories with files can be renamed. Windows refuses while a program, such as a virus scanner, has one of
// the files open.
var canMoveDirs = runtime.GOOS != "windows"

// stagedDir returns the directory that the files of a directory are written to: itself if it exists, else one with a temporary name or
// below one.
func (s *staging) stagedDir(dir string) (string, error) {
	if staged, known := s.dirs[dir]; known {
		return staged, nil
	}
	staged := dir
	_, err := os.Stat(dir)
	switch parent := filepath.Dir(dir); {
	case !errors.Is(err, fs.ErrNotExist) || parent == dir:
	case !canMoveDirs:
		err = s.makeDir(dir)
	default:
		var parentStaged string
		if parentStaged, err = s.stagedDir(parent); parentStaged != parent {
			staged = filepath.Join(parentStaged, filepath.Base(dir))
		} else if err == nil {
			staged = s.temporary(dir)
		}
	}
	if err == nil {
		s.dirs[dir] = staged
	}
	return staged, err
}

// write writes the staged files, several directories concurrently: most of the time is spent in system calls that lock the directory.
// It returns the first error in the order of the files.
func (s *staging) write(ctx context.Context) error {
	var group errgroup.Group
	group.SetLimit(2 * runtime.GOMAXPROCS(0))
	errs := make([]error, len(s.filled))
	for i, dir := range s.filled {
		group.Go(func() error {
			errs[i] = writeTo(ctx, dir, s.files[dir])
			return errs[i]
		})
	}
	if group.Wait() == nil {
		return nil
	}
	return errs[slices.IndexFunc(errs, func(err error) bool { return err != nil })]
}

func writeTo(ctx context.Context, dir string, files []stagedFile) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return cannot("make the directory of", files[0].target, err)
	}
	for _, file := range files {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := Create(file.name, file.content); err != nil {
			return cannot("write", file.target, err)
		}
	}
	return nil
}

// commit makes the moves. Stale files are removed after their replacements are in place.
func (s *staging) commit(ctx context.Context, p *Plan) error {
	if err := s.move(ctx, s.complete); err != nil {
		return err
	}
	if err := s.removeStale(ctx, p); err != nil {
		return err
	}
	return s.move(ctx, len(s.moves))
}

// removeStale removes the stale files, and directories that become empty.
func (s *staging) removeStale(ctx context.Context, p *Plan) error {
	for _, name := range p.Remove {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		onDisk := fileName(p.root, name)
		if err := os.Remove(onDisk); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return cannot("remove", onDisk, err)
		}
		s.changed = true
		removeEmpty(p.rootOf(name), filepath.Dir(onDisk))
	}
	for _, name := range p.gone {
		removeEmpty(p.rootOf(name), filepath.Dir(fileName(p.root, name)))
	}
	return nil
}

// move makes the first n moves.
func (s *staging) move(ctx context.Context, n int) error {
	for ; s.done < n; s.done++ {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		m := s.moves[s.done]
		if err := os.Rename(m.temporary, m.target); err != nil {
			return cannot("replace", m.target, err)
		}
		s.changed = true
	}
	return nil
}

// Create writes a new file. It returns fs.ErrExist if there is a file with this name, and leaves no incomplete file.
func Create(name string, content []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(name))
	}
	return nil
}

// makeDir is like os.MkdirAll and records the directories it creates.
func (s *staging) makeDir(dir string) error {
	_, err := os.Stat(dir) // the error of Mkdir for existing directories depends on the file system
	if errors.Is(err, fs.ErrNotExist) && dir != filepath.Dir(dir) {
		if err = s.makeDir(filepath.Dir(dir)); err == nil {
			err = os.Mkdir(dir, 0o777)
		}
		if err == nil {
			s.made = append(s.made, dir)
		}
	}
	return err
}

// discard removes the remaining temporary files and directories, and directories created only for them.
func (s *staging) discard() {
	if s.done == len(s.moves) {
		return
	}
	for _, m := range s.moves[s.done:] {
		_ = os.RemoveAll(m.temporary)
	}
	for _, v := range slices.Backward(s.made) {
		_ = os.Remove(v) // fails if there is a file in it
	}
}

// cannot returns an error of the operating system with the final name of the file instead of its temporary name.
func cannot(do, name string, err error) error {
	if inPath, ok := errors.AsType[*fs.PathError](err); ok {
		err = inPath.Err
	} else if inLink, ok := errors.AsType[*os.LinkError](err); ok {
		err = inLink.Err
	}
	return fmt.Errorf("cannot %s %s: %w", do, name, err)
}
