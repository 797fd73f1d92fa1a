// Package scaffold makes the handwritten files that generated controllers need to run.
package scaffold

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	modpath "golang.org/x/mod/module"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/generators/scaffold"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/output"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/product"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/spelling"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/origin"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/regular"
)

// Controlled is a kind with a controller, and its API.
type Controlled struct {
	Kind *model.Kind
	API  *run.API
}

// Wiring returns the absolute name of the generated file that scaffolded code needs.
func (c Controlled) Wiring() string {
	layout := c.API.Layout
	return c.API.Place.File(path.Join(layout.ControllerDir(c.Kind.Version), c.Kind.FileName("")))
}

// Scaffolded has the handwritten files for kinds, and the name of the command that runs their controllers.
type Scaffolded struct {
	Files    []render.File
	Kinds    []Controlled
	Operator string
}

// Scaffold renders the handwritten files that generated controllers of kinds need to run. The paths of the files are relative to the
// directory of the call. The arguments are the names of the kinds, as Kind or group/version.Kind.
func Scaffold(ctx context.Context, call *run.Call, all []run.Options) (result Scaffolded, err error) {
	dir := call.Dir
	var apis []*run.API
	for _, opts := range all {
		api, err := call.Resolve(ctx, opts)
		if err != nil {
			return result, err
		}
		apis = append(apis, api)
	}
	kinds, err := selectControlled(apis, call.Args)
	if err != nil {
		return result, err
	}
	destination, err := destinationAt(dir)
	if err != nil {
		return result, err
	}
	destination.ToolVersion, destination.Operator = call.Release, operatorIn(dir, destination.Module)
	var files []render.File
	var together []scaffold.Controlled
	for _, kind := range kinds {
		one := kind.together(dir, destination.Operator)
		destination.CRDs = one.CRDs
		made, err := kind.files(destination)
		if err != nil {
			return result, err
		}
		files, together = append(files, made...), append(together, one)
	}
	made, err := generators.ScaffoldTogether(together, destination)
	if err != nil {
		return result, err
	}
	files, err = once(append(files, made...))
	return Scaffolded{Files: files, Kinds: kinds, Operator: destination.Operator}, err
}

// selectControlled finds the kinds by their names.
func selectControlled(apis []*run.API, names []string) ([]Controlled, error) {
	var with, without []Controlled
	var tagged []string
	for _, api := range apis {
		for _, kind := range api.Resolved.API.Kinds() {
			if kind.Controller == nil {
				without = append(without, Controlled{kind, api})
				continue
			}
			with, tagged = append(with, Controlled{kind, api}), append(tagged, kind.Name)
		}
	}
	var selected []Controlled
	var problems diag.List
	for _, name := range names {
		called := func(c Controlled) bool { return name == c.Kind.Name || name == c.Kind.FullName() }
		found := lists.Filter(with, called)
		fullNames := lists.Map(found, func(c Controlled) string { return c.Kind.FullName() })
		switch i := slices.IndexFunc(without, called); {
		case len(found) > 1:
			problems.AddHint(token.Position{}, "write one of "+strings.Join(fullNames, ", "), "ambiguous kind %s", name)
		case len(found) == 1 && found[0].API.Layout.NoFakes:
			problems.AddHint(found[0].API.Resolved.Kinds[found[0].Kind].Pos, "generate the clientset with its fakes, without fake in skip",
				"the tests of kind %s need fakes", name)
		case len(found) == 1 && !slices.Contains(selected, found[0]):
			selected = append(selected, found[0])
		case len(found) == 1:
		case i >= 0:
			pos := without[i].API.Resolved.Kinds[without[i].Kind].Pos
			problems.AddHint(pos, howToAdd(pos.Filename, without[i].Kind.Name), "kind %s has no controller", name)
		default:
			hint := spelling.DidYouMean(name, tagged, "check the name, and add // +"+marker.Controller+" above its type")
			problems.AddHint(token.Position{}, hint, "no kind %s with a controller", name)
		}
	}
	return selected, problems.Err()
}

// howToAdd says how to add a controller for a kind that is declared in a file.
func howToAdd(filename, kind string) string {
	if content, err := regular.ReadFile(filename); err == nil && slices.Contains(origin.Of(content), origin.Import) {
		return fmt.Sprintf("add %s: {%s: [+%s]} to its entry of %s in the configuration, and run informer-gen-lite generate", option.MarkersKey,
			kind, marker.Controller, option.ImportsKey)
	}
	return "add // +" + marker.Controller
}

// destinationAt returns the properties of the module that owns a directory, for scaffolded files.
func destinationAt(dir string) (scaffold.Destination, error) {
	importPath, err := module.ImportPath(dir)
	if err != nil {
		return scaffold.Destination{}, err
	}
	owner, err := module.Owner(dir)
	if err != nil {
		return scaffold.Destination{}, err
	}
	file, err := module.ReadFile(owner.Dir)
	if err != nil {
		return scaffold.Destination{}, err
	}
	to := scaffold.Destination{ImportPath: importPath, Module: owner.ImportPath, Replace: withClone(replacements(file), module.ThisLibrary())}
	if file.Go != nil {
		to.Go = file.Go.Version
	}
	return to, nil
}

// replacements returns the replace directives of a go.mod. It omits directives that pin a version, because the API server in a scaffolded
// test may need a later one.
func replacements(file *modfile.File) []scaffold.Replacement {
	var all []scaffold.Replacement
	for _, r := range file.Replace {
		switch relative := r.New.Version == "" && !filepath.IsAbs(r.New.Path); {
		case r.New.Path == r.Old.Path:
		case relative:
			all = append(all, scaffold.Replacement{Old: spelled(r.Old), New: r.New.Path, Relative: true})
		default:
			all = append(all, scaffold.Replacement{Old: spelled(r.Old), New: spelled(r.New)})
		}
	}
	return all
}

// withClone returns the replace directives with those for the modules of a clone: the run-time library, which the module gets after
// scaffolding, and the API server for tests. Neither is in a module proxy.
func withClone(all []scaffold.Replacement, library module.LibrarySource) []scaffold.Replacement {
	if library.Dir == "" {
		return all
	}
	server := filepath.Join(filepath.Dir(library.Dir), path.Base(module.TestServer))
	metrics := filepath.Join(library.Dir, path.Base(module.LibraryMetrics))
	for _, clone := range []modpath.Version{
		{Path: module.Library, Version: library.Dir}, {Path: module.LibraryMetrics, Version: metrics}, {Path: module.TestServer, Version: server},
	} {
		if !slices.ContainsFunc(all, func(r scaffold.Replacement) bool { return r.Old == clone.Path }) {
			all = append(all, scaffold.Replacement{Old: clone.Path, New: spelled(modpath.Version{Path: clone.Version})})
		}
	}
	return all
}

// spelled returns a module as go.mod spells it.
func spelled(m modpath.Version) string {
	return strings.TrimSpace(modfile.AutoQuote(m.Path) + " " + m.Version)
}

// files renders all files for the kind. Their paths are relative to the destination.
func (c Controlled) files(destination scaffold.Destination) ([]render.File, error) {
	layout := &c.API.Layout
	if owned, _ := c.API.Options.Directories(); !slices.Contains(owned, layout.Controllers) {
		return nil, errors.New("--only and --skip exclude controllers, which scaffolded code requires")
	}
	boilerplate, err := run.ReadBoilerplate(c.API.Options)
	if err != nil {
		return nil, err
	}
	return generators.Scaffold(c.Kind, layout, destination, boilerplate)
}

// together returns the kind's part of files for all kinds. Roles that are not generated yet get the name of the operator.
func (c Controlled) together(dir, operator string) scaffold.Controlled {
	opts := c.API.Options
	together := scaffold.Controlled{
		Kind: c.Kind, Layout: &c.API.Layout, Namespaces: opts.Values.RBACNamespaces, RoleName: opts.Values.RBACRoleName,
		CRDs: option.DefaultCRDs, RoleFile: path.Join(option.DefaultRoles, "role.yaml"),
	}
	if m := opts.Manifests.Running(product.CRD); m != nil {
		together.CRDs = filepath.ToSlash(diag.Relative(dir, m.Dir))
	}
	if m := opts.Manifests.Running(product.RBAC); m != nil {
		together.RoleFile = path.Join(filepath.ToSlash(diag.Relative(dir, m.Dir)), roleFile(opts.Values))
	} else if together.RoleName == "" {
		together.RoleName = operator
	}
	return together
}

// roleFile returns the name of the file with roles, which is an option of controller-gen's generator.
func roleFile(values option.Values) string {
	name := "role.yaml"
	for _, entry := range values.RBACOptions {
		if given, ok := strings.CutPrefix(entry, "fileName="); ok && given != "" {
			name = given
		}
	}
	return name
}

// operatorIn returns the name of the command that runs all controllers: an existing command in the directory, or a new one.
func operatorIn(dir, modulePath string) string {
	mains, _ := filepath.Glob(filepath.Join(dir, "cmd", "*", "main.go")) // the pattern is valid
	for _, name := range mains {
		if text, err := regular.ReadFile(name); err == nil && bytes.Contains(text, []byte("manager.Main(")) {
			return filepath.Base(filepath.Dir(name))
		}
	}
	return scaffold.OperatorName(modulePath)
}

// once returns the files without duplicates, since a manifest may belong to several kinds. Kinds of different groups with the
// same name are an error.
func once(files []render.File) ([]render.File, error) {
	var unique []render.File
	seen := map[string][]byte{}
	for _, file := range files {
		if other, again := seen[file.Path]; !again {
			seen[file.Path] = file.Content
			unique = append(unique, file)
		} else if !bytes.Equal(other, file.Content) {
			return nil, fmt.Errorf("two kinds need different contents of %s: scaffold them in different directories", file.Path)
		}
	}
	return unique, nil
}

// WriteOnce writes a file below dir, unless it exists.
func WriteOnce(ctx context.Context, dir string, file render.File) (written bool, err error) {
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	name := filepath.Join(dir, filepath.FromSlash(file.Path))
	if err = os.MkdirAll(filepath.Dir(name), 0o777); err == nil {
		err = output.Create(name, file.Content)
	}
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	return err == nil, err
}

// GoGet returns the command that adds the modules for scaffolded files below a directory, including tests. Server tests are in separate
// modules.
func (s Scaffolded) GoGet(dir string) run.GoGet {
	files := slices.DeleteFunc(slices.Clone(s.Files), func(file render.File) bool { return scaffold.InServerTest(file.Path) })
	return run.GoGetTests(dir, files, lists.Map(s.Kinds, func(kind Controlled) *run.API { return kind.API }))
}

// Lacking warns about missing parts of a user's file that is kept: resources of the kustomization, and bindings and controllers of the
// command.
func (s Scaffolded) Lacking(dir string, file render.File) (warnings diag.List) {
	name := filepath.Join(dir, filepath.FromSlash(file.Path))
	existing, _ := regular.ReadFile(name) // a file that cannot be read lacks all
	for _, lack := range scaffold.Lacking(file.Path, s.Operator, string(file.Content), string(existing)) {
		warnings.Warn(token.Position{Filename: name}, lack.Hint, "%s", lack.Problem)
	}
	return warnings
}
