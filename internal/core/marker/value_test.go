package marker

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

func TestControllerRequest(t *testing.T) {
	tests := map[string]struct {
		value, text string
		owns        []string
		messages    []string
	}{
		"nothing":       {"", "yes", nil, nil},
		"one kind":      {"owns=apps/v1.Deployment", "yes, owns apps/v1.Deployment", []string{"apps/v1.Deployment"}, nil},
		"several kinds": {"owns=Bolt; core/v1.Pod", "yes, owns Bolt, owns core/v1.Pod", []string{"Bolt", "core/v1.Pod"}, nil},
		"finalizer":     {"finalizer=fleet.io/cleanup", "yes, finalizer fleet.io/cleanup", nil, nil},
		"both":          {"finalizer=fleet.io/cleanup, owns=Bolt", "yes, owns Bolt, finalizer fleet.io/cleanup", []string{"Bolt"}, nil},
		"bad finalizer": {"finalizer=cleanup", "yes, finalizer cleanup", nil, []string{`invalid finalizer "cleanup"`}},
		"pause":         {"pause=fleet.io/Paused", "yes, pause fleet.io/Paused", nil, nil},
		"bad pause":     {"pause=a/b/c", "yes, pause a/b/c", nil, []string{`invalid annotation "a/b/c"`}},
		"unknown":       {"own=Bolt", "yes", nil, []string{`unknown parameter "own" of +informergen:controller`}},
		"no value":      {"owns", "yes", nil, []string{`parameter "owns" of +informergen:controller needs a value: owns=…`}},
		"empty value":   {"owns= ", "yes", nil, []string{`parameter "owns" of +informergen:controller needs a value: owns=…`}},
		"second parameter": {
			"owns=Bolt,owns=Nut", "yes, owns Bolt", []string{"Bolt"},
			[]string{`duplicate parameter "owns" of +informergen:controller`},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var diags diag.List
			request, _ := As[ControllerRequest](scan(t, "// +"+Controller+"="+test.value)[0], &diags)
			var owns, messages []string
			for _, owned := range request.Owns {
				owns = append(owns, owned.Text)
			}
			for _, d := range diags {
				messages = append(messages, d.Message)
			}
			assert.Equal(t, test.owns, owns)
			assert.Equal(t, test.messages, messages)
			assert.Equal(t, test.text, request.String())
		})
	}
	request, _ := As[ControllerRequest](scan(t, "// +"+Controller+"=owns=A; B:all")[0], new(diag.List))
	require.Len(t, request.Owns, 2)
	start := len("// +" + Controller + "=owns=")
	assert.Equal(t, []int{start + 1, start + len("A; ") + 1}, []int{request.Owns[0].Pos.Column, request.Owns[1].Pos.Column})
	assert.Equal(t, []bool{false, true}, []bool{request.Owns[0].All, request.Owns[1].All})
	assert.Equal(t, "yes, owns A, owns B:all", request.String())
}

// TestValues parses a value of each type. Mistakes are kept until somebody asks for the value.
func TestValues(t *testing.T) {
	var diags diag.List
	verbs, ok := As[model.Verbs](scan(t, "// +genclient:onlyVerbs=get, lst")[0], &diags)
	assert.False(t, ok)
	assert.Equal(t, model.Verbs{model.Get}, verbs)
	require.Len(t, diags, 1)
	assert.Equal(t, "a.go:1:30: unknown verb \"lst\"\n\tdid you mean list?", diags[0].String())

	diags = nil
	reference, ok := As[ObjectReference](scan(t, "// +informergen:ref=core/v1.Secret,path=.spec.env[*].ref,watch=named,name=Keys")[0], &diags)
	assert.True(t, ok)
	assert.Equal(t, []string{"core", "v1", "Secret", "Keys"},
		[]string{reference.Kind.Group, reference.Kind.Version, reference.Kind.Name, reference.Name.Text})
	assert.Equal(t, model.Named, reference.WatchMode)
	require.Len(t, reference.Path.Elements, 3)
	assert.Equal(t, PathElement{reference.Path.Elements[1].Written, "env", 1}, reference.Path.Elements[1])
	assert.Equal(t, reference.Path.Pos.Column+len(".spec."), reference.Path.Elements[1].Pos.Column)
	assert.Empty(t, parsePath(Written{Text: "a[0]"}, reference.Path.Pos).Elements[0].Name, "only [*] is known")

	index, ok := As[IndexRequest](scan(t, "// +informergen:index=label=app,field=spec.node")[0], &diags)
	assert.False(t, ok)
	assert.Equal(t, model.IndexOfLabel, index.Of, "the part before the mistake counts")
	require.Len(t, diags, 1)
	assert.Equal(t, "+informergen:index has both label and field", diags[0].Message)

	copied, ok := As[CopiedTypes](scan(t, "// +k8s:deepcopy-gen=package,register")[0], &diags)
	assert.True(t, ok)
	assert.Equal(t, CopiesPackage, copied)
	names, ok := As[[]Written](scan(t, "// +k8s:deepcopy-gen:interfaces=a.B,c.D")[0], &diags)
	assert.True(t, ok)
	assert.Equal(t, []int{33, 37}, []int{names[0].Pos.Column, names[1].Pos.Column})
	assert.True(t, Enabled(scan(t, "// +kubebuilder:object:generate")[0]))
	assert.False(t, Enabled(scan(t, "// +kubebuilder:object:generate=false")[0]))
	_, ok = As[string](Marker{}, &diags)
	assert.False(t, ok)
}
