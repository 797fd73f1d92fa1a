package output

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/regular"
)

// Replace replaces the contents of existing files by absolute names: of all or, with an error, of none. It returns what restores them.
func Replace(ctx context.Context, files map[string][]byte) (restore func() error, err error) {
	old := map[string][]byte{}
	for name := range files {
		if old[name], err = regular.ReadFile(name); err != nil {
			return nil, err
		}
	}
	restore = func() error { return replaceAll(context.WithoutCancel(ctx), old) }
	if err := replaceAll(ctx, files); err != nil {
		return nil, errors.Join(err, restore())
	}
	return restore, nil
}

// Write writes files by absolute names, whether or not they exist, and then removes others, and directories below root that become empty.
// An error after the first change is an ErrIncomplete.
func Write(ctx context.Context, root string, files map[string][]byte, remove []string) error {
	if err := replaceAll(ctx, files); err != nil {
		return err
	}
	for _, name := range remove {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%w; %w", err, ErrIncomplete)
		}
		removeEmpty(root, filepath.Dir(name))
	}
	return nil
}

// replaceAll writes the files under temporary names and then renames them. Links to files and permissions stay.
func replaceAll(ctx context.Context, files map[string][]byte) error {
	s := newStaging()
	defer s.discard()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		target, err := filepath.EvalSymlinks(name)
		if errors.Is(err, fs.ErrNotExist) {
			target = name
		} else if err != nil {
			return cannot("replace", name, err)
		}
		if err := s.add(target, files[name]); err != nil {
			return err
		}
	}
	if err := s.write(ctx); err != nil {
		return err
	}
	for _, m := range s.moves {
		info, err := os.Stat(m.target)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return err
		}
		if err := os.Chmod(m.temporary, info.Mode().Perm()); err != nil {
			return err
		}
	}
	err := s.move(ctx, len(s.moves))
	if err != nil && s.changed {
		return fmt.Errorf("%w; %w", err, ErrIncomplete)
	}
	return err
}

// Uncommitted reports files whose contents git would lose: they differ from the checked-in files. Without git, or outside of a
// repository, nothing is reported.
func Uncommitted(ctx context.Context, files []string) (diags diag.List) {
	dirs := map[string][]string{}
	for _, name := range files {
		dirs[filepath.Dir(name)] = append(dirs[filepath.Dir(name)], filepath.Base(name))
	}
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		args := append([]string{"-C", dir, "status", "--porcelain", "-z", "--no-renames", "--"}, dirs[dir]...)
		answer, err := exec.CommandContext(ctx, "git", args...).Output()
		if err != nil {
			continue
		}
		for entry := range bytes.SplitSeq(answer, []byte("\x00")) {
			if len(entry) > 3 {
				name := filepath.Join(dir, filepath.Base(string(entry[3:])))
				diags.AddHint(token.Position{Filename: name}, "commit or stash them first", "this file has changes that are not committed")
			}
		}
	}
	return diags
}
