package main

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// folderPattern is the name pattern of demo folders.
const folderPattern = "informer-gen-lite-demo-*"

// makeFolder creates a folder for one demo below parent, and removes unlocked folders of demos that were killed. remove removes
// the new folder.
func makeFolder(parent string) (dir string, remove func() error, err error) {
	old, err := filepath.Glob(filepath.Join(parent, folderPattern))
	if err != nil {
		return "", nil, err
	}
	for _, dir := range old {
		lock := folderLock(dir)
		if locked, err := lock.TryLock(); err == nil && locked { // false if it belongs to another user
			err = errors.Join(os.RemoveAll(dir), lock.Unlock())
			if err != nil {
				return "", nil, err
			}
		}
	}
	for {
		if dir, err = os.MkdirTemp(parent, folderPattern); err != nil {
			return "", nil, err
		}
		lock := folderLock(dir)
		locked, err := lock.TryLock()
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return "", nil, errors.Join(err, os.Remove(dir))
		}
		if _, err := os.Stat(dir); locked && err == nil { // otherwise another demo has removed it as that of a killed one
			return dir, func() error { return errors.Join(os.RemoveAll(dir), lock.Unlock()) }, nil
		}
		_ = lock.Unlock()
	}
}

// folderLock returns the lock of a folder, which is released when its process ends.
func folderLock(dir string) *flock.Flock { return flock.New(dir, flock.SetFlag(os.O_RDONLY)) }
