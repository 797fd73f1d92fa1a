// Package allowed knows the intended additions to upstream's exported API.
package allowed

import (
	"path"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/apicompare"
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

// strictFake are the symbols with which a fake clientset's package provides the strict fake.
var strictFake = []string{
	"NewStrictClientset", "NewStrictClientsetWithOptions", "ServeKubernetes", "StrictOption", "WithClock", "WithConversion",
	"WithGarbageCollection", "WithHistory",
}

// StrictFakes returns the additions for the strict fakes of all compared clientsets.
func StrictFakes(results []apicompare.Result) []Addition {
	const reason = "fakes that answer as an API server does; upstream declines to have them"
	var additions []Addition
	for _, f := range added(results) {
		if f.Symbol != strictFake[0] {
			continue
		}
		for _, symbol := range strictFake {
			additions = append(additions, Addition{f.Package, symbol, reason})
		}
		additions = append(additions, Addition{f.Package + "/internal/strict", "", reason})
	}
	return additions
}

// factory are the symbols that a Factory adds to a package of informers.
var factory = []string{
	"New", "Factory", "Description", "ListError", "MetadataInformer", "For", "WithNamespaces", "WithLabels", "WithFields", "WithResync",
	"WithIndexers", "WithManagedFields", "WithWatchErrorHandler", "WithMutationDetector", "InformerOf", "WithMetadataClient",
}

// Factories returns the additions for the factories of all compared informers.
func Factories(results []apicompare.Result) []Addition {
	const reason = "informers of several namespaces, with options per kind, that say why they cannot list"
	var additions []Addition
	for _, f := range added(results) {
		if f.Symbol != "ListError" {
			continue
		}
		for _, symbol := range factory {
			additions = append(additions, Addition{f.Package, symbol, reason})
		}
		additions = append(additions,
			Addition{f.Package + "/internal/shared", "", reason}, Addition{f.Package + "/internalinterfaces", "InformerMaker", reason})
	}
	return additions
}

// Readers returns the additions for the run-time code of all compared listers.
func Readers(results []apicompare.Result) []Addition {
	const reason = "copies, iteration and sorting; methods cannot be added to the interfaces of listers"
	var additions []Addition
	for _, f := range added(results) {
		if listers, ok := strings.CutSuffix(f.Package, "/internal/cached"); ok && f.Symbol == "" {
			additions = append(additions, Addition{f.Package, "", reason}, Addition{listers + "/reader", "", reason})
		}
	}
	return additions
}

// Everywhere returns the additions for all inputs.
func Everywhere(results []apicompare.Result) []Addition {
	return slices.Concat(StrictFakes(results), Factories(results), Readers(results))
}

func added(results []apicompare.Result) (findings []apicompare.Finding) {
	for _, result := range results {
		for _, f := range result.Findings {
			if f.Message == apicompare.Added || f.Message == apicompare.PackageAdded {
				findings = append(findings, f)
			}
		}
	}
	return findings
}
