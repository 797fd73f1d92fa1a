package cli

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

	"github.com/spf13/cobra"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/internal/crd"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/render"
)

func (a app) scaffoldCommand() *cobra.Command {
	var flags generateFlags
	cmd := &cobra.Command{
		Use:   "scaffold KIND...",
		Short: "Write what surrounds the generated controllers of kinds, once: reconciler, test, command, manifests",
		Long: `Scaffold writes, below the working directory, what a generated controller lacks to run: a reconciler with a test, a
command, and manifests with a CustomResourceDefinition, roles and a Deployment. These files are yours from then on: those that
exist are never touched, and listed as kept. A KIND is Kind, or group/version.Kind where several are called so. It takes the
flags of generate, and the packages that the configuration names, by default ./....`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, names []string) error {
			all, err := a.loadOptions(cmd.Flags(), &flags, nil)
			if err != nil {
				return err
			}
			return a.scaffold(cmd.Context(), all, names)
		},
	}
	flags.register(cmd.Flags())
	return cmd
}

// target is one of the outputs of a configuration, with the API that it is made of.
type target struct {
	options
	resolved
	layout model.Layout
	// dir is the output directory.
	dir string
}

// controlled is a kind with a controller, and the target that it belongs to.
type controlled struct {
	*model.Kind
	*target
}

// FullName returns the name of the kind as tags spell it.
func (c controlled) FullName() string {
	return c.Version.Group.DisplayName() + "/" + c.Version.Name + "." + c.Name
}

// scaffold writes the files for kinds. Nothing is written unless all of it went well for all of them.
func (a app) scaffold(ctx context.Context, all []options, names []string) error {
	targets, err := readTargets(ctx, all)
	if err != nil {
		return err
	}
	kinds, err := selectControlled(targets, names)
	if err != nil {
		return err
	}
	root, err := importPathOf(a.dir)
	if err != nil {
		return err
	}
	var files []render.File
	for _, kind := range kinds {
		made, err := kind.files(root)
		if err != nil {
			return err
		}
		files = append(files, made...)
	}
	if files, err = once(files); err != nil {
		return err
	}
	for _, file := range files {
		if err := a.writeOnce(file); err != nil {
			return err
		}
	}
	a.printNextSteps(kinds)
	return nil
}

func readTargets(ctx context.Context, all []options) ([]*target, error) {
	var targets []*target
	for _, opts := range all {
		api, err := opts.read(ctx)
		if err != nil {
			return nil, err
		}
		place, err := locate(opts, api.loaded)
		if err != nil {
			return nil, err
		}
		layout, err := opts.layoutIn(place, api.loaded)
		if err != nil {
			return nil, err
		}
		if api.API.Apply != nil {
			layout.ApplyConfigurations = layout.ImportPath(layout.ApplyConfigurationDir)
		}
		targets = append(targets, &target{opts, api, layout, place.dir})
	}
	return targets, nil
}

// selectControlled finds the kinds by their names.
func selectControlled(targets []*target, names []string) ([]controlled, error) {
	var with []controlled
	var tagged, untagged []string
	declared := map[string]token.Position{}
	for _, t := range targets {
		for _, kind := range t.API.Kinds() {
			c := controlled{kind, t}
			if kind.Controller == nil {
				untagged = append(untagged, kind.Name, c.FullName())
				declared[kind.Name], declared[c.FullName()] = t.Declared[kind], t.Declared[kind]
				continue
			}
			with = append(with, c)
			tagged = append(tagged, kind.Name)
		}
	}
	var selected []controlled
	var problems diag.List
	for _, name := range names {
		var found []controlled
		for _, c := range with {
			if name == c.Name || name == c.FullName() {
				found = append(found, c)
			}
		}
		switch {
		case len(found) == 1 && !slices.Contains(selected, found[0]):
			selected = append(selected, found[0])
		case len(found) > 1:
			var fullNames []string
			for _, c := range found {
				fullNames = append(fullNames, c.FullName())
			}
			problems.AddHint(token.Position{}, "write one of "+strings.Join(fullNames, ", "), "several kinds are called %s", name)
		case slices.Contains(untagged, name):
			problems.AddHint(declared[name], "add // +"+marker.Controller, "kind %s has no controller", name)
		case len(found) == 0:
			hint := "a kind has a controller if its type has // +" + marker.Controller
			if nearest := marker.Nearest(name, tagged); nearest != "" {
				hint = "did you mean " + nearest + "?"
			}
			problems.AddHint(token.Position{}, hint, "there is no kind %s with a controller", name)
		}
	}
	return selected, problems.Err()
}

// files renders all files for the kind. Their paths are relative to the directory with the import path root.
func (c controlled) files(root string) ([]render.File, error) {
	if !slices.ContainsFunc(c.generators, func(g generators.Generator) bool { return g.Dir(&c.layout) == c.layout.Controllers }) {
		return nil, errors.New("--only and --skip leave out the controllers that scaffolded code needs")
	}
	boilerplate, err := c.readBoilerplate()
	if err != nil {
		return nil, err
	}
	manifests, err := c.definitions()
	if err != nil {
		return nil, err
	}
	files, err := generators.Scaffold([]*model.Kind{c.Kind}, &c.layout, root, boilerplate)
	return append(files, manifests...), err
}

// definitions returns the manifests of the CustomResourceDefinitions of the kind, and of those that it owns.
func (c controlled) definitions() ([]render.File, error) {
	kinds := []*model.Kind{c.Kind}
	for _, owned := range c.Controller.Owned {
		if !owned.BuiltIn() {
			kinds = append(kinds, owned.Kind)
		}
	}
	find := func(group, name string) *model.Kind {
		for _, kind := range kinds {
			if kind.Version.Group.Name == group && kind.Name == name {
				return kind
			}
		}
		return nil
	}
	definitions, err := crd.Generate(c.load.Dir, c.load.Patterns, func(group, kind string) bool { return find(group, kind) != nil })
	if err != nil {
		return nil, err
	}
	var files []render.File
	var problems diag.List
	for _, d := range definitions {
		kind := find(d.Group, d.Kind)
		verbs := kind.ClientVerbs(c.layout.WithApply())
		if verbs.Has(model.UpdateStatus) && !slices.Contains(d.HasStatus, kind.Version.Name) {
			problems.AddHint(c.Declared[kind], "add // +kubebuilder:subresource:status, or // +genclient:noStatus",
				"the client of %s updates the status by itself, which its CustomResourceDefinition would not allow", d.Kind)
		}
		files = append(files, render.File{Path: path.Join("config/crd", d.File), Content: d.Content})
	}
	return files, problems.Err()
}

// once returns the files, each once: a manifest may well belong to several kinds. It reports kinds of several groups that
// are called alike.
func once(files []render.File) ([]render.File, error) {
	var unique []render.File
	seen := map[string][]byte{}
	for _, file := range files {
		other, again := seen[file.Path]
		switch {
		case !again:
			seen[file.Path] = file.Content
			unique = append(unique, file)
		case !bytes.Equal(other, file.Content):
			return nil, fmt.Errorf("%s would be written for two kinds: scaffold them in different directories", file.Path)
		}
	}
	return unique, nil
}

// writeOnce writes a file, unless there is one. A manifest that is there and says something else is pointed out, as it
// is made of the types.
func (a app) writeOnce(file render.File) error {
	name := filepath.Join(a.dir, filepath.FromSlash(file.Path))
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	switch {
	case errors.Is(err, fs.ErrExist):
		remark := ""
		if existing, err := os.ReadFile(name); err == nil && path.Ext(file.Path) == ".yaml" && !bytes.Equal(existing, file.Content) {
			remark = "  (differs from what would be written now)"
		}
		fmt.Fprintf(a.stdout, "kept     %s%s\n", file.Path, remark)
		return nil
	case err != nil:
		return err
	}
	_, err = f.Write(file.Content)
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(name)) // half a file would be kept the next time
	}
	fmt.Fprintf(a.stdout, "written  %s\n", file.Path)
	return nil
}

// printNextSteps says what is to be done before the files compile, and then.
func (a app) printNextSteps(kinds []controlled) {
	var steps []string
	for _, c := range kinds {
		wiring := filepath.Join(c.dir, filepath.FromSlash(path.Join(c.layout.ControllerDir(c.Version), c.FileName(""))))
		if _, err := os.Stat(wiring); err != nil {
			steps = []string{"informer-gen-lite generate"}
		}
	}
	steps = append(steps, "go mod tidy")
	for _, c := range kinds {
		steps = append(steps, "go test ./internal/controller/"+model.PackageName(c.Lower()), "kubectl apply -R -f config", "go run ./cmd/"+c.Lower()+"-controller")
	}
	fmt.Fprintf(a.stdout, "\nNext:\n\n")
	seen := map[string]bool{}
	for _, step := range steps {
		if !seen[step] {
			fmt.Fprintf(a.stdout, "\t%s\n", step)
		}
		seen[step] = true
	}
}
