package output

import (
	"crypto/sha256"
	"errors"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/informer-gen-lite/informer-gen-lite/internal/memo"
	"github.com/informer-gen-lite/informer-gen-lite/internal/render"
)

type sum = [sha256.Size]byte

// Memory remembers from one run to the next what the files of a tree were made from. Where that is the same again, and
// the files on disk are still what was made of it, there is nothing to render. It holds
// checksums only, so losing it costs nothing but time.
type Memory struct {
	tree *Tree
	memo memo.Memo
	now  recollection
	// known tells whether the last run is remembered, and was made from the same.
	known bool
	last  recollection
}

// recollection is what is remembered of one run.
type recollection struct {
	// Program identifies the program, Input what it was given: together they determine the files.
	Program, Input sum
	Files          map[string]sum
}

// buildID matches what the go command writes near the beginning of a program: checksums of all that it was built from, and of
// the program.
var buildID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[\w-]{20}/[\w-]{20}/[\w-]{20}/[\w-]{20}`) })

// programSum returns a checksum that is that of no other program: of its build ID or, if it was built without, of the program.
func programSum(name string) (sum, error) {
	f, err := os.Open(name)
	if err != nil {
		return sum{}, err
	}
	defer func() { _ = f.Close() }() // it is only read
	head := make([]byte, 64<<10)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return sum{}, err
	}
	if id := buildID().Find(head[:n]); id != nil {
		return sha256.Sum256(id), nil
	}
	h := sha256.New()
	h.Write(head[:n])
	_, err = io.Copy(h, f)
	return sum(h.Sum(nil)), err
}

// Identity returns what tells the memory of a tree from those of others.
func (t *Tree) Identity() []byte { return []byte("files below " + t.root) }

// OpenMemory reads the memory of a tree from its memo. The program is the file of the one
// that runs; the input is all that the files are made from, in any form that is the same for the same input. A memory that cannot be read is empty.
func OpenMemory(tree *Tree, kept memo.Memo, program string, input []byte) *Memory {
	m := &Memory{tree: tree}
	var err error
	if m.now.Program, err = programSum(program); err != nil {
		return m
	}
	m.memo = kept
	m.now.Input = sha256.Sum256(input)
	m.known = m.memo.Load(&m.last) && m.last.Program == m.now.Program && m.last.Input == m.now.Input
	return m
}

// Files returns the files that would be rendered, in the order of their paths, if they are known and on disk.
func (m *Memory) Files() ([]render.File, bool) {
	if !m.known {
		return nil, false
	}
	var files []render.File
	for name, want := range m.last.Files {
		content, exists := m.tree.files[name]
		if !exists || sha256.Sum256(content) != want {
			return nil, false
		}
		files = append(files, render.File{Path: name, Content: content})
	}
	slices.SortFunc(files, func(a, b render.File) int { return strings.Compare(a.Path, b.Path) })
	return files, true
}

// Save keeps what was rendered for the next run, as far as possible: a memory that cannot be kept is no problem.
func (m *Memory) Save(files []render.File) {
	if m.known {
		return
	}
	m.now.Files = map[string]sum{}
	for _, file := range files {
		m.now.Files[file.Path] = sha256.Sum256(file.Content)
	}
	m.memo.Save(m.now)
}
