package output

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/gofrs/flock"
)

// Lock prevents other runs from writing below the same directories until unlock is called. A run locks the directories of all modules
// that it writes to. If another run has locked one, Lock calls waiting with that directory, once, and waits until ctx is done.
//
// The directories themselves are locked. The lock works across users and is released when the process ends.
func Lock(ctx context.Context, dirs []string, waiting func(dir string)) (unlock func(), err error) {
	if dirs, err = distinct(dirs); err != nil {
		return nil, err
	}
	for {
		unlock, busy, err := tryLock(dirs)
		if err != nil || busy == "" {
			return unlock, err
		}
		if waiting != nil {
			waiting(busy)
			waiting = nil
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("while another run writes to %s: %w", busy, ctx.Err())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// distinct returns the directories without duplicates. A missing directory is replaced by its nearest existing parent.
func distinct(dirs []string) (found []string, err error) {
	var infos []fs.FileInfo
	for _, dir := range dirs {
		info, err := os.Stat(dir)
		for errors.Is(err, fs.ErrNotExist) && dir != filepath.Dir(dir) {
			dir = filepath.Dir(dir)
			info, err = os.Stat(dir)
		}
		if err != nil {
			return nil, cannot("lock", dir, err)
		}
		if !slices.ContainsFunc(infos, func(other fs.FileInfo) bool { return os.SameFile(info, other) }) {
			found, infos = append(found, dir), append(infos, info)
		}
	}
	return found, nil
}

// tryLock locks all directories, or none and returns a busy one. Two runs that each held some directories while waiting for others
// could wait forever.
func tryLock(dirs []string) (unlock func(), busy string, err error) {
	var locks []*flock.Flock
	unlock = func() {
		for _, lock := range locks {
			_ = lock.Unlock()
			if lockFiles {
				_ = os.Remove(lock.Path()) // fails on Windows while another run has it open
			}
		}
	}
	for _, dir := range dirs {
		lock := flock.New(dir, flock.SetFlag(os.O_RDONLY))
		if lockFiles {
			lock = flock.New(filepath.Join(dir, ".informer-gen.lock"))
		}
		if locked, err := lock.TryLock(); err != nil || !locked {
			unlock()
			if err != nil {
				err = fmt.Errorf("%w against other runs", cannot("lock", dir, err))
			}
			return nil, dir, err
		}
		locks = append(locks, lock)
	}
	return unlock, "", nil
}

// lockFiles is true where directories cannot be locked. There, a file in the directory is locked, and exists during a run.
const lockFiles = runtime.GOOS == "windows"
