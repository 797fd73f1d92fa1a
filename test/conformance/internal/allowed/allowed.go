// Package allowed knows the intended additions to upstream's exported API.
package allowed

import (
	"path"

	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/apicompare"
)

// Addition is an exported symbol or package that upstream lacks.
type Addition struct {
	// Package and Symbol are patterns of path.Match; the package is relative to the tree. Without a symbol, the package itself
	// may be added.
	Package, Symbol string
	// Reason explains why the addition is worth it.
	Reason string
}

// Differences returns the findings that are not allowed additions, one per line. Unused allowed additions are differences too, so
// that the list does not become stale.
func Differences(results []apicompare.Result, additions []Addition) []string {
	used := make([]bool, len(additions))
	var lines []string
	for _, result := range results {
		for _, f := range result.Findings {
			if !isAllowed(f, additions, used) {
				lines = append(lines, f.String())
			}
		}
	}
	for i, a := range additions {
		if !used[i] {
			unused := apicompare.Finding{Package: a.Package, Symbol: a.Symbol, Message: "is an allowed addition that does not exist"}
			lines = append(lines, unused.String())
		}
	}
	return lines
}

// isAllowed reports whether a finding is an allowed addition, and marks the matching entries as used.
func isAllowed(f apicompare.Finding, additions []Addition, used []bool) bool {
	if !f.Compatible || f.Message != apicompare.Added && f.Message != apicompare.PackageAdded {
		return false
	}
	found := false
	for i, a := range additions {
		if matches(a.Package, f.Package) && matches(a.Symbol, f.Symbol) {
			used[i], found = true, true
		}
	}
	return found
}

func matches(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}
