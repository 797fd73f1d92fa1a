package verbs

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/utils/clock"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/codec"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/store"
)

// thing counts how often it is encoded.
type thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	Spec map[string]string `json:"spec,omitempty"`
}

var encoded int

func (t *thing) DeepCopyObject() runtime.Object {
	copied := *t
	t.DeepCopyInto(&copied.ObjectMeta)
	return &copied
}

func (t *thing) MarshalJSON() ([]byte, error) {
	encoded++
	type plain thing
	return json.Marshal((*plain)(t))
}

// newServer returns a server for things.
func newServer(t *testing.T) (*Server, Target) {
	version := schema.GroupVersion{Group: "example.com", Version: "v1"}
	scheme := runtime.NewScheme()
	scheme.AddKnownTypeWithName(version.WithKind("Thing"), &thing{})
	s := NewServer(store.Config{History: 10, Clock: clock.RealClock{}}, nil, false, false)
	kind := codec.Description{GroupVersionKind: version.WithKind("Thing"), Resource: "things"}
	require.NoError(t, s.Register([]codec.Description{kind}, scheme, managedfields.NewDeducedTypeConverter()))
	return s, Target{Resource: version.WithResource("things"), Name: "a"}
}

// TestEncodedOnce encodes the object of each write once.
func TestEncodedOnce(t *testing.T) {
	s, target := newServer(t)
	object := &thing{ObjectMeta: metav1.ObjectMeta{Name: "a"}}
	for name, write := range map[string]func() error{
		"add": func() error { return s.Add(&thing{ObjectMeta: metav1.ObjectMeta{Name: "b"}}) },
		"create and update": func() error {
			created, err := s.Create(target, object, metav1.CreateOptions{})
			require.NoError(t, err)
			assert.Equal(t, 1, encoded)
			encoded = 0
			created.(*thing).Spec = map[string]string{"a": "b"}
			_, err = s.Update(target, created, metav1.UpdateOptions{})
			return err
		},
		"apply": func() error {
			_, err := s.Patch(Target{Resource: target.Resource, Name: "c"}, Patch{
				Type: types.ApplyYAMLPatchType, Configuration: &thing{ObjectMeta: metav1.ObjectMeta{Name: "c"}}, Options: metav1.PatchOptions{FieldManager: "us"},
			})
			return err
		},
	} {
		encoded = 0
		require.NoError(t, write(), name)
		assert.Equal(t, 1, encoded, name)
	}
	encoded = 0
	_, err := s.Patch(target, Patch{Type: types.MergePatchType, Data: []byte(`{"spec":{"c":"d"}}`)})
	require.NoError(t, err)
	assert.Zero(t, encoded, "a patch changes JSON")
}

// TestNoList lists a kind without a list type, as that of a client that only creates.
func TestNoList(t *testing.T) {
	s, target := newServer(t)
	_, err := s.List(target, metav1.ListOptions{})
	assert.ErrorContains(t, err, `no kind "ThingList" is registered`)
	_, err = s.Get(Target{Resource: schema.GroupVersionResource{Resource: "others"}}, metav1.GetOptions{})
	assert.EqualError(t, err, "the clientset has no client for /, Resource=others")
}
