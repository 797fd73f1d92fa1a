package load

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
)

func TestExplainSyntax(t *testing.T) {
	errors := diag.List{{Message: "first"}, {Message: "second"}}
	for name, module := range map[string]*Module{
		"no module": nil, "no version": {}, "older": {GoVersion: "1.20"}, "same": {GoVersion: "1.26.99"},
	} {
		assert.Equal(t, errors, explainSyntax(&Package{Module: module}, errors), name)
	}
	newer := &Package{Module: &Module{Path: "example.com/m", GoVersion: "1.99"}}
	got := explainSyntax(newer, errors)
	assert.Len(t, got, 1)
	assert.Regexp(t, `^first: this program was built with go1\.\d+, but module example.com/m requires go 1.99$`, got[0].Message)
	assert.Equal(t, "rebuild it with go1.99 or later: set GOTOOLCHAIN=go1.99.0 when you go run or go install it", got[0].Hint)
	assert.Empty(t, explainSyntax(newer, nil))
}
