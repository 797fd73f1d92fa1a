// Package apicompare compares the exported API of two sets of packages that should be interchangeable.
//
// It type-checks both and reports incompatible changes and additions for each package, in both directions. Tests use it to
// compare with code-generator, and package proof to compare with a user's checked-in clients.
package apicompare

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/exp/apidiff"
)

// Finding is one difference. Want is the reference, got the API under test.
type Finding struct {
	Package, Symbol, Message string
	// Compatible is true if code that compiles with want compiles with got too.
	Compatible bool
}

func (f Finding) String() string { return f.Package + ": " + f.Text() }

// Text describes the finding within its package.
func (f Finding) Text() string {
	if f.Symbol == "" {
		return f.Message
	}
	return f.Symbol + ": " + f.Message
}

// Removed and Missing are the messages for a symbol and a package that got lacks, Added and PackageAdded those for additions in
// got. The texts for symbols are apidiff's.
const (
	Removed      = "removed"
	Missing      = "package is missing"
	Added        = "added"
	PackageAdded = "package is added"
)

// Status is the result of comparing a package with its counterpart.
type Status string

// The statuses of packages.
const (
	Equal        Status = "equal"
	Additions    Status = "only additions"
	Incompatible Status = "incompatible"
)

// Result is the comparison of one package.
type Result struct {
	Package  string
	Findings []Finding
	// Broken is true if the package does not compile on one side. Then nothing else was compared.
	Broken bool
}

// Status summarizes the findings.
func (r Result) Status() Status {
	switch {
	case len(r.Findings) == 0:
		return Equal
	case slices.ContainsFunc(r.Findings, func(f Finding) bool { return !f.Compatible }):
		return Incompatible
	}
	return Additions
}

// Count returns the number of packages with a status.
func Count(results []Result, status Status) (n int) {
	for _, r := range results {
		if r.Status() == status {
			n++
		}
	}
	return n
}

// Figures counts the packages of each status.
func Figures(results []Result) string {
	return fmt.Sprintf("%d equal, %d with additions only, %d incompatible",
		Count(results, Equal), Count(results, Additions), Count(results, Incompatible))
}

// Lines describes the findings in at most n lines, incompatible ones first.
func (r Result) Lines(n int) (lines []string) {
	for _, compatible := range []bool{false, true} {
		for _, f := range r.Findings {
			if f.Compatible == compatible {
				lines = append(lines, f.Text())
			}
		}
	}
	if len(lines) > n {
		lines = append(lines[:n-1], fmt.Sprintf("and %d more", len(lines)-n+1))
	}
	return lines
}

// Compare compares the exported API of each package on either side, and returns the results in the order of packages.
func Compare(want, got API) []Result {
	var names []string
	for _, api := range []API{want, got} {
		names = slices.AppendSeq(slices.AppendSeq(names, maps.Keys(api.Packages)), maps.Keys(api.Broken))
	}
	var results []Result
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		result := Result{Package: name}
		for _, api := range []API{want, got} {
			if problem, ok := api.Broken[name]; ok {
				result.Findings, result.Broken = append(result.Findings, Finding{Package: name, Message: problem}), true
			}
		}
		if !result.Broken {
			result.Findings = compare(name, want.Packages[name], got.Packages[name])
		}
		results = append(results, result)
	}
	return results
}

// compare compares one package, which may be nil on one side.
func compare(name string, want, got *types.Package) (findings []Finding) {
	switch {
	case got == nil:
		return []Finding{{Package: name, Message: Missing}}
	case want == nil:
		return []Finding{{Package: name, Message: PackageAdded, Compatible: true}}
	}
	if want.Name() != got.Name() {
		findings = append(findings, Finding{Package: name, Message: fmt.Sprintf("package name is %s, want %s", got.Name(), want.Name())})
	}
	known := map[string]bool{}
	for _, change := range apidiff.Changes(want, got).Changes {
		symbol, message, _ := strings.Cut(change.Message, ": ")
		known[symbol] = true
		findings = append(findings, Finding{name, symbol, message, change.Compatible})
	}
	// The reverse direction reports the same symbols again; only new ones count.
	for _, change := range apidiff.Changes(got, want).Changes {
		if symbol, message, _ := strings.Cut(change.Message, ": "); !known[symbol] {
			known[symbol] = true
			findings = append(findings, Finding{name, symbol, "in the other direction: " + message, true})
		}
	}
	return append(findings, compareInstances(name, want, got, known)...)
}

// compareInstances compares the instances of generic types in the declarations that both packages export. Package apidiff
// considers two instances of another package's type equal, whatever their arguments, so it would miss handlers of one kind that
// take another kind's objects.
func compareInstances(name string, want, got *types.Package, known map[string]bool) []Finding {
	var findings []Finding
	for _, symbol := range want.Scope().Names() {
		other := got.Scope().Lookup(symbol)
		if !want.Scope().Lookup(symbol).Exported() || other == nil || known[symbol] {
			continue
		}
		if wanted, have := instances(want.Scope().Lookup(symbol)), instances(other); !slices.Equal(wanted, have) {
			message := fmt.Sprintf("type arguments changed from [%s] to [%s]", strings.Join(wanted, " "), strings.Join(have, " "))
			findings = append(findings, Finding{Package: name, Symbol: symbol, Message: message})
		}
	}
	return findings
}

// instances are the instantiated types in an object's exported declaration, sorted.
func instances(object types.Object) []string {
	found := walker{}
	t := types.Unalias(object.Type())
	found.walk(t)
	// Look into declared types too, and at their methods.
	if named, ok := t.(*types.Named); ok && named.Obj() == object {
		found.walk(named.Underlying())
		for method := range named.Methods() {
			if method.Exported() {
				found.walk(method.Type())
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// walker collects instances; its keys are types written with full package paths.
type walker map[string]bool

func (w walker) walk(t types.Type) {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		for argument := range t.TypeArgs().Types() {
			w[types.TypeString(t, nil)] = true
			w.walk(argument)
		}
	case *types.Struct:
		for field := range t.Fields() {
			if field.Exported() || field.Embedded() {
				w.walk(field.Type())
			}
		}
	case *types.Interface:
		for method := range t.Methods() {
			w.walk(method.Type())
		}
	case *types.Signature:
		w.walk(t.Params())
		w.walk(t.Results())
	case *types.Tuple:
		for v := range t.Variables() {
			w.walk(v.Type())
		}
	case *types.Map:
		w.walk(t.Key())
		w.walk(t.Elem())
	case interface{ Elem() types.Type }: // pointers, slices, arrays, channels
		w.walk(t.Elem())
	}
}
