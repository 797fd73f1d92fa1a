// Package golangci offers the analyzer as a module plugin of golangci-lint
// (https://golangci-lint.run/docs/plugins/module-plugins).
package golangci

import (
	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/informer-gen-lite/informer-gen-lite/cachemutation"
)

func init() {
	register.Plugin(cachemutation.Analyzer.Name, func(any) (register.LinterPlugin, error) { return plugin{}, nil })
}

type plugin struct{}

// BuildAnalyzers implements register.LinterPlugin.
func (plugin) BuildAnalyzers() ([]*analysis.Analyzer, error) {
	return []*analysis.Analyzer{cachemutation.Analyzer}, nil
}

// GetLoadMode implements register.LinterPlugin.
func (plugin) GetLoadMode() string { return register.LoadModeTypesInfo }
