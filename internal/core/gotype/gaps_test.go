package gotype

import (
	"errors"
	"go/token"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
)

func TestExplain(t *testing.T) {
	missing := func(importPath, module, reason, remedy string, line int) error {
		pos := token.Position{Filename: "a.go", Line: line, Offset: line}
		unavailable := load.Unavailable{Module: module, Reason: reason, Remedy: remedy}
		return &Missing{Reason: "the package cannot be found", gap: &gap{importPath, pos, unavailable}}
	}
	later := missing("example.com/lib/v2", "example.com/lib@v1.0.0", "example.com/lib@v1.0.0: 404 Not Found", "", 5)
	first := missing("example.com/lib/v1", "example.com/lib@v1.0.0", "example.com/lib@v1.0.0: 404 Not Found", "", 4)
	noModule := missing("example.org/x", "", "no required module provides package example.org/x", "run go get example.org/x", 6)
	undeclared := &Missing{Reason: "type T is not declared"}
	duplicate := errors.New("duplicate")
	for name, test := range map[string]struct {
		causes []error
		want   []string
	}{
		"nothing":        {nil, nil},
		"something else": {[]error{duplicate}, []string{"cannot be copied: duplicate"}},
		"one module, at its first import": {
			[]error{later, first, duplicate},
			[]string{"cannot be copied: duplicate", "a.go:4: module example.com/lib@v1.0.0 is not available: 404 Not Found"},
		},
		"no module": {
			[]error{noModule, noModule},
			[]string{"a.go:6: package example.org/x is not available: no required module provides package example.org/x\n" +
				"\trun go get example.org/x"},
		},
		"no package is unavailable": {[]error{undeclared}, []string{"cannot be copied: type T is not declared"}},
	} {
		t.Run(name, func(t *testing.T) {
			var diags diag.List
			for _, cause := range test.causes {
				diags.Add(token.Position{}, "cannot be copied: %w", cause)
			}
			var got []string
			for _, d := range Explain(diags) {
				got = append(got, d.String())
			}
			assert.Equal(t, test.want, got)
		})
	}
	var warnings diag.List
	warnings.Warn(token.Position{}, "", "cannot be copied: %w", noModule)
	assert.Equal(t, warnings, Explain(warnings), "a run that does not fail")
}
