package index_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype/gotypetest"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/index"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
)

const embedding = `-- v1/types.go --
package v1

// +informergen:index=field=%s
type Robot struct {
	Base
	*Tuning
	lower
	*hidden
	Label
	Rate Rate @json:"rate"@
	Size int  @json:"-,"@
	Site int  @json:"place"@
}

type Base struct {
	Site string @json:"site"@
	Node string @json:"node"@
}

type Tuning struct {
	Speed int32
	Node  string @json:"node"@
}

type lower struct{ Max *int @json:"max"@ }

type hidden struct{ Min int @json:"min"@ }

type Label string

type Rate struct{ Number int @json:"number"@ }

func (Rate) MarshalJSON() ([]byte, error) { return nil, nil }
`

// TestPromotedFields looks up fields that encoding/json promotes.
func TestPromotedFields(t *testing.T) {
	for path, want := range map[string]string{
		"site":        "BySite site string Base/Site",
		"Speed":       "BySpeed Speed int32 Tuning/pointer/Speed",
		"max":         "ByMax max int Max/pointer",
		"Label":       "ByLabel Label v1.Label Label",
		"-":           "BySize - int Size",
		"place":       "BySite place int Site",
		"min":         "3:29: generated code cannot reach field min: hidden is not exported",
		"node":        "3:29: v1.Robot has no JSON field node",
		"rate.number": "3:34: v1.Rate has no JSON fields: it has its own JSON form",
	} {
		universe := gotypetest.Universe(t, fmt.Sprintf(strings.ReplaceAll(embedding, "@", "`"), path))
		decl := source.NewReader(universe).Read(universe.Roots[0]).Kind("Robot")
		var diags diag.List
		got := ""
		for _, i := range index.Read(universe, &model.Kind{Name: "Robot", Plural: "Robots", Verbs: model.AllVerbs}, decl, &diags) {
			got += text(i)
		}
		for _, d := range diags {
			got += fmt.Sprintf("%d:%d: %s", d.Pos.Line, d.Pos.Column, d.Message)
		}
		assert.Equal(t, want, got, path)
	}
}
