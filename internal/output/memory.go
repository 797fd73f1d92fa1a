package output

import (
	"crypto/sha256"
	"os"
	"slices"
	"strings"

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

// ProgramSum returns the checksum of the running program. It begins at once and takes as long as reading the program;
// the function that is returned waits for it.
func ProgramSum() func() (sum, error) {
	type result struct {
		sum sum
		err error
	}
	done := make(chan result, 1)
	go func() {
		name, err := os.Executable()
		if err != nil {
			done <- result{err: err}
			return
		}
		program, err := os.ReadFile(name)
		done <- result{sha256.Sum256(program), err}
	}()
	return func() (sum, error) {
		r := <-done
		return r.sum, r.err
	}
}

// Identity returns what tells the memory of a tree from those of others.
func (t *Tree) Identity() []byte { return []byte("files below " + t.root) }

// OpenMemory reads the memory of a tree from its memo. The input is all that the files are made from, in any form that is the
// same for the same input. A memory that cannot be read is empty.
func OpenMemory(tree *Tree, kept memo.Memo, program func() (sum, error), input []byte) *Memory {
	m := &Memory{tree: tree}
	var err error
	if m.now.Program, err = program(); err != nil {
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
