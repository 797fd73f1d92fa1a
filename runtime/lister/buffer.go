package lister

import (
	"sync"
	"unsafe"
)

// buffer is the temporary memory of a read, so that only its result is allocated.
type buffer struct {
	objects []any
	key     []byte
}

var buffers = sync.Pool{New: func() any { return new(buffer) }}

// newBuffer returns an empty buffer. It must be released.
func newBuffer() *buffer { return buffers.Get().(*buffer) }

// release empties the buffer and returns it to the pool.
func (b *buffer) release() {
	clear(b.objects)
	b.objects, b.key = b.objects[:0], b.key[:0]
	buffers.Put(b)
}

// text returns the key, which is only valid until the buffer is released.
func (b *buffer) text() string { return unsafe.String(unsafe.SliceData(b.key), len(b.key)) }
