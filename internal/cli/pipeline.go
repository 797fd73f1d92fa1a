package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/output"
	"github.com/informer-gen-lite/informer-gen-lite/internal/render"
	"github.com/informer-gen-lite/informer-gen-lite/internal/resolve"
)

// resolved is an API as far as it is known without looking at the output.
type resolved struct {
	resolve.Result
	loaded *load.Result
}

// resolve loads the packages and makes the model of them.
func (o options) read(ctx context.Context) (resolved, error) {
	loaded, diags, err := load.Packages(ctx, o.load)
	if err != nil {
		return resolved{}, err
	}
	result, problems := resolve.API(ctx, loaded, o.resolve)
	if diags = append(diags, problems...); len(diags) == 0 {
		diags = result.Nothing
	}
	return resolved{result, loaded}, diags.Err()
}

// prepared is a run that has been thought through to the end and only needs to be carried out.
type prepared struct {
	resolved
	// dir is the output directory.
	dir    string
	plan   *output.Plan
	memory *output.Memory
}

// prepare does everything that generate does, but for writing.
func (a app) prepare(ctx context.Context, opts options) (prepared, error) {
	boilerplate, err := opts.readBoilerplate()
	if err != nil {
		return prepared{}, err
	}
	api, err := opts.read(ctx)
	if err != nil {
		return prepared{}, err
	}
	place, err := locate(opts, api.loaded)
	if err != nil {
		return prepared{}, err
	}
	owned, other := opts.directories()
	tree, err := output.Scan(place.dir, append(owned, other...))
	if err != nil {
		return prepared{}, err
	}
	layout := opts.layout
	layout.Root = place.importPath
	layout.Handwritten = tree.Handwritten()
	memory := output.OpenMemory(tree, a.cacheDir)
	files, err := generators.Run(ctx, api.API, generators.Options{
		Layout: &layout, Generators: opts.generators, Boilerplate: boilerplate, Cache: memory,
	})
	if err != nil {
		return prepared{}, inDirectory(place.dir, err)
	}
	if len(files) == 0 {
		return prepared{}, fmt.Errorf("nothing to generate: no generator that was selected has anything to do for %s", count(len(api.API.Kinds()), "kind"))
	}
	plan, err := tree.Plan(files, owned, other)
	return prepared{resolved: api, dir: place.dir, plan: plan, memory: memory}, err
}

// apply writes what was prepared.
func (p prepared) apply() error {
	if err := p.plan.Apply(); err != nil {
		return err
	}
	p.memory.Save()
	return nil
}

// inDirectory completes the positions of diagnostics that are relative to a directory.
func inDirectory(dir string, err error) error {
	var diags diag.List
	if !errors.As(err, &diags) {
		return err
	}
	for i := range diags {
		diags[i].Pos.Filename = filepath.Join(dir, filepath.FromSlash(diags[i].Pos.Filename))
	}
	return diags
}

func (o options) readBoilerplate() ([]byte, error) {
	if o.headerFile == "" {
		return nil, nil
	}
	name := o.headerFile
	if !filepath.IsAbs(name) {
		name = filepath.Join(o.load.Dir, name)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("--go-header-file: %w", err)
	}
	return text, render.CheckBoilerplate(name, text)
}

// directories returns the directories of the selected generators, and those of the others.
func (o options) directories() (owned, other []string) {
	selected := map[string]bool{}
	for _, g := range o.generators {
		selected[g.Name()] = true
	}
	for _, g := range generators.All {
		if dir := g.Dir(&o.layout); selected[g.Name()] {
			owned = append(owned, dir)
		} else {
			other = append(other, dir)
		}
	}
	return owned, other
}
