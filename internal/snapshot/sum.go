package snapshot

import (
	"crypto/sha256"
	"io"
	"runtime"
	"sync"

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
