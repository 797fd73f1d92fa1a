package pipeline

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/modfile"

	"github.com/informer-gen-lite/informer-gen-lite/generators/scaffold"
)

func TestReplacements(t *testing.T) {
	file, err := modfile.Parse("go.mod", []byte(`module example.com/base

replace example.com/other v1.2.0 => "../other one"

replace example.com/absolute => "/src/absolute one"

replace example.com/forked => example.com/fork v1.0.0

replace k8s.io/client-go => k8s.io/client-go v0.33.0
`), nil)
	require.NoError(t, err)
	assert.Equal(t, []scaffold.Replacement{
		{Old: "example.com/other v1.2.0", New: "../other one", Relative: true},
		{Old: "example.com/absolute", New: `"/src/absolute one"`},
		{Old: "example.com/forked", New: "example.com/fork v1.0.0"},
	}, replacements(file))
}
