// Package apicompare compares the exported API of two trees of packages that are meant to be interchangeable.
package apicompare

import (
	"cmp"
	"fmt"
	"go/types"
	"maps"
	"path"
	"slices"
	"strings"

	"golang.org/x/exp/apidiff"
)

// Finding is one difference between the trees. Want is the tree that sets the standard, got the one that is judged.
type Finding struct {
	Package, Symbol, Message string
}

func (f Finding) String() string {
	if f.Symbol == "" {
		return f.Package + ": " + f.Message
	}
	return fmt.Sprintf("%s: %s: %s", f.Package, f.Symbol, f.Message)
}

// Addition allows got to have something that want has not.
type Addition struct {
	// Package and Symbol are patterns as path.Match knows them; the package is relative to the tree.
	Package, Symbol string
	// Reason says why the addition is worth it.
	Reason string
}

// Compare lists everything by which the exported API of got is not that of want, sorted by package. An allowed
// addition that is nowhere to be found is a finding too, so that the list cannot outlive its reasons.
func Compare(want, got Tree, allowed []Addition) []Finding {
	used := make([]bool, len(allowed))
	allow := func(pkg, symbol string) bool {
		found := false
		for i, a := range allowed {
			if matches(a.Package, pkg) && matches(a.Symbol, symbol) {
				used[i], found = true, true
			}
		}
		return found
	}
	findings := slices.Concat(want.Broken, got.Broken)
	for _, name := range slices.Sorted(maps.Keys(want.Packages)) {
		if other, ok := got.Packages[name]; ok {
			findings = append(findings, comparePackage(name, want.Packages[name], other, allow)...)
		} else if !got.isBroken(name) {
			findings = append(findings, Finding{name, "", "package is missing"})
		}
	}
	for name := range got.Packages {
		if _, ok := want.Packages[name]; !ok && !want.isBroken(name) {
			findings = append(findings, Finding{name, "", "package is only ours"})
		}
	}
	for i, a := range allowed {
		if !used[i] {
			findings = append(findings, Finding{a.Package, a.Symbol, "is an allowed addition that does not exist"})
		}
	}
	slices.SortStableFunc(findings, func(a, b Finding) int { return cmp.Compare(a.Package, b.Package) })
	return findings
}

func matches(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}

func comparePackage(name string, want, got *types.Package, allow func(pkg, symbol string) bool) []Finding {
	var findings []Finding
	if want.Name() != got.Name() {
		findings = append(findings, Finding{name, "", fmt.Sprintf("package name is %s, want %s", got.Name(), want.Name())})
	}
	known := map[string]bool{}
	for _, change := range apidiff.Changes(want, got).Changes {
		symbol, message, _ := strings.Cut(change.Message, ": ")
		known[symbol] = true
		if change.Compatible && message == "added" && allow(name, symbol) {
			continue
		}
		findings = append(findings, Finding{name, symbol, message})
	}
	// The other direction speaks of the same symbols in reverse; only what was not seen before is news.
	for _, change := range apidiff.Changes(got, want).Changes {
		symbol, message, _ := strings.Cut(change.Message, ": ")
		if !known[symbol] {
			known[symbol] = true
			findings = append(findings, Finding{name, symbol, "seen from ours to upstream: " + message})
		}
	}
	return append(findings, compareInstances(name, want, got, known)...)
}
