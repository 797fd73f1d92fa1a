package results

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/progress"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/proof"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/proof/results/objects"
)

// folder is the folder of the program, which exists only for the go command.
const folder = "zz_informer_gen_lite_check"

// program is a program that calls the functions of some packages of a module, and prints the results.
type program struct {
	module module.Place
	// parent is the import path of the directory around the program. Internal packages decide about it.
	parent   string
	packages []*compared
}

// programs returns programs for packages. Packages that can be imported from the same place share one.
func programs(all []*compared) (found []*program) {
	for _, c := range all {
		parent := c.module.ImportPath
		for _, f := range c.functions {
			for _, importPath := range append(f.packages(), c.path) {
				if i := strings.LastIndex(importPath+"/", "/internal/"); i > len(parent) && strings.HasPrefix(importPath, parent+"/") {
					parent = importPath[:i]
				}
			}
		}
		i := slices.IndexFunc(found, func(p *program) bool { return p.module == c.module && p.parent == parent })
		if i < 0 {
			i, found = len(found), append(found, &program{module: c.module, parent: parent})
		}
		found[i].packages = append(found[i].packages, c)
	}
	return found
}

// run runs the program with the code before and after the runs. An error says why it does not run with both.
func (p *program) run(ctx context.Context, runs []run.Run, leftOver []string) (before, after []objects.Result, err error) {
	scratch, err := os.MkdirTemp("", "informer-gen-lite-")
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	files, err := p.write(scratch)
	if err != nil {
		return nil, nil, err
	}
	overlays, err := proof.WriteOverlays(scratch, runs, leftOver, files)
	if err != nil {
		return nil, nil, err
	}
	tags := proof.Tags(runs)
	if before, err = p.results(ctx, tags, overlays.Before, "as checked in"); err == nil {
		after, err = p.results(ctx, tags, overlays.After, "as generated")
	}
	return before, after, err
}

// results returns the results that the program prints with the code of one side.
func (p *program) results(ctx context.Context, tags []string, overlay proof.Overlay, where string) (results []objects.Result, err error) {
	progress.From(ctx).At("comparing results: calling defaults and conversions " + where)
	args := slices.Concat([]string{"run"}, tags, []string{"-overlay=" + overlay.Name, "./" + path.Join(p.below(), folder)})
	out, err := module.Go(ctx, p.module.Dir, args)
	if err != nil {
		return nil, fmt.Errorf("the program that calls them fails with the code %s: %s", where, reason(err))
	}
	if err := json.Unmarshal([]byte(out), &results); err != nil {
		return nil, fmt.Errorf("the program that calls them prints something else with the code %s: %w", where, err)
	}
	return results, nil
}

// below returns the directory around the program, relative to the module.
func (p *program) below() string {
	return strings.TrimPrefix(strings.TrimPrefix(p.parent, p.module.ImportPath), "/")
}

// reason returns the line of a failed go run that says most.
func reason(failure error) string {
	_, text, _ := strings.Cut(failure.Error(), ": ") // go run
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "# ") && !strings.HasPrefix(line, "go: downloading ") {
			return line
		}
	}
	return text
}

// write writes the program to a directory, and returns the files by the names that they have for the go command.
func (p *program) write(scratch string) (map[string]string, error) {
	const mainFile, library = "main.go", "objects"
	err := os.WriteFile(filepath.Join(scratch, mainFile), []byte(p.text()), 0o666)
	if err == nil {
		err = os.CopyFS(filepath.Join(scratch, library), objects.Source)
	}
	dir := filepath.Join(p.module.Dir, filepath.FromSlash(p.below()), folder)
	files := map[string]string{filepath.Join(dir, mainFile): filepath.Join(scratch, mainFile)}
	names, _ := fs.Glob(objects.Source, "*") // a valid pattern
	for _, name := range names {
		files[filepath.Join(dir, library, name)] = filepath.Join(scratch, library, name)
	}
	return files, err
}

// text returns the source of the program's main package.
func (p *program) text() string {
	imports, aliases := "", map[string]string{}
	alias := func(importPath string) string {
		if aliases[importPath] == "" {
			aliases[importPath] = fmt.Sprintf("p%d", len(aliases))
			imports += fmt.Sprintf("\t%s %q\n", aliases[importPath], importPath)
		}
		return aliases[importPath]
	}
	named := func(t string) string {
		return quotedPath().ReplaceAllStringFunc(t, func(quoted string) string {
			importPath, _ := strconv.Unquote(quoted)
			return alias(importPath)
		})
	}
	schemes, functions := "", ""
	for i, c := range p.packages {
		schemes += fmt.Sprintf("\ts%d := runtime.NewScheme()\n", i)
		for _, register := range c.registers {
			schemes += fmt.Sprintf("\tcheck(%s.%s(s%d))\n", alias(c.path), register, i)
		}
		for _, f := range c.functions {
			if f.out == "" {
				functions += fmt.Sprintf("\t\t{func() (any, any) { return new(%s), nil }, "+
					"func(in, _ any) error { s%d.Default(in.(runtime.Object)); return nil }},\n", named(f.in), i)
				continue
			}
			functions += fmt.Sprintf("\t\t{func() (any, any) { return new(%s), new(%s) }, "+
				"func(in, out any) error { return s%d.Convert(in, out, nil) }},\n", named(f.in), named(f.out), i)
		}
	}
	return fmt.Sprintf(mainText, path.Join(p.parent, folder, "objects"), imports, schemes, functions)
}

// mainText has places for the import path of package objects, other imports, schemes, and functions. Functions may print, too.
const mainText = `package main

import (
	"os"

	"k8s.io/apimachinery/pkg/runtime"

	objects %q
%s)

func main() {
	stdout, stderr := os.Stdout, os.Stderr
	os.Stdout = stderr
%s	check(objects.Run(stdout, []objects.Function{
%s	}))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
`
