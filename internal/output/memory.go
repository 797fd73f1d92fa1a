package output

import (
	"maps"

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
	// program is the checksum of the program that runs, or "".
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

// Identity returns a key that is unique to the memory of this tree.
func (t *Tree) Identity() []byte { return []byte("files below " + t.root) }

// OpenMemory reads the memory of a tree from its memo. The program is the checksum of the one that runs; if it is "", nothing is
// remembered. A memory that cannot be read is empty.
func OpenMemory(tree *Tree, kept memo.Memo, program string) *Memory {
	m := &Memory{tree: tree, memo: kept, program: program}
	if program == "" || !kept.Load(&m.last) || m.last.Program != program {
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
