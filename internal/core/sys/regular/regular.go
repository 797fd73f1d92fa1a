// Package regular reads regular files only. Opening a named pipe may block forever, and reading a device may never end.
package regular

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// ErrNot is the error for files that are neither regular files nor directories.
var ErrNot = errors.New("only regular files are read")

// Open is os.Open, except that it returns ErrNot for named pipes, sockets and devices other than os.DevNull.
func Open(name string) (io.ReadCloser, error) {
	if err := check(name); err != nil {
		return nil, err
	}
	return os.Open(name)
}

// ReadFile is os.ReadFile, except that it returns ErrNot for named pipes, sockets and devices other than os.DevNull.
func ReadFile(name string) ([]byte, error) {
	if err := check(name); err != nil {
		return nil, err
	}
	return os.ReadFile(name)
}

func check(name string) error {
	info, err := os.Stat(name)
	if err != nil || info.Mode().IsRegular() || info.IsDir() || name == os.DevNull {
		return nil // opening it reports the error
	}
	return &fs.PathError{Op: "open", Path: name, Err: fmt.Errorf("this is %s, and %w", kind(info.Mode()), ErrNot)}
}

func kind(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}
