package output

import (
	"errors"
	"io"
	"maps"
	"os"
	"regexp"
	"sync"

	"github.com/informer-gen-lite/informer-gen-lite/internal/fingerprint"
	"github.com/informer-gen-lite/informer-gen-lite/internal/memo"
	"github.com/informer-gen-lite/informer-gen-lite/internal/render"
)

// Memory remembers from one run to the next what files were rendered from. If that is the same again, and the file on disk is still
// what was made of it, there is nothing to render. It holds checksums only, so losing it costs nothing but time.
type Memory struct {
	tree *Tree
	memo memo.Memo
	last recollection
	// program is the checksum of the program that runs; "" if nothing is to be remembered.
	program string
}

// recollection is the record of one run.
type recollection struct {
	// Program identifies the program that rendered the files.
	Program string
	Files   map[string]rendered
}

// rendered holds the fingerprint of what a file was rendered from, and the checksum of the file.
type rendered struct {
	Key  fingerprint.Sum
	File string
}

// buildID matches what the go command writes near the beginning of a program: checksums of all that it was built from, and of
// the program.
var buildID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[\w-]{20}/[\w-]{20}/[\w-]{20}/[\w-]{20}`) })

// programSum returns a checksum that is that of no other program: of its build ID or, if it was built without, of the program.
func programSum(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }() // it is only read
	head := make([]byte, 64<<10)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return "", err
	}
	if id := buildID().Find(head[:n]); id != nil {
		return checksum(id), nil
	}
	rest, err := io.ReadAll(f)
	return checksum(append(head[:n], rest...)), err
}

// Identity returns a key that is unique to the memory of this tree.
func (t *Tree) Identity() []byte { return []byte("files below " + t.root) }

// OpenMemory reads the memory of a tree from its memo. The program is the file of the one that runs. A memory that cannot be
// read is empty.
func OpenMemory(tree *Tree, kept memo.Memo, program string) *Memory {
	m := &Memory{tree: tree, memo: kept}
	var err error
	if m.program, err = programSum(program); err != nil || !kept.Load(&m.last) || m.last.Program != m.program {
		m.last = recollection{}
	}
	return m
}

// Rendered returns the file that was rendered from what has this fingerprint, given by its path; nil if that is not known or no
// longer on disk.
func (m *Memory) Rendered(path string, key fingerprint.Sum) []byte {
	last, known := m.last.Files[path]
	if !known || last.Key != key {
		return nil
	}
	content, exists := m.tree.files[path]
	if !exists || checksum(content) != last.File {
		return nil
	}
	return content
}

// Save records what the files of a plan were rendered from. Errors are ignored: without a memory, the next run only takes longer.
func (m *Memory) Save(files []render.File, plan *Plan) {
	if m.program == "" {
		return
	}
	now := recollection{m.program, map[string]rendered{}}
	for _, file := range files {
		if file.Key != "" {
			now.Files[file.Path] = rendered{file.Key, plan.checksums[file.Path]}
		}
	}
	if !maps.Equal(now.Files, m.last.Files) {
		m.memo.Save(now)
	}
}
