package snapshot

import (
	"io/fs"
	"syscall"
)

// stat returns the state of a file, apart from its content.
func stat(info fs.FileInfo) (File, bool) {
	sys, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return File{}, false
	}
	return File{Size: info.Size(), ModTime: info.ModTime().UnixNano(), ChangeTime: sys.Ctim.Nano(), Inode: sys.Ino, Mode: info.Mode()}, true
}
