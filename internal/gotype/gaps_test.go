package gotype

import (
	"go/token"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/load"
)

func TestExplain(t *testing.T) {
	gap := func(importPath, module, reason, missing string, line int) Gap {
		return Gap{
			importPath, token.Position{Filename: "a.go", Line: line, Offset: line},
			load.Unavailable{Module: module, Reason: reason}, &Missing{Reason: missing},
		}
	}
	u := &Universe{gaps: []Gap{
		gap("example.com/lib/v2", "example.com/lib@v1.0.0", "example.com/lib@v1.0.0: 404 Not Found", "the package of v2.T cannot be found", 5),
		gap("example.com/lib/v1", "example.com/lib@v1.0.0", "example.com/lib@v1.0.0: 404 Not Found", "the package of v1.T cannot be found", 4),
		gap("example.org/x", "", "no required module provides package example.org/x; to add it: go get example.org/x", "the package of x.T cannot be found", 6),
	}}
	for name, test := range map[string]struct{ messages, want []string }{
		"nothing":        {nil, nil},
		"something else": {[]string{"duplicate"}, []string{"duplicate"}},
		"one module, at its first import": {
			[]string{"field A cannot be copied: the package of v2.T cannot be found", "field B cannot be copied: the package of v1.T cannot be found", "duplicate"},
			[]string{"duplicate", "a.go:4: module example.com/lib@v1.0.0 is not available: 404 Not Found"},
		},
		"no module": {
			[]string{"the package of x.T cannot be found", "the package of x.T cannot be found"},
			[]string{"a.go:6: package example.org/x is not available: no required module provides package example.org/x\n\trun go get example.org/x"},
		},
		"another package": {[]string{"the package of y.T cannot be found"}, []string{"the package of y.T cannot be found"}},
	} {
		t.Run(name, func(t *testing.T) {
			var diags diag.List
			for _, message := range test.messages {
				diags.Add(token.Position{}, "%s", message)
			}
			var got []string
			for _, d := range u.Explain(diags) {
				got = append(got, d.String())
			}
			assert.Equal(t, test.want, got)
		})
	}
	assert.Equal(t, diag.List{{Message: "duplicate"}}, (&Universe{}).Explain(diag.List{{Message: "duplicate"}}))
}

func TestMayBeCalled(t *testing.T) {
	assert.True(t, mayBeCalled("example.com/lib", "lib"))
	assert.True(t, mayBeCalled("example.com/lib/v2", "lib"), "a major version")
	assert.False(t, mayBeCalled("example.com/lib/v2", "other"))
}
