package golangci_test

import (
	"testing"

	"github.com/golangci/plugin-module-register/register"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"

	"github.com/informer-gen-lite/informer-gen-lite/cachemutation"
	_ "github.com/informer-gen-lite/informer-gen-lite/cachemutation/golangci"
)

func TestPlugin(t *testing.T) {
	build, err := register.GetPlugin("cachemutation")
	require.NoError(t, err)
	plugin, err := build(nil)
	require.NoError(t, err)
	analyzers, err := plugin.BuildAnalyzers()
	require.NoError(t, err)
	assert.Equal(t, []*analysis.Analyzer{cachemutation.Analyzer}, analyzers)
	assert.Equal(t, register.LoadModeTypesInfo, plugin.GetLoadMode())
}
