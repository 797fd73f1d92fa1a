// Package apicompare compares the exported API of two trees of packages that should be interchangeable.
//
// It type-checks both trees and reports incompatible changes and additions for each package, in both directions. Tests use it to
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

// Finding is one difference between the trees. Want is the reference, got the tree under test.
type Finding struct {
	Package, Symbol, Message string
	// Compatible is true if code that compiles with want compiles with got too.
	Compatible bool
}

func (f Finding) String() string {
	if f.Symbol == "" {
		return f.Package + ": " + f.Message
	}
	return fmt.Sprintf("%s: %s: %s", f.Package, f.Symbol, f.Message)
}

// Removed and Missing are the messages for a symbol and a package that got lacks, Added and PackageAdded those for additions in
// got. The texts for symbols are apidiff's.
const (
	Removed      = "removed"
	Missing      = "package is missing"
	Added        = "added"
	PackageAdded = "package is added"
)

// Status is the result of comparing a package of one tree with its counterpart in the other.
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

// Compare compares the exported API of each package that either tree has, and returns the results in the order of packages.
func Compare(want, got Tree) []Result {
	var names []string
	for _, tree := range []Tree{want, got} {
		names = slices.AppendSeq(slices.AppendSeq(names, maps.Keys(tree.Packages)), maps.Keys(tree.Broken))
	}
	slices.Sort(names)
	var results []Result
	for _, name := range slices.Compact(names) {
		results = append(results, Result{name, compare(name, want, got)})
	}
	return results
}

// compare compares one package. A package that does not compile in one of the trees is not compared.
func compare(name string, want, got Tree) []Finding {
	var broken []Finding
	for _, tree := range []Tree{want, got} {
		if problem, ok := tree.Broken[name]; ok {
			broken = append(broken, Finding{Package: name, Message: problem})
		}
	}
	wanted, have := want.Packages[name], got.Packages[name]
	switch {
	case len(broken) > 0:
		return broken
	case have == nil:
		return []Finding{{Package: name, Message: Missing}}
	case wanted == nil:
		return []Finding{{Package: name, Message: PackageAdded, Compatible: true}}
	}
	return comparePackage(name, wanted, have)
}

func comparePackage(name string, want, got *types.Package) []Finding {
	var findings []Finding
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
		symbol, message, _ := strings.Cut(change.Message, ": ")
		if !known[symbol] {
			known[symbol] = true
			findings = append(findings, Finding{name, symbol, "in the other direction: " + message, true})
		}
	}
	return append(findings, compareInstances(name, want, got, known)...)
}
