package snapshot

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// step is the longest time in which a file system may not tell two changes apart. FAT has two seconds.
const step = 2 * time.Second

// young reports whether the file may have changed after a time without any difference in its own times.
func (f File) young(taken time.Time) bool { return f.ChangeTime > taken.Add(-step).UnixNano() }

// same reports whether the file looks the same, apart from its checksum.
func (f File) same(other File) bool {
	f.Sum, other.Sum = "", ""
	return f == other
}

// look returns the state of a file. It returns false if there is none, or if its state is unknown.
func look(name string) (File, bool) {
	info, err := os.Lstat(name)
	if err != nil {
		return File{}, false
	}
	return stateOf(name, info)
}

// isAs reports whether a file has the same state as before. The state of a missing file is the zero File.
func isAs(name string, before File) bool {
	if now, ok := look(name); ok {
		return now.same(before)
	}
	_, err := os.Lstat(name)
	return errors.Is(err, fs.ErrNotExist) && before == File{}
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
		now, ok := look(name)
		if !ok || !now.Mode.IsRegular() {
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
		now, ok := look(dir)
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
