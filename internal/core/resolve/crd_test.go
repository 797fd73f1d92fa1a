package resolve

import (
	"go/token"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

const manifest = `
kind: Service
spec: {ports: [1]}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
spec:
  group: fleet.io
  scope: Cluster
  names:
    kind: Robot
    plural: robots
---
kind: CustomResourceDefinition
spec: {group: other.io, names: {kind: Bolt}}
`

func TestParseCRDs(t *testing.T) {
	robot := CRD{Group: "fleet.io", Kind: "Robot", Plural: "robots", Scope: "Cluster",
		Pos: token.Position{Filename: "crd.yaml", Line: 11, Column: 5}}
	bolt := CRD{Group: "other.io", Kind: "Bolt", Pos: token.Position{Filename: "crd.yaml", Line: 15, Column: 32}}
	assert.Equal(t, []CRD{robot, bolt}, ParseCRDs("crd.yaml", []byte(manifest)))
	assert.Equal(t, []CRD{robot, bolt}, ParseCRDs("crd.yaml", []byte(manifest+"---\n{{ template }}: [\n")),
		"a template that is not YAML ends it")
	assert.Empty(t, ParseCRDs("crd.yaml", nil))
}

func TestCheckCRDs(t *testing.T) {
	kind := &model.Kind{Name: "Robot", Resource: "robots", Namespaced: true, Version: &model.Version{Group: &model.Group{Name: "fleet.io"}}}
	tests := map[string]struct {
		crd  CRD
		want []string
	}{
		"agrees":        {CRD{Group: "fleet.io", Kind: "Robot", Plural: "robots", Scope: "Namespaced"}, nil},
		"says nothing":  {CRD{Group: "fleet.io", Kind: "Robot"}, nil},
		"another group": {CRD{Group: "other.io", Kind: "Robot", Plural: "bots", Scope: "Cluster"}, nil},
		"another kind":  {CRD{Group: "fleet.io", Kind: "Bolt", Plural: "bolts", Scope: "Cluster"}, nil},
		"both differ": {
			CRD{Group: "fleet.io", Kind: "Robot", Plural: "bots", Scope: "Cluster", Pos: token.Position{Filename: "config/crd.yaml", Line: 7}},
			[]string{
				"the resource of kind Robot is robots here and bots in crd.yaml:7",
				"kind Robot is Namespaced here and Cluster in crd.yaml:7",
			},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var diags diag.List
			checkCRDs(kind, []CRD{test.crd}, token.Position{}, &diags)
			var got []string
			for _, d := range diags {
				got = append(got, d.Message)
			}
			assert.Equal(t, test.want, got)
		})
	}
}
