// Package program identifies the program that runs, so that results of one program are never taken for those of another.
package program

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"regexp"
	"sync"
)

// Sum returns a checksum that no other program has; "" if it cannot be determined.
//
// A process may outlive its file: go install replaces the program of a process that watches files. Linux still opens the replaced
// file. On other systems, Sum has to be called first when the process starts.
var Sum = sync.OnceValue(func() string {
	f, err := os.Open("/proc/self/exe")
	if err != nil {
		name, errName := os.Executable()
		if errName != nil {
			return ""
		}
		f, err = os.Open(name)
	}
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }() // it is only read
	sum, err := sumOf(f)
	if err != nil {
		return ""
	}
	return sum
})

// buildID matches what the go command writes near the beginning of a program: checksums of all that it was built from, and of
// the program.
var buildID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[\w-]{20}/[\w-]{20}/[\w-]{20}/[\w-]{20}`) })

// sumOf returns the checksum of a program's build ID or, if it was built without, of the program.
func sumOf(r io.Reader) (string, error) {
	head := make([]byte, 64<<10)
	n, err := io.ReadFull(r, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return "", err
	}
	h := sha256.New()
	if id := buildID().Find(head[:n]); id != nil {
		h.Write(id)
	} else if _, err := io.Copy(h, io.MultiReader(bytes.NewReader(head[:n]), r)); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
