// Package informergen generates clientsets, listers, informers, controllers, apply configurations, deep copies and scheme
// registration from annotated Go API types. It is the library behind the command informer-gen-lite:
//
//	result, err := informergen.Generate(ctx, informergen.Config{Packages: []string{"./apis/..."}})
//	if err != nil {
//		return err
//	}
//	return result.Write(ctx)
//
// Generate works in memory and returns all problems of the input together, as Diagnostics with positions. Only Write changes
// files: it replaces them by rename, removes stale ones, and never touches handwritten ones. So a problem in the last kind of the
// last package leaves the tree unchanged.
//
// Custom generators implement Generator. They get a read-only view of the API and return files, which are written, verified and
// removed like all others.
package informergen

import (
	"context"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/interrupt"
	"github.com/informer-gen-lite/informer-gen-lite/internal/front/pipeline"
)

// File is one generated file.
type File struct {
	// Path is slash-separated and relative to the directory of the Result or, in a Generator, to its Dir.
	Path    string
	Content []byte
}

// Result is generated output in memory.
type Result struct {
	// Dir is the absolute output directory, and ImportPath its import path.
	Dir, ImportPath string
	// Files are all generated files, sorted by path. Paths of files in API packages outside Dir begin with "..".
	Files []File
	// API is the API that the files were generated from.
	API *API
	// Warnings are harmless problems of the input.
	Warnings Diagnostics

	runs []run.Run // one
}

// Action is what Write does to a file.
type Action string

// The actions of Write.
const (
	Create Action = "create"
	Update Action = "update"
	Remove Action = "remove"
)

// Change is one file that Write would create, update or remove.
type Change struct {
	Action Action
	// Name is the absolute name of the file.
	Name string
	// Old and New are the contents before and after. They are empty if the file does not exist before or after.
	Old, New []byte
}

// Generate loads the packages and generates their output in memory. The error is Diagnostics if the API types have
// problems, or if a handwritten or edited file is in the way; a *ConfigError if a field of the configuration is invalid.
// Generate waits if another process is writing to the same module, until ctx is done.
func Generate(ctx context.Context, cfg Config) (*Result, error) {
	return generate(ctx, cfg, true)
}

// Verify returns the changes that Write would make, and none if the output is up to date. It writes nothing. Handwritten files in
// the way are Diagnostics; edited generated files are changes.
func Verify(ctx context.Context, cfg Config) ([]Change, error) {
	result, err := generate(ctx, cfg, false)
	if err != nil {
		return nil, err
	}
	return result.Changes(), nil
}

func generate(ctx context.Context, cfg Config, writes bool) (*Result, error) {
	opts, err := cfg.options()
	if err != nil {
		return nil, publicError(err)
	}
	ctx, cancel := interrupt.Context(ctx)
	defer cancel()
	settings := run.Settings{Writes: writes, Extra: extras(cfg.Generators)}
	runs, err := pipeline.Prepare(ctx, []run.Options{opts}, settings)
	if err != nil {
		return nil, publicError(err)
	}
	made := &runs[0]
	result := &Result{
		Dir: made.API.Place.Dir, ImportPath: made.API.Place.ImportPath, API: viewOf(made.API, len(cfg.Generators) > 0),
		Warnings: publicDiagnostics(made.API.Warnings), runs: runs,
	}
	for _, file := range made.Files {
		result.Files = append(result.Files, File{file.Path, file.Content})
	}
	return result, nil
}

// Changes returns the files that Write would create or update, then those that it would remove.
func (r *Result) Changes() []Change {
	actions := map[run.State]Action{run.Missing: Create, run.Differs: Update, run.Stale: Remove}
	var changes []Change
	for _, d := range r.runs[0].Differences() {
		changes = append(changes, Change{actions[d.State], d.Name, []byte(d.OnDisk), []byte(d.Generated)})
	}
	return changes
}

// Write writes the output. An error before the first file is replaced leaves everything unchanged. Unchanged files are not touched.
// Write waits while another process writes to the same module. It returns early when ctx is done; if some files were already
// replaced, the next Write completes the output.
func (r *Result) Write(ctx context.Context) error {
	return publicError(pipeline.Apply(ctx, r.runs))
}
