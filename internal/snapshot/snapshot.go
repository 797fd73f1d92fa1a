// Package snapshot records the state of files, so that a later run detects that none of them has changed. As with git's index,
// most files need not be read for that.
//
// A file with the same size, times, inode and mode as before is unchanged. Programs cannot set the change time, so a replaced
// content is detected even if the modification time was restored. Times that are not clearly older than the snapshot prove
// nothing, because file system clocks have a coarse resolution and a write may happen within the same tick. The contents of such
// files are compared.
package snapshot

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// Snapshot is the state of files at a time.
type Snapshot struct {
	// Roots are directories whose files are all recorded, Singles are single files, which may be missing, and Flats are
	// directories without subdirectories: only the files are recorded.
	Roots, Singles, Flats []string
	// Taken is a time before the first file was looked at.
	Taken time.Time
	// Files are the files, symbolic links and directories, by absolute name.
	Files map[string]File
}

// File is the recorded state of one file.
type File struct {
	Size, ModTime, ChangeTime int64
	Inode                     uint64
	Mode                      fs.FileMode
	Sum                       Sum
	// Target is the file that a symbolic link leads to, in the end; "" for other files.
	Target string
}

// ErrUnsupported is returned where changes cannot be detected reliably: on platforms without change times, and in trees with
// symbolic links to directories or with files that are not regular.
var ErrUnsupported = errors.New("cannot detect changes of files")

// Take records the files below roots, the single files, and those in the flat directories.
func Take(roots, singles, flats []string) (*Snapshot, error) {
	s := &Snapshot{Roots: roots, Singles: singles, Taken: time.Now(), Files: map[string]File{}}
	w := &walker{snapshot: s}
	w.group.SetLimit(runtime.GOMAXPROCS(0))
	for _, root := range roots {
		if err := w.root(root); err != nil {
			return nil, errors.Join(err, w.group.Wait())
		}
	}
	if err := w.group.Wait(); err != nil {
		return nil, err
	}
	for _, name := range singles {
		info, err := os.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = s.add(name, info)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := s.addFlats(flats); err != nil {
		return nil, err
	}
	return s, s.sumYoung()
}

// addFlats records the files of directories, but not those in their directories.
func (s *Snapshot) addFlats(dirs []string) error {
	for _, dir := range dirs {
		if slices.Contains(s.Flats, dir) {
			continue
		}
		s.Flats = append(s.Flats, dir)
		entries, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		for _, entry := range entries {
			if entry.IsDir() {
				continue
			}
			if err := s.addEntry(filepath.Join(dir, entry.Name()), entry); err != nil {
				return err
			}
		}
	}
	return nil
}

// passedOver is a directory that changes all the time and holds nothing that is read.
const passedOver = ".git"

// walker records directories with all files below, several at the same time.
type walker struct {
	snapshot *Snapshot
	lock     sync.Mutex
	group    errgroup.Group
}

func (w *walker) root(name string) error {
	info, err := os.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = w.add(name, info)
	}
	if err != nil || !info.IsDir() {
		return err
	}
	return w.enter(name)
}

// enter records the content of a directory, in another goroutine if one is free.
func (w *walker) enter(dir string) error {
	if w.group.TryGo(func() error { return w.dir(dir) }) {
		return nil
	}
	return w.dir(dir)
}

func (w *walker) dir(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if entry.IsDir() && entry.Name() == passedOver {
			continue
		}
		name := filepath.Join(dir, entry.Name())
		info, err := entry.Info()
		if err == nil {
			err = w.add(name, info)
		}
		if err == nil && entry.IsDir() {
			err = w.enter(name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) add(name string, info fs.FileInfo) error {
	w.lock.Lock()
	defer w.lock.Unlock()
	return w.snapshot.add(name, info)
}

func (s *Snapshot) addEntry(name string, entry fs.DirEntry) error {
	info, err := entry.Info()
	if err != nil {
		return err
	}
	return s.add(name, info)
}

func (s *Snapshot) add(name string, info fs.FileInfo) error {
	if info.Mode()&fs.ModeSymlink == 0 && !info.Mode().IsRegular() && !info.IsDir() {
		return ErrUnsupported
	}
	file, ok := stateOf(name, info)
	if !ok {
		return ErrUnsupported
	}
	s.Files[name] = file
	if file.Target == "" {
		return nil
	}
	target, err := os.Lstat(file.Target)
	if err != nil || !target.Mode().IsRegular() {
		return ErrUnsupported
	}
	return s.add(file.Target, target)
}

// stateOf returns the state of a file from what Lstat says about it. It returns false if that is unknown, as for a link to nothing.
func stateOf(name string, info fs.FileInfo) (file File, ok bool) {
	if file, ok = stat(info); !ok || info.Mode()&fs.ModeSymlink == 0 {
		return file, ok
	}
	target, err := filepath.EvalSymlinks(name)
	file.Target = target
	return file, err == nil
}
