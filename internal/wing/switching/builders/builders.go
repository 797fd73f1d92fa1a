// Package builders replaces controller-runtime's scheme.Builder in API packages by generated registrations. Handwritten and generated
// files change together, or nothing does.
package builders

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/output"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/repository"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/register"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/schemebuilder"
)

// Change is what would change.
type Change struct {
	*schemebuilder.Plan
	// Searched is the number of packages that were searched.
	Searched int

	front run.Front
	runs  []run.Run
	// configs are the configuration files to write.
	configs map[string][]byte
	// more are types that only the generated registration has, by import path.
	more map[string][]string
}

// Plan plans the changes for the packages that match the patterns, by default all of the module.
func Plan(ctx context.Context, dir string, patterns []string, front run.Front) (*Change, error) {
	packages, err := packagesOf(ctx, dir, patterns)
	if err != nil {
		return nil, err
	}
	repo := repository.At(dir)
	source := schemebuilder.Config{Packages: packages, Follows: follows}
	for name := range repo.Files(repo.Root) {
		if strings.HasSuffix(name, ".go") {
			source.Files = append(source.Files, name)
		}
	}
	var left diag.List
	for {
		c := &Change{front: front, Searched: len(packages), configs: map[string][]byte{}, more: map[string][]string{}}
		if c.Plan, err = schemebuilder.New(source); err != nil {
			return nil, err
		}
		c.Left = append(c.Left, left...)
		if len(c.Packages) == 0 {
			return c, nil
		}
		if err := output.Uncommitted(ctx, slices.Sorted(maps.Keys(c.Files))).Err(); err != nil {
			return nil, err
		}
		again, stay, err := c.prepare(ctx)
		if err != nil || !again {
			return c, err
		}
		left = append(left, stay...)
		source.Packages = slices.DeleteFunc(source.Packages, func(pkg *schemebuilder.Package) bool { return pkg.Stay })
		for _, pkg := range source.Packages {
			pkg.Registered, pkg.Pos = nil, token.Position{}
		}
	}
}

// packagesOf returns the packages that can be edited.
func packagesOf(ctx context.Context, dir string, patterns []string) ([]*schemebuilder.Package, error) {
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	loaded, diags, err := load.Packages(ctx, load.Config{Dir: dir, Patterns: patterns})
	if err != nil {
		return nil, err
	}
	if diags.Failed() {
		return nil, diags
	}
	var packages []*schemebuilder.Package
	for _, pkg := range loaded.Packages {
		if pkg.InMainModule() {
			_, err := os.Stat(filepath.Join(pkg.Dir, register.File))
			packages = append(packages, &schemebuilder.Package{Dir: pkg.Dir, Path: pkg.Path, Name: pkg.Name, Generated: err == nil})
		}
	}
	return packages, nil
}

// follows reports whether a file is built with the package in the repository: both are in one module or workspace, or a replace directive
// says so.
func follows(file string, pkg *schemebuilder.Package) bool {
	from, err := module.Owner(filepath.Dir(file))
	to, err2 := module.Owner(pkg.Dir)
	if err != nil || err2 != nil {
		return false
	}
	if from == to || module.Above(from.Dir, "go.work") != "" {
		return true
	}
	mod, err := module.ReadFile(from.Dir)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(mod.Replace, func(r *modfile.Replace) bool {
		return r.Old.Path == to.ImportPath && diag.Absolute(from.Dir, r.New.Path) == to.Dir
	})
}

// registrationHint names the needs of a generated registration.
const registrationHint = "a registration needs types that embed metav1.TypeMeta, a +groupName above the package clause and, if there is " +
	"a " + option.FileName + ", an output in it with the package and the generator register"

// prepare prepares the runs that generate the registrations, with the edits. Another plan is needed if some packages would not get one, or
// some types would not be registered.
func (c *Change) prepare(ctx context.Context) (again bool, stay diag.List, err error) {
	all, err := c.options()
	if err != nil {
		return false, nil, err
	}
	for i := range all {
		all[i].Load.Overlay = c.Files
	}
	c.runs, err = c.front.Prepare(ctx, all, true)
	for _, r := range c.runs {
		c.front.Report(r.API.Warnings)
	}
	if err != nil && !isNothing(err) {
		return false, nil, err
	}
	generated := map[string]*model.Registration{}
	for _, r := range c.runs {
		for _, pkg := range r.API.Resolved.API.Packages {
			generated[pkg.Path] = pkg.Registration
		}
	}
	for _, pkg := range c.Packages {
		registration := generated[pkg.Path]
		if registration == nil {
			again, pkg.Stay = true, true
			stay = append(stay, pkg.Stays(pkg.Pos, registrationHint, "no registration would be generated"))
			continue
		}
		without := func(from, names []string) []string {
			return slices.DeleteFunc(slices.Clone(from), func(name string) bool { return slices.Contains(names, name) })
		}
		missing := without(pkg.Registered, registration.Types)
		again = again || len(missing) > 0
		pkg.ByHand = append(pkg.ByHand, missing...)
		if !pkg.Generated {
			c.more[pkg.Path] = without(registration.Types, pkg.Registered)
		}
	}
	return again, stay, nil
}

// isNothing reports whether the only problem of runs is that some have nothing to generate.
func isNothing(err error) bool {
	diags, ok := errors.AsType[diag.List](err)
	if !ok {
		return errors.Is(err, resolve.ErrNothing)
	}
	return !slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return !d.Warning && !errors.Is(d.Cause, resolve.ErrNothing) })
}

// options returns the options of the runs, from the configuration files or, for modules without one, from files that are written too.
func (c *Change) options() (all []run.Options, err error) {
	dirs := map[string][]string{}
	for _, pkg := range c.Packages {
		owner, err := module.Owner(pkg.Dir)
		if err != nil {
			return nil, err
		}
		dirs[owner.Dir] = append(dirs[owner.Dir], pkg.Dir)
	}
	var files []run.ConfigFile
	for _, root := range slices.Sorted(maps.Keys(dirs)) {
		name := filepath.Join(root, option.FileName)
		text, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			text = configuration(root, dirs[root])
			c.configs[name], err = text, nil
		}
		if err != nil {
			return nil, err
		}
		files = append(files, run.ConfigFile{Name: name, Text: text})
	}
	return c.front.Parse(false, files...)
}

// boilerplate is the conventional header file of projects made with kubebuilder.
const boilerplate = "hack/boilerplate.go.txt"

// configuration returns a configuration file for the registrations of packages.
func configuration(root string, dirs []string) []byte {
	var b strings.Builder
	b.WriteString(option.PackagesKey + ":\n")
	common := dirs[0]
	if common != root {
		common = filepath.Dir(common)
	}
	for _, dir := range dirs {
		fmt.Fprintf(&b, "  - ./%s\n", repository.Relative(root, dir))
		for !module.Within(common, dir) {
			common = filepath.Dir(common)
		}
	}
	fmt.Fprintf(&b, "%s: %s\n", option.OutputDirKey, repository.Relative(root, common))
	if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(boilerplate))); err == nil {
		fmt.Fprintf(&b, "go-header-file: %s\n", boilerplate)
	}
	b.WriteString("only:\n  - register\n")
	return []byte(b.String())
}

// Apply makes the changes.
func (c *Change) Apply(ctx context.Context) error {
	if len(c.Packages) == 0 {
		if len(c.Left) > 0 {
			return errors.New("nothing was changed")
		}
		return nil
	}
	restore, err := output.Replace(ctx, c.Files)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(c.configs)) {
		if err = output.Create(name, c.configs[name]); err != nil {
			break
		}
		undo := restore
		restore = func() error { return errors.Join(os.Remove(name), undo()) }
	}
	if err == nil {
		err = c.front.Apply(ctx, c.runs)
	}
	if err != nil && !errors.Is(err, output.ErrIncomplete) {
		err = errors.Join(err, restore())
	}
	return err
}

// Print describes the changes after they were made.
func (c *Change) Print(w io.Writer, dir string) {
	if len(c.Packages) == 0 {
		fmt.Fprintf(w, "no scheme.Builder of controller-runtime in %s\n", diag.Count(c.Searched, "package"))
		return
	}
	for _, change := range c.Changes {
		pos := change.Pos
		pos.Filename = diag.Relative(dir, pos.Filename)
		fmt.Fprintf(w, "%s: %s\n", pos, change.Text)
	}
	for _, pkg := range c.Packages {
		if more := c.more[pkg.Path]; len(more) > 0 {
			fmt.Fprintf(w, "%s: registers %s, too\n", diag.Relative(dir, filepath.Join(pkg.Dir, register.File)), strings.Join(more, ", "))
		}
	}
	for _, r := range c.runs {
		for _, file := range r.Plan.Write {
			fmt.Fprintf(w, "%s written\n", diag.Relative(dir, r.API.Place.File(file.Path)))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.configs)) {
		fmt.Fprintf(w, "%s written: informer-gen-lite and informer-gen-lite verify keep the registrations up to date\n", diag.Relative(dir, name))
	}
	c.printTidy(w, dir)
}

// printTidy prints how to update go.mod.
func (c *Change) printTidy(w io.Writer, dir string) {
	free := map[string][]string{}
	for _, pkg := range c.Packages {
		if owner, err := module.Owner(pkg.Dir); err == nil && pkg.Frees {
			free[owner.Dir] = append(free[owner.Dir], diag.Relative(dir, pkg.Dir))
		}
	}
	for _, root := range slices.Sorted(maps.Keys(free)) {
		command := "go mod tidy"
		if rel := diag.Relative(dir, root); rel != "." {
			command = "cd " + module.Quote(rel) + " && " + command
		}
		fmt.Fprintf(w, "controller-runtime is no longer imported in %s; to update go.mod, run:\n\t%s\n",
			strings.Join(free[root], ", "), command)
	}
}
