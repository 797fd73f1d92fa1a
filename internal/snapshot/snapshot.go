// Package snapshot records the state of files, so that a later run detects that none of them has changed. As with git's index,
// most files need not be read for that.
//
// A file with the same size, times, inode and mode as before is unchanged. Programs cannot set the change time, so a replaced
// content is detected even if the modification time was restored. Times that are not clearly older than the snapshot prove
// nothing, because file system clocks have a coarse resolution and a write may happen within the same tick. The contents of such
// files are compared.
package snapshot

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/informer-gen-lite/informer-gen-lite/internal/regular"
)

// Sum is the checksum of a file's content: 32 bytes, or "" if it is unknown. A string is decoded faster than an array.
type Sum string

// SumOf returns the checksum of a content.
func SumOf(content []byte) Sum {
	sum := sha256.Sum256(content)
	return Sum(sum[:])
}

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

// step is the longest time in which a file system may not tell two changes apart. FAT has two seconds.
const step = 2 * time.Second

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

// isAs reports whether the state of a file is still the same. The zero File means that there is none.
func isAs(name string, before File) bool {
	info, err := os.Lstat(name)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist) && before == File{}
	}
	now, ok := stateOf(name, info)
	return ok && now.same(before)
}

// sumYoung computes the checksums of files whose times prove nothing.
func (s *Snapshot) sumYoung() error {
	var young []string
	for name, file := range s.Files {
		if !file.Mode.IsDir() && file.young(s.Taken) {
			young = append(young, name)
		}
	}
	return s.sum(young)
}

// sum computes the checksums of files, as far as they are unknown.
func (s *Snapshot) sum(names []string) error {
	sums := make([]Sum, len(names))
	var group errgroup.Group
	group.SetLimit(2 * runtime.GOMAXPROCS(0))
	for i, name := range names {
		if sums[i] = s.Files[name].Sum; sums[i] != "" {
			continue
		}
		group.Go(func() (err error) {
			sums[i], err = sumOf(name)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for i, name := range names {
		file := s.Files[name]
		file.Sum = sums[i]
		s.Files[name] = file
	}
	return nil
}

// buffers are for reading files.
var buffers = sync.Pool{New: func() any { return new([32 << 10]byte) }}

// sumOf returns the checksum of a file.
func sumOf(name string) (Sum, error) {
	f, err := regular.Open(name)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }() // it is only read
	h, buffer := sha256.New(), buffers.Get().(*[32 << 10]byte)
	defer buffers.Put(buffer)
	// A file itself would allocate another buffer.
	if _, err := io.CopyBuffer(h, struct{ io.Reader }{f}, buffer[:]); err != nil {
		return "", err
	}
	return Sum(h.Sum(nil)), nil
}

// young reports whether the file may have changed after a time without any difference in its own times.
func (f File) young(taken time.Time) bool { return f.ChangeTime > taken.Add(-step).UnixNano() }

// same reports whether the file looks the same, apart from its checksum.
func (f File) same(other File) bool {
	f.Sum, other.Sum = "", ""
	return f == other
}

// Unchanged reports whether the files of a snapshot have the content that they had before, in the snapshot that was taken of the
// same files then. It returns a snapshot that can replace that one: with what only it knows of their content, and its flat
// directories.
func (s *Snapshot) Unchanged(before *Snapshot) (now *Snapshot, unchanged bool) {
	now = s.clone()
	if now.addFlats(before.Flats) != nil || len(now.Files) != len(before.Files) {
		return nil, false
	}
	var unsure []string
	for name, file := range now.Files {
		then, known := before.Files[name]
		switch {
		case !known, then.Mode != file.Mode:
			return nil, false
		case file.Mode.IsDir():
		case then.same(file) && !then.young(before.Taken):
			file.Sum = cmp.Or(file.Sum, then.Sum)
			now.Files[name] = file
		case then.Sum == "":
			return nil, false
		default:
			unsure = append(unsure, name)
		}
	}
	if now.sum(unsure) != nil {
		return nil, false
	}
	return now, !slices.ContainsFunc(unsure, func(name string) bool { return now.Files[name].Sum != before.Files[name].Sum })
}

func (s *Snapshot) clone() *Snapshot {
	c := *s
	c.Files, c.Flats = maps.Clone(s.Files), slices.Clone(s.Flats)
	return &c
}

// Still reports whether nothing has happened to the named files since the snapshot was taken, and whether no file was created or
// removed in any directory: not even one that was removed again. It does not look at other files; After does where that matters.
func (s *Snapshot) Still(names []string) bool {
	for name, file := range s.Files {
		if file.Mode.IsDir() && (!isAs(name, file) || file.young(s.Taken) && !s.lists(name)) {
			return false
		}
	}
	return !slices.ContainsFunc(names, func(name string) bool { return !isAs(name, s.Files[name]) })
}

// After returns the snapshot of the files after somebody has written and removed some; of the written ones the checksums of their
// contents are given. It is ErrUnsupported if somebody else may have changed files in a way that the next snapshot does not show,
// because the change can be undone until then: if there are other files, or if files have changed that Unchanged does not compare
// by their times. All others are returned as they were.
func (s *Snapshot) After(written map[string]Sum, removed []string) (*Snapshot, error) {
	// Written files are younger than the time before the first look, so that their contents will be compared.
	after := s.clone()
	touched := map[string]bool{}
	for name := range written {
		info, err := os.Lstat(name)
		if err != nil || !info.Mode().IsRegular() {
			return nil, ErrUnsupported
		}
		now, ok := stat(info)
		if !ok {
			return nil, ErrUnsupported
		}
		now.Sum = written[name]
		after.Files[name] = now
		touch(touched, name)
	}
	for _, name := range removed {
		if !isAs(name, File{}) {
			return nil, ErrUnsupported
		}
		delete(after.Files, name)
		touch(touched, name)
	}
	for name, before := range after.Files {
		if _, isNew := written[name]; !isNew && (before.Sum != "" || before.Target != "") && !isAs(name, before) {
			return nil, ErrUnsupported
		}
	}
	for _, name := range slices.Concat(s.Singles, s.Roots) {
		before := after.Files[name]
		if _, isNew := written[name]; !isNew && !touched[name] && !before.Mode.IsDir() && !isAs(name, before) {
			return nil, ErrUnsupported
		}
	}
	return after, after.lookAtDirectories(touched)
}

// touch adds the directories above a file.
func touch(dirs map[string]bool, name string) {
	for dir := filepath.Dir(name); !dirs[dir]; dir = filepath.Dir(dir) {
		dirs[dir] = true
	}
}

// lookAtDirectories updates the states of directories, given those in which a run has changed files. It is ErrUnsupported if
// somebody else has created or removed files.
func (s *Snapshot) lookAtDirectories(touched map[string]bool) error {
	for dir := range touched {
		if _, known := s.Files[dir]; !known && s.Holds(dir) {
			s.Files[dir] = File{Mode: fs.ModeDir}
		}
	}
	for dir, before := range s.Files {
		if !before.Mode.IsDir() {
			continue
		}
		now, ok := File{}, false
		if info, err := os.Lstat(dir); err == nil {
			now, ok = stat(info)
		}
		isNew := before == File{Mode: fs.ModeDir}
		switch {
		case !ok && touched[dir]:
			delete(s.Files, dir)
		case ok && before.same(now) && !before.young(s.Taken): // then so are its entries
		case ok && now.Mode.IsDir() && (isNew || touched[dir] && before.Mode == now.Mode || before.same(now)):
			if !s.lists(dir) {
				return ErrUnsupported
			}
			s.Files[dir] = now
		default:
			return ErrUnsupported
		}
	}
	return nil
}

// lists reports whether all entries of a directory are recorded.
func (s *Snapshot) lists(dir string) bool {
	if !s.Holds(dir) { // only single files there are recorded
		return true
	}
	entries, err := os.ReadDir(dir)
	return err == nil && !slices.ContainsFunc(entries, func(entry fs.DirEntry) bool {
		_, known := s.Files[filepath.Join(dir, entry.Name())]
		return !known && entry.Name() != passedOver
	})
}

// Young reports whether the content of some files has to be compared next time. A later snapshot may spare that.
func (s *Snapshot) Young() bool {
	for _, file := range s.Files {
		if !file.Mode.IsDir() && file.young(s.Taken) {
			return true
		}
	}
	return false
}
