package allowed

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/informer-gen-lite/informer-gen-lite/internal/apicompare"
)

// TestStrictFakes checks that strict fakes are allowed as a whole.
func TestStrictFakes(t *testing.T) {
	results := []apicompare.Result{{Package: "cs/fake"}, {Package: "cs/fake/internal/strict"}}
	for _, symbol := range strictFake {
		results[0].Findings = append(results[0].Findings, apicompare.Finding{Package: "cs/fake", Symbol: symbol, Message: apicompare.Added, Compatible: true})
	}
	results[1].Findings = []apicompare.Finding{{Package: "cs/fake/internal/strict", Message: apicompare.PackageAdded, Compatible: true}}
	assert.Empty(t, Differences(results, StrictFakes(results)))
	results[0].Findings = results[0].Findings[:2]
	assert.NotEmpty(t, Differences(results, StrictFakes(results)), "a part is missing")
	assert.Empty(t, StrictFakes(results[1:]))
}

func TestDifferences(t *testing.T) {
	added := apicompare.Finding{Package: "a", Symbol: "Kind", Message: apicompare.Added, Compatible: true}
	method := apicompare.Finding{Package: "a", Symbol: "Lister.Watch", Message: apicompare.Added}
	pkg := apicompare.Finding{Package: "c", Message: apicompare.PackageAdded, Compatible: true}
	for name, test := range map[string]struct {
		finding   apicompare.Finding
		additions []Addition
		want      []string
	}{
		"addition without leave":   {added, nil, []string{"a: Kind: added"}},
		"addition with leave":      {added, []Addition{{"?", "K*", "why not"}}, nil},
		"package added with leave": {pkg, []Addition{{"c", "", "why not"}}, nil},
		"leave for another":        {added, []Addition{{"a", "Other", "no longer true"}}, []string{"a: Kind: added", "a: Other: is an allowed addition that does not exist"}},
		"method of an interface": {
			method, []Addition{{"a", "Lister.Watch", "even then it breaks who implements it"}},
			[]string{"a: Lister.Watch: added", "a: Lister.Watch: is an allowed addition that does not exist"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			results := []apicompare.Result{{Package: test.finding.Package, Findings: []apicompare.Finding{test.finding}}}
			assert.Equal(t, test.want, Differences(results, test.additions))
		})
	}
}

// TestFactoriesAndReaders checks that factories and readers are allowed as a whole.
func TestFactoriesAndReaders(t *testing.T) {
	finding := func(pkg, symbol string) apicompare.Result {
		message := apicompare.Added
		if symbol == "" {
			message = apicompare.PackageAdded
		}
		return apicompare.Result{Package: pkg, Findings: []apicompare.Finding{{Package: pkg, Symbol: symbol, Message: message, Compatible: true}}}
	}
	results := []apicompare.Result{
		finding("i/internal/shared", ""), finding("i/internalinterfaces", "InformerMaker"),
		finding("l/internal/cached", ""), finding("l/reader", ""),
	}
	for _, symbol := range factory {
		results = append(results, finding("i", symbol))
	}
	assert.Empty(t, Differences(results, Everywhere(results)))
	assert.NotEmpty(t, Differences(append(results, finding("l/v1", "Other")), Everywhere(results)))
	assert.NotEmpty(t, Differences(results[1:], Everywhere(results)), "a part is missing")
	assert.NotEmpty(t, Differences(append(results, finding("other/reader", "")), Everywhere(results)))
}
