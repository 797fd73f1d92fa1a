package output

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"
)

// temporaryName is what our temporary files are called, so that those of a run that was killed can be told from files
// of somebody else. Only the run that holds the lock of their module writes any, so all that it finds are leftovers.
var temporaryName = regexp.MustCompile(`^\.informer-gen-[0-9a-f]{16}-\d+\.tmp$`)

// ErrIncomplete is the error of runs that ended after the first file was replaced.
var ErrIncomplete = errors.New("some files are new and others unchanged: run again to complete the output")

// Apply writes and removes what is planned. First it writes everything under temporary names: whatever fails then, a
// full disk or a missing permission, leaves the tree as it was. Then it lets the manifest know of both the old and the
// new files, replaces one after the other, removes the stale ones, and completes the manifest. So there is never half
// a file, nor one that looks edited, and a run that is killed in between is completed by the next one. So is one whose
// context is done in between.
func (p *Plan) Apply(ctx context.Context) error {
	for _, name := range p.leftovers {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return cannot("remove", name, err)
		}
		p.removeEmpty(filepath.Dir(name))
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

// removeEmpty removes a directory that a removed file has left empty, and its parents likewise, up to the root.
func (p *Plan) removeEmpty(dir string) {
	for ; dir != p.root && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if rel, err := filepath.Rel(p.root, dir); err != nil || !filepath.IsLocal(rel) {
			return
		}
		info, err := os.Lstat(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue // a killed run came as far as its parent
		}
		if err != nil || !info.IsDir() || os.Remove(dir) != nil {
			return // it is a link, or not empty
		}
	}
}

// staging holds what was written under temporary names, each in the directory where it belongs, so that a rename is
// all that remains to be done.
type staging struct {
	id    string
	files []stagedFile
	// done counts the files that have got their names; changed is true once there is one, or a stale file is gone.
	done    int
	changed bool
	// complete is the first of the files that say that all the rest is done.
	complete int
	// dirs are the directories that are known to be there, made those that were not before, parents first.
	dirs map[string]bool
	made []string
}

type stagedFile struct{ temporary, target string }

func newStaging() *staging {
	return &staging{id: fmt.Sprintf("%016x", rand.Uint64()), dirs: map[string]bool{}}
}

// addAll writes the files of a plan under temporary names.
func (s *staging) addAll(ctx context.Context, p *Plan) error {
	var contents [][]byte
	add := func(name string, content []byte) error {
		target := full(p.root, name)
		dir := filepath.Dir(target)
		if err := s.makeDir(dir); err != nil {
			return cannot("make the directory of", target, err)
		}
		temporary := filepath.Join(dir, fmt.Sprintf(".informer-gen-%s-%d.tmp", s.id, len(s.files)))
		s.files = append(s.files, stagedFile{temporary: temporary, target: target})
		contents = append(contents, content)
		return nil
	}
	if p.journal != nil {
		if err := add(manifestName, p.journal); err != nil {
			return err
		}
	}
	for _, file := range p.Write {
		if err := add(file.Path, file.Content); err != nil {
			return err
		}
		if file.Path != manifestName {
			s.complete = len(s.files)
		}
	}
	return s.write(ctx, contents)
}

// write writes the temporary files concurrently: most of the time goes into system calls, and those of several files overlap.
// It returns the error of the first file that has one.
func (s *staging) write(ctx context.Context, contents [][]byte) error {
	var group errgroup.Group
	group.SetLimit(2 * runtime.GOMAXPROCS(0))
	errs := make([]error, len(s.files))
	for i, file := range s.files {
		group.Go(func() error {
			if errs[i] = ctx.Err(); errs[i] == nil {
				errs[i] = file.write(contents[i])
			}
			return errs[i]
		})
	}
	if group.Wait() == nil {
		return nil
	}
	return errs[slices.IndexFunc(errs, func(err error) bool { return err != nil })]
}

// commit renames the temporary files. Stale files are removed after their replacements are in place.
func (s *staging) commit(ctx context.Context, p *Plan) error {
	if err := s.rename(ctx, s.complete); err != nil {
		return err
	}
	if err := s.removeStale(ctx, p); err != nil {
		return err
	}
	return s.rename(ctx, len(s.files))
}

// removeStale removes the stale files, and the directories that this empties.
func (s *staging) removeStale(ctx context.Context, p *Plan) error {
	for _, name := range p.Remove {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		onDisk := full(p.root, name)
		if err := os.Remove(onDisk); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return cannot("remove", onDisk, err)
		}
		s.changed = true
		p.removeEmpty(filepath.Dir(onDisk))
	}
	for _, name := range p.gone {
		p.removeEmpty(filepath.Dir(full(p.root, name)))
	}
	return nil
}

// rename gives the files their names, up to the n-th.
func (s *staging) rename(ctx context.Context, n int) error {
	for ; s.done < n; s.done++ {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		file := s.files[s.done]
		if err := os.Rename(file.temporary, file.target); err != nil {
			return cannot("replace", file.target, err)
		}
		s.changed = true
	}
	return nil
}

func (file stagedFile) write(content []byte) error {
	f, err := os.OpenFile(file.temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return cannot("write", file.target, err)
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err != nil {
		return cannot("write", file.target, err)
	}
	return nil
}

// makeDir is os.MkdirAll that remembers the directories it created.
func (s *staging) makeDir(dir string) error {
	if s.dirs[dir] {
		return nil
	}
	_, err := os.Stat(dir) // file systems differ in why they refuse to make what exists
	if errors.Is(err, fs.ErrNotExist) && dir != filepath.Dir(dir) {
		if err = s.makeDir(filepath.Dir(dir)); err == nil {
			err = os.Mkdir(dir, 0o777)
		}
		if err == nil {
			s.made = append(s.made, dir)
		}
	}
	s.dirs[dir] = err == nil
	return err
}

// discard removes the temporary files that are left, and the directories that were made for them alone.
func (s *staging) discard() {
	if s.done == len(s.files) {
		return
	}
	for _, file := range s.files[s.done:] {
		_ = os.Remove(file.temporary)
	}
	for i := len(s.made) - 1; i >= 0; i-- {
		_ = os.Remove(s.made[i]) // not if there is a file in it
	}
}

// cannot returns an error of the operating system with the name that the user knows the file by.
func cannot(do, name string, err error) error {
	var inPath *fs.PathError
	var inLink *os.LinkError
	if errors.As(err, &inPath) {
		err = inPath.Err
	} else if errors.As(err, &inLink) {
		err = inLink.Err
	}
	return fmt.Errorf("cannot %s %s: %w", do, name, err)
}
