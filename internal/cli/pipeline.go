package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/generators/deepcopy"
	"github.com/informer-gen-lite/informer-gen-lite/generators/register"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
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
	if o.resolve.CRDs, err = o.readCRDs(); err != nil {
		return resolved{}, err
	}
	o.resolve.DeepCopies = o.selects(deepcopy.Generator{}.Name())
	o.resolve.Register = o.selects(register.Generator{}.Name())
	if name := o.openAPI; name != "" {
		document := &o.resolve.ApplyConfigurations.OpenAPI
		document.Name = o.absolute(name)
		if document.Content, err = os.ReadFile(document.Name); err != nil {
			return resolved{}, fmt.Errorf("--openapi-schema: %w", err)
		}
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
	files  []render.File
	plan   *output.Plan
	memory *output.Memory
}

// layoutIn returns the layout of a place.
func (o options) layoutIn(p place, loaded *load.Result) (layout model.Layout, err error) {
	layout = o.layout
	layout.Root = p.importPath
	layout.SourceDirs, err = p.sourceDirs(loaded)
	return layout, err
}

// prepare does everything that generate does, but for writing.
func (a app) prepare(ctx context.Context, opts options) (prepared, error) {
	program := output.ProgramSum()
	boilerplate, err := opts.readBoilerplate()
	if err != nil {
		return prepared{}, err
	}
	a.progress.at("loading")
	api, err := opts.read(ctx)
	if err != nil {
		return prepared{}, err
	}
	place, err := locate(opts, api.loaded)
	if err != nil {
		return prepared{}, err
	}
	if opts.writes { // else it does no harm to see how others write
		unlock, err := a.lock(ctx, place.dir)
		if err != nil {
			return prepared{}, err
		}
		defer unlock()
	}
	layout, err := opts.layoutIn(place, api.loaded)
	if err != nil {
		return prepared{}, err
	}
	owned, other := opts.directories()
	tree, err := output.Scan(place.dir, place.module(), append(owned, other...), beside(layout.SourceDirs, api.loaded)...)
	if err != nil {
		return prepared{}, err
	}
	layout.Handwritten = tree.Handwritten()
	if api.API.Apply != nil {
		layout.ApplyConfigurations = layout.ImportPath(layout.ApplyConfigurationDir)
	}
	a.progress.at("rendering")
	memory := output.OpenMemory(tree, a.cacheDir, program, fingerprint(api.API, &layout, opts, boilerplate))
	files, known := memory.Files()
	if !known {
		files, err = generators.Run(ctx, api.API, generators.Options{Layout: &layout, Generators: opts.generators, Boilerplate: boilerplate})
		if err != nil {
			return prepared{}, positioned(err, place.dir, kindsByFile(api, &layout, opts))
		}
	}
	if len(files) == 0 {
		return prepared{}, fmt.Errorf("nothing to generate: no generator that was selected has anything to do for %s", count(len(api.API.Kinds()), "kind"))
	}
	plan, err := tree.Plan(files, opts.outputOptions(place))
	return prepared{resolved: api, dir: place.dir, files: files, plan: plan, memory: memory}, err
}

// fingerprint returns all that the generators' output depends on.
func fingerprint(api *model.API, layout *model.Layout, opts options, boilerplate []byte) []byte {
	var names []string
	for _, g := range opts.generators {
		names = append(names, g.Name())
	}
	// None of these can fail to be marshalled: they are plain data.
	data, _ := json.Marshal([]any{api, layout, names, boilerplate})
	return data
}

// kindsByFile returns for the generated files that are about one kind where that kind is declared.
func kindsByFile(api resolved, layout *model.Layout, opts options) map[string]token.Position {
	declared := map[string]token.Position{}
	for kind, files := range generators.FilesOf(api.API, layout, opts.generators) {
		for _, file := range files {
			declared[file] = api.Declared[kind]
		}
	}
	return declared
}

// positioned moves diagnostics about generated files, which do not exist, to the kinds that they are about. What is
// about no single kind stays where it is, below the output directory.
func positioned(err error, dir string, kinds map[string]token.Position) error {
	var diags diag.List
	if !errors.As(err, &diags) {
		return err
	}
	for i := range diags {
		pos := &diags[i].Pos
		if kind, ok := kinds[pos.Filename]; ok {
			*pos = kind
		} else {
			pos.Filename = filepath.Join(dir, filepath.FromSlash(pos.Filename))
		}
	}
	return diags
}

// absolute returns a path that is relative to the working directory in full.
func (o options) absolute(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(o.load.Dir, name)
}

// readCRDs reads the manifests in the YAML files of a directory and those below.
func (o options) readCRDs() ([]resolve.CRD, error) {
	if o.crdDir == "" {
		return nil, nil
	}
	var crds []resolve.CRD
	err := filepath.WalkDir(o.absolute(o.crdDir), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(name)) {
			return err
		}
		text, err := os.ReadFile(name)
		crds = append(crds, resolve.ParseCRDs(name, text)...)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("--crd-dir: %w", err)
	}
	return crds, nil
}

func (o options) readBoilerplate() ([]byte, error) {
	if o.headerFile == "" {
		return nil, nil
	}
	name := o.absolute(o.headerFile)
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
		dir := g.Dir(&o.layout)
		switch {
		case dir == "": // its files lie beside the types
		case selected[g.Name()]:
			owned = append(owned, dir)
		default:
			other = append(other, dir)
		}
	}
	return owned, other
}
