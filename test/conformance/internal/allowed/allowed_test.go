package allowed

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/apicompare"
)

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
