package output

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"os"
	"path/filepath"
	"sync"
)

type sum = [sha256.Size]byte

// Memory remembers, from one run to the next, what text each file of a tree was formatted from. It implements
// render.Cache: where the text is the same as last time, and the file on disk still what it was formatted into, that
// file is the answer. It lives in the user's cache directory and holds checksums only, so losing it costs nothing but
// time.
type Memory struct {
	tree *Tree
	// name is the file that the memory is kept in; "" if there is none.
	name string
	// program identifies the program that did the formatting. Another one may format in another way.
	program sum

	mu      sync.Mutex
	known   map[string]formatting
	changed bool
}

// formatting is one fact: a text with checksum Text is formatted into one with checksum Formatted.
type formatting struct{ Text, Formatted sum }

// OpenMemory reads the memory of a tree, which is kept in dir. A memory that cannot be read is empty; with no dir, none
// is kept.
func OpenMemory(tree *Tree, dir string) *Memory {
	m := &Memory{tree: tree, known: map[string]formatting{}}
	if dir == "" {
		return m
	}
	var err error
	if m.program, err = programSum(); err != nil {
		return m
	}
	m.name = keyed(dir, tree.root)
	m.load()
	return m
}

// programSum returns the checksum of the running program.
func programSum() (sum, error) {
	name, err := os.Executable()
	if err != nil {
		return sum{}, err
	}
	program, err := os.ReadFile(name)
	return sha256.Sum256(program), err
}

func (m *Memory) load() {
	data, err := os.ReadFile(m.name)
	if err != nil {
		return
	}
	var program sum
	decoder := gob.NewDecoder(bytes.NewReader(data))
	if decoder.Decode(&program) != nil || program != m.program {
		return
	}
	if known := map[string]formatting{}; decoder.Decode(&known) == nil {
		m.known = known
	}
}

// Get implements render.Cache.
func (m *Memory) Get(path string, text []byte) []byte {
	onDisk, exists := m.tree.files[path]
	if !exists {
		return nil
	}
	m.mu.Lock()
	fact, ok := m.known[path]
	m.mu.Unlock()
	if ok && fact.Text == sha256.Sum256(text) && fact.Formatted == sha256.Sum256(onDisk) {
		return onDisk
	}
	return nil
}

// Put implements render.Cache.
func (m *Memory) Put(path string, text, formatted []byte) {
	fact := formatting{sha256.Sum256(text), sha256.Sum256(formatted)}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.known[path] = fact
	m.changed = true
}

// Save keeps what was learnt for the next run, as far as possible: a memory that cannot be kept is no problem.
func (m *Memory) Save() {
	if m.name == "" || !m.changed {
		return
	}
	var b bytes.Buffer
	encoder := gob.NewEncoder(&b)
	if encoder.Encode(m.program) != nil || encoder.Encode(m.known) != nil {
		return
	}
	if os.MkdirAll(filepath.Dir(m.name), 0o777) == nil {
		_ = replace(m.name, b.Bytes())
	}
}
