// Package results compares the effects of generated defaults and conversions with the effects of the checked-in functions.
//
// Files with the same code need no run. For the others, a small program calls the functions of both sides with the same random objects.
package results

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/regular"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/proof/results/objects"
)

// registrations are the functions that register conversions and defaults.
var registrations = []string{"RegisterConversions", "RegisterDefaults"}

// compared is a package with defaults or conversions on both sides.
type compared struct {
	path   string
	module module.Place
	// registers are the registrations whose files differ in code, and functions the functions that they register on both sides.
	registers []string
	functions []function
	// different are the functions with different results, and unknown those whose results were not compared.
	different, unknown []string
	// problem is why no results were compared.
	problem error
}

// Check compares the defaults and conversions on disk with their replacements, and prints the result. It returns an error if some of them
// differ in their effects.
func Check(ctx context.Context, w io.Writer, runs []run.Run, leftOver []string) error {
	all, err := replaced(runs)
	if err != nil || len(all) == 0 {
		return err
	}
	var differs []*compared
	for _, c := range all {
		if len(c.functions) > 0 {
			differs = append(differs, c)
		}
	}
	for _, p := range programs(differs) {
		before, after, err := p.run(ctx, runs, leftOver)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		p.compare(before, after, err)
	}
	return report(w, all)
}

// replaced returns the packages with defaults or conversions on both sides, in the order of their paths.
func replaced(runs []run.Run) ([]*compared, error) {
	found := map[string]*compared{}
	for _, r := range runs {
		for _, file := range r.Files {
			name := r.API.Place.File(file.Path)
			register := registration(file.Content)
			if register == "" {
				continue
			}
			onDisk, err := regular.ReadFile(name)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			} else if registration(onDisk) != register {
				continue
			}
			importPath, err := module.ImportPath(filepath.Dir(name))
			if err != nil {
				return nil, err
			}
			if found[importPath] == nil {
				owner, err := module.Owner(filepath.Dir(name))
				if err != nil {
					return nil, err
				}
				found[importPath] = &compared{path: importPath, module: owner}
			}
			found[importPath].add(filepath.Base(name), register, onDisk, file.Content)
		}
	}
	byPath := func(a, b *compared) int { return strings.Compare(a.path, b.path) }
	return slices.SortedFunc(maps.Values(found), byPath), nil
}

// registration returns the name of the registration that a file declares, or "".
func registration(content []byte) string {
	for _, name := range registrations {
		if strings.Contains(string(content), "\nfunc "+name+"(") {
			return name
		}
	}
	return ""
}

// add adds a file of both sides, which declares a registration.
func (c *compared) add(name, register string, before, after []byte) {
	old, err := parse(name, before)
	made, errMade := parse(name, after)
	if err = cmp.Or(err, errMade); err != nil {
		c.unknown = append(c.unknown, err.Error())
		return
	}
	if slices.Contains(c.registers, register) || sameCode(old, made) {
		return
	}
	c.registers = append(c.registers, register)
	registered := made.registered(c.path)
	for _, f := range old.registered(c.path) {
		if slices.Contains(registered, f) {
			c.functions = append(c.functions, f)
		} else {
			c.different = append(c.different, f.String()+" is no longer registered")
		}
	}
}

// compare notes how the results of the functions compare, or the problem.
func (p *program) compare(before, after []objects.Result, problem error) {
	i := 0
	for _, c := range p.packages {
		c.problem = problem
		for _, f := range c.functions {
			if problem == nil {
				c.note(f, before[i], after[i])
			}
			i++
		}
	}
}

// note notes how the results of a function compare.
func (c *compared) note(f function, before, after objects.Result) {
	if before.Varies || after.Varies {
		c.unknown = append(c.unknown, f.String()+" has other results in each call")
		return
	}
	different, succeeded, sameFailures := 0, 0, true
	for i, object := range before.Objects {
		failed := func(o string) bool { return o == objects.Failed || o == objects.Panicked }
		if object != after.Objects[i] {
			different++
		}
		if !failed(object) {
			succeeded++
		}
		sameFailures = sameFailures && failed(object) == failed(after.Objects[i])
	}
	switch {
	case different > 0:
		fields := ""
		if sameFailures {
			fields = differentFields(before.Fields, after.Fields)
		}
		c.different = append(c.different, fmt.Sprintf("%s (%d of %d objects%s)", f, different, len(before.Objects), fields))
	case succeeded == 0:
		c.unknown = append(c.unknown, f.String()+" fails for all objects, on both sides")
	}
}

// differentFields names some of the fields with different values: the least nested fields tell most.
func differentFields(before, after map[string]uint64) string {
	all := maps.Clone(before)
	maps.Copy(all, after)
	maps.DeleteFunc(all, func(field string, _ uint64) bool { return field == "" || before[field] == after[field] })
	names := slices.SortedFunc(maps.Keys(all), func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b)) })
	if len(names) == 0 {
		return ""
	}
	if most := 3; len(names) > most {
		names = append(names[:most], "…")
	}
	return ": " + strings.Join(names, ", ")
}

// maxLines is the number of lines about a package, as many as about its API.
const maxLines = 9

// report prints what differs, and the figures.
func report(w io.Writer, all []*compared) error {
	counts, problems := map[string]int{}, []error(nil)
	for _, c := range all {
		status := c.status()
		counts[status]++
		if len(c.different)+len(c.unknown) > 0 {
			fmt.Fprintf(w, "%-18s %s\n", status, c.path)
		}
		lines := slices.Concat(c.different, c.unknown)
		if len(lines) > maxLines {
			lines = append(lines[:maxLines-1], fmt.Sprintf("and %d more", len(lines)-maxLines+1))
		}
		for _, line := range lines {
			fmt.Fprintf(w, "\t%s\n", line)
		}
		if c.problem != nil && !slices.Contains(problems, c.problem) {
			problems = append(problems, c.problem)
		}
	}
	var figures []string
	for _, status := range []string{equalCode, equalResults, differentResults, unknownResults} {
		if counts[status] > 0 {
			figures = append(figures, fmt.Sprintf("%s in %d", status, counts[status]))
		}
	}
	fmt.Fprintf(w, "defaults and conversions of %s: %s\n", diag.Count(len(all), "package"), strings.Join(figures, ", "))
	for _, problem := range problems {
		fmt.Fprintf(w, "results are not compared: %s\n", problem)
	}
	if n := counts[differentResults]; n > 0 {
		return fmt.Errorf("defaults or conversions of %s would have different results", diag.Count(n, "package"))
	}
	return nil
}

// How defaults and conversions of a package compare.
const (
	equalCode        = "equal code"
	equalResults     = "equal results"
	differentResults = "different results"
	unknownResults   = "unknown results"
)

func (c *compared) status() string {
	switch {
	case len(c.different) > 0:
		return differentResults
	case c.problem != nil || len(c.unknown) > 0 || len(c.registers) > 0 && len(c.functions) == 0:
		return unknownResults
	case len(c.registers) > 0:
		return equalResults
	}
	return equalCode
}
