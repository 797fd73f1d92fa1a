package index_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype/gotypetest"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/index"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
)

// types is a package in which @ stands for backquotes, and MARKERS for markers.
const types = `-- v1/types.go --
package v1

MARKERS
type Robot struct {
	Meta @json:",inline"@
	Spec Spec @json:"spec"@
}

type Meta struct {
	Site string @json:"site"@
}

type Spec struct {
	Node  string            @json:"nodeName"@
	On    *bool             @json:"on"@
	Arms  []Arm             @json:"arms"@
	Tags  map[string]string @json:"tags"@
	Size  uint8             @json:"size"@
	Phase Phase             @json:"phase"@
	Load  float64           @json:"load"@
	Gone  Undeclared        @json:"gone"@
}

type Arm struct {
	Grip int @json:"grip"@
}

type Phase string

func Keys(r *Robot) []string { return nil }

func Other(r Robot) []string { return nil }
`

// read returns the lookups for the markers of type Robot, and the problems.
func read(t *testing.T, verbs model.Verbs, markers ...string) (indexes []model.Index, problems []string) {
	t.Helper()
	archive := strings.NewReplacer("@", "`", "MARKERS", "// +informergen:index="+strings.Join(markers, "\n// +informergen:index=")).Replace(types)
	universe := gotypetest.Universe(t, archive)
	decl := source.NewReader(universe).Read(universe.Roots[0]).Kind("Robot")
	var diags diag.List
	indexes = index.Read(universe, &model.Kind{Name: "Robot", Plural: "Robots", Verbs: verbs}, decl, &diags)
	for _, d := range diags {
		problems = append(problems, fmt.Sprintf("%d:%d: %s", d.Pos.Line, d.Pos.Column, d.Message))
	}
	return indexes, problems
}

// text describes an index: its method and name, the type of its values, and the path, label or function that they come from.
func text(i model.Index) string {
	var from []string
	for _, step := range i.Path {
		from = append(from, step.Field+string(step.Into))
	}
	value := i.Value
	if i.Local {
		value = "v1." + value
	}
	return strings.Join([]string{i.Method, i.Name, value, strings.Join(from, "/") + i.Label + i.Func}, " ")
}

func TestRead(t *testing.T) {
	for marker, want := range map[string]string{
		"field=spec.nodeName":             "ByNode spec.nodeName string Spec/Node",
		"field=.spec.nodeName":            "ByNode spec.nodeName string Spec/Node",
		"field=spec.nodeName,name=OnNode": "OnNode spec.nodeName string Spec/Node",
		"field=site":                      "BySite site string Meta/Site", // inlined
		"field=spec.on":                   "ByOn spec.on bool Spec/On/pointer",
		"field=spec.arms.grip":            "ByGrip spec.arms.grip int Spec/Arms/slice/Grip",
		"field=spec.tags":                 "ByTags spec.tags string Spec/Tags/map",
		"field=spec.size":                 "BySize spec.size uint8 Spec/Size",
		"field=spec.phase":                "ByPhase spec.phase v1.Phase Spec/Phase",
		"label=app.kubernetes.io/part-of": "ByPartOfLabel metadata.labels.app.kubernetes.io/part-of string app.kubernetes.io/part-of",
		"owner":                           "ByOwner metadata.ownerReferences.uid string ",
		"func=Keys":                       "ByKeys Keys string Keys",
	} {
		t.Run(marker, func(t *testing.T) {
			t.Parallel()
			indexes, problems := read(t, model.AllVerbs, marker)
			assert.Empty(t, problems)
			require.Len(t, indexes, 1)
			assert.Equal(t, want, text(indexes[0]))
		})
	}
	both, problems := read(t, model.AllVerbs, "field=site", "owner")
	assert.Empty(t, problems)
	assert.Len(t, both, 2)
}

func TestMistakes(t *testing.T) {
	for marker, want := range map[string]string{
		"":                        `3:23: unknown parameter "" of +informergen:index`,
		"name=Other":              "3:4: +informergen:index needs a parameter field, label, owner or func",
		"feild=site":              `3:23: unknown parameter "feild" of +informergen:index`,
		"field":                   `3:23: cannot parse "field" of +informergen:index`,
		"owner=x":                 `3:23: cannot parse "owner=x" of +informergen:index`,
		"owner,label=a":           "3:29: +informergen:index has both owner and label",
		"owner,name=lower":        `3:34: invalid lookup name "lower"`,
		"label=-":                 `3:29: invalid label "-"`,
		"field=spec.nodename":     "3:34: v1.Spec has no JSON field nodename",
		"field=spec.nodeName.x":   "3:43: string has no fields",
		"field=spec":              "3:29: field spec of type v1.Spec cannot be indexed",
		"field=spec.load":         "3:29: field spec.load of type float64 cannot be indexed",
		"field=spec.gone":         "3:29: cannot resolve field spec.gone: type Undeclared is not declared",
		"field=spec.gone.further": "3:39: cannot resolve field spec.gone.further: type Undeclared is not declared",
		"func=keys":               `3:28: invalid function "keys"`,
		"func=None":               "3:28: package v1 has no function None",
		"func=Other":              "3:28: function Other is a func(r Robot) []string",
		"owner,name=Lister":       "3:4: the package of the listers already has RobotLister",
		"owner,name=Indexers":     "3:4: the package of the listers already has RobotIndexers",
	} {
		t.Run(marker, func(t *testing.T) {
			t.Parallel()
			indexes, problems := read(t, model.AllVerbs, marker)
			assert.Empty(t, indexes)
			require.Len(t, problems, 1)
			assert.True(t, strings.HasPrefix(problems[0], want), problems[0])
		})
	}
	first, problems := read(t, model.AllVerbs, "owner", "owner")
	assert.Len(t, first, 1)
	assert.Equal(t, []string{"4:4: the package of the listers already has RobotByOwner"}, problems)
	_, problems = read(t, model.Verbs{model.Get, model.List}, "owner")
	assert.Equal(t, []string{"3:4: type Robot has no informer, so it cannot have an index"}, problems)
}
