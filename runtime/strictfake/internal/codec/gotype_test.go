package codec

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/managedfields"
)

// thing has fields of every kind.
type thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	Spec struct {
		Count   int32              `json:"count,omitempty"`
		Ratio   *float64           `json:"ratio,omitempty"`
		Name    string             `json:"name,omitempty"`
		On      bool               `json:"on,omitempty"`
		List    []part             `json:"list,omitempty"`
		Parts   map[string]part    `json:"parts,omitempty"`
		One     *part              `json:"one,omitempty"`
		Port    intstr.IntOrString `json:"port,omitzero"`
		Since   metav1.Time        `json:"since,omitzero"`
		Untaged string
		Hidden  string `json:"-"`
		hidden  string
		*part   `json:",inline"`
	} `json:"spec"`
}

type part struct {
	Size int `json:"size"`
}

func (t *thing) DeepCopyObject() runtime.Object { copied := *t; return &copied }

var thingKind = schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "thing"}

// newKind returns a kind for the type thing.
func newKind(description Description) *Kind {
	scheme := runtime.NewScheme()
	scheme.AddKnownTypes(thingKind.GroupVersion(), &thing{})
	description.GroupVersionKind, description.Resource = thingKind, "things"
	return New(nil).Add(description, scheme, managedfields.NewDeducedTypeConverter())
}

// TestPruneGoType removes the fields that a type does not have, wherever they are.
func TestPruneGoType(t *testing.T) {
	var object map[string]any
	require.NoError(t, json.Unmarshal([]byte(`{"apiVersion":"example.com/v1","kind":"thing","metadata":{"name":"a"},"color":1,"spec":{
		"count":1,"Untaged":"x","Hidden":"x","hidden":"x","size":1,"port":{"any":"thing"},"since":{"any":"thing"},
		"list":[{"size":1},{"color":2}],"parts":{"a":{"size":1,"color":3}},"one":{"color":4},"name":{"color":5},"on":["x"]}}`), &object))
	unknown := newKind(Description{}).Schema().Prune(object)
	assert.Equal(t, []string{"color", "spec.Hidden", "spec.hidden", "spec.list[1].color", "spec.one.color", "spec.parts[a].color"},
		unknown)
	spec := object["spec"].(map[string]any)
	assert.Equal(t, []any{map[string]any{"size": 1.0}, map[string]any{}}, spec["list"])
	assert.Contains(t, spec, "Untaged")
	assert.Contains(t, spec, "size", "an inline field")
	assert.Equal(t, map[string]any{"any": "thing"}, spec["port"], "it has its own decoder")
	newKind(Description{}).Schema().Default(object)
}

// TestValidateGoType returns errors for nulls, with the type that a schema would want.
func TestValidateGoType(t *testing.T) {
	object := map[string]any{"metadata": nil, "spec": map[string]any{
		"count": nil, "ratio": nil, "name": nil, "on": nil, "list": nil, "one": nil, "since": nil, "Untaged": nil, "unknown": nil, "port": map[string]any{},
	}}
	var texts []string
	for _, err := range newKind(Description{}).Schema().Validate(object, nil, "") {
		texts = append(texts, err.Detail)
	}
	assert.Equal(t, []string{
		`count in body must be of type integer: "null"`, `list in body must be of type array: "null"`, `name in body must be of type string: "null"`,
		`on in body must be of type boolean: "null"`, `one in body must be of type object: "null"`, `ratio in body must be of type number: "null"`,
	}, texts)
	object = map[string]any{"spec": map[string]any{"replicas": int64(-1)}}
	errs := newKind(Description{HasScale: true}).Schema().Validate(object, nil, "")
	require.Len(t, errs, 1)
	assert.Equal(t, ".spec.replicas", errs[0].Field)
	assert.Empty(t, newKind(Description{}).Schema().Validate(object, nil, ""))
}

// TestAddTwice adds a kind again: it gains what is new.
func TestAddTwice(t *testing.T) {
	k := newKind(Description{Fields: []string{"spec.name"}})
	again := k.codec.Add(Description{GroupVersionKind: thingKind, Resource: "things", HasScale: true,
		Fields: []string{"spec.name", "spec.on"}}, k.scheme, k.converter)
	assert.Same(t, k, again)
	assert.True(t, k.Has(Scale))
	assert.False(t, k.Has(Status))
	assert.Equal(t, []string{"spec.name", "spec.on"}, k.Schema().SelectableFields())
	assert.True(t, k.codec.IsStorage(k))
	assert.Error(t, k.codec.Check(Description{GroupVersionKind: thingKind.GroupVersion().WithKind("other")}, k.scheme))
	assert.NoError(t, k.codec.Check(Description{GroupVersionKind: thingKind}, k.scheme))
}

func TestEncode(t *testing.T) {
	k := newKind(Description{})
	_, err := k.Encode(&thing{ObjectMeta: metav1.ObjectMeta{Name: string(make([]byte, maxRequest))}})
	assert.ErrorContains(t, err, "limit is 3145728")
	_, err = k.Encode(unmarshalable{})
	assert.ErrorIs(t, err, assert.AnError)
	u, err := k.Encode(&thing{ObjectMeta: metav1.ObjectMeta{Name: "a"}})
	require.NoError(t, err)
	assert.Equal(t, map[string]any{"name": "a"}, u.Object["metadata"])
	u.SetKind("other")
	_, err = k.Decode(u)
	assert.Error(t, err)
}

// unmarshalable cannot be encoded.
type unmarshalable struct{ thing }

func (unmarshalable) DeepCopyObject() runtime.Object   { return unmarshalable{} }
func (unmarshalable) GetObjectKind() schema.ObjectKind { return schema.EmptyObjectKind }
func (unmarshalable) MarshalJSON() ([]byte, error)     { return nil, assert.AnError }
