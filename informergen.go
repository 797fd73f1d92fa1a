// Package informergen generates clientsets, listers, informers, controllers and what belongs to them from annotated Go API
// types. It is the library behind the command informer-gen-lite and does what the command does:
//
//	result, err := informergen.Generate(ctx, informergen.Config{Packages: []string{"./apis/..."}})
//	if err != nil {
//		return err
//	}
//	return result.Write(ctx)
//
// Generate works in memory. Problems in the input are returned together, as Diagnostics with positions. Nothing is written
// before Write, which replaces files by rename, removes stale ones, and never touches handwritten files.
//
// A Generator that is not built in sees the API through a read-only view and returns files. They are written, verified and
// removed like all others.
package informergen

import (
	"context"

	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/interrupt"
	"github.com/informer-gen-lite/informer-gen-lite/internal/pipeline"
)

// File is one generated file.
type File struct {
	// Path is slash-separated and relative to a directory: that of the Result, or that of the Generator.
	Path    string
	Content []byte
}

// Result is generated output that is not written yet.
type Result struct {
	// Dir is the absolute output directory, and ImportPath its import path.
	Dir, ImportPath string
	// Files are all generated files, sorted by path. Files in API packages lie outside of Dir: their paths begin with "..".
	Files []File
	// API is what they were generated from.
	API *API
	// Warnings are about what is odd in the input, and harmless.
	Warnings Diagnostics

	run *pipeline.Run
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
	// Old and New are the contents before and after; empty if there is no such file.
	Old, New []byte
}

// Generate loads the packages and generates their output in memory. The error is Diagnostics if the API types have
// problems, or if a handwritten or edited file is in the way; a *ConfigError if a field of the configuration is invalid.
// Generate waits if another process is writing to the same module, until ctx is done.
func Generate(ctx context.Context, cfg Config) (*Result, error) {
	return generate(ctx, cfg, true)
}

// Verify returns the changes that writing the output would make: none if it is up to date. It writes nothing. Handwritten
// files in the way are Diagnostics; generated files that were edited are changes.
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
	settings := pipeline.Settings{CacheDir: pipeline.CacheDir(), KeyFile: pipeline.KeyFile(), Writes: writes, Extra: extras(cfg.Generators)}
	runs, err := pipeline.Prepare(ctx, []config.Options{opts}, settings)
	if err != nil {
		return nil, publicError(err)
	}
	run := &runs[0]
	result := &Result{Dir: run.API.Place.Dir, ImportPath: run.API.Place.ImportPath, API: viewOf(run.API), Warnings: publicDiagnostics(run.API.Warnings), run: run}
	for _, file := range run.Files {
		result.Files = append(result.Files, File{file.Path, file.Content})
	}
	return result, nil
}

// Changes returns the files that Write would create or update, then those that it would remove.
func (r *Result) Changes() []Change {
	actions := map[pipeline.State]Action{pipeline.Missing: Create, pipeline.Differs: Update, pipeline.Stale: Remove}
	var changes []Change
	for _, d := range r.run.Differences() {
		changes = append(changes, Change{actions[d.State], d.Name, []byte(d.OnDisk), []byte(d.Generated)})
	}
	return changes
}

// Write writes the output. It either completes or, if the first error occurs before a file was replaced, changes nothing.
// Unchanged files are not touched. Write waits if another process is writing to the same module. It ends when ctx is done; if files
// are replaced by then, the next Write completes them.
func (r *Result) Write(ctx context.Context) error {
	return publicError(r.run.Apply(ctx))
}
