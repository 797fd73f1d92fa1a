package object

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

func of(fields map[string]any) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: fields}
}

func TestClone(t *testing.T) {
	u := of(map[string]any{"metadata": map[string]any{"name": "a"}, "spec": map[string]any{"size": int64(1)}})
	c := Clone(u)
	c.SetName("b")
	c.Object["spec"] = "other"
	assert.Equal(t, "a", u.GetName())
	assert.Equal(t, map[string]any{"size": int64(1)}, u.Object["spec"])
	assert.Empty(t, Clone(of(map[string]any{})).Object)
}

func TestSame(t *testing.T) {
	list := []any{"a", map[string]any{"b": int64(1)}}
	for _, test := range []struct {
		a, b any
		want bool
	}{
		{int64(1), int64(1), true},
		{int64(1), 1.0, false},
		{nil, nil, true},
		{nil, map[string]any{}, false},
		{"a", []any{}, false},
		{list, []any{"a", map[string]any{"b": int64(1)}}, true},
		{list, []any{"a"}, false},
		{map[string]any{"a": nil}, map[string]any{"b": nil}, false},
		{map[string]any{}, []any{}, false},
	} {
		assert.Equal(t, test.want, SameJSON(test.a, test.b), "%v %v", test.a, test.b)
		a := of(map[string]any{"metadata": "x", "spec": test.a})
		assert.Equal(t, test.want, SameContent(a, of(map[string]any{"metadata": "y", "spec": test.b})))
	}
	assert.False(t, SameContent(of(map[string]any{"a": nil}), of(map[string]any{"a": nil, "b": nil})))
}

func TestKeepTimes(t *testing.T) {
	entry := func(manager, time string) []any { return []any{map[string]any{"manager": manager, "time": time}} }
	object := func(name string, entries []any) *unstructured.Unstructured {
		u := of(map[string]any{"spec": name})
		SetManagedFields(u, entries)
		return u
	}
	old, u := object("a", entry("us", "1")), object("a", entry("us", "2"))
	require.True(t, KeepTimes(old, u))
	assert.Equal(t, entry("us", "1"), ManagedFields(u))
	for _, other := range []*unstructured.Unstructured{
		object("b", entry("us", "2")), object("a", entry("them", "2")), object("a", nil), object("a",
			append(entry("us", "2"), entry("them", "2")...)),
	} {
		assert.False(t, KeepTimes(old, other))
	}
	u.SetGeneration(2)
	assert.False(t, KeepTimes(old, u))
}

func TestCoerceMetadata(t *testing.T) {
	u := of(map[string]any{"metadata": map[string]any{
		"name": "a", "selfLink": "/x", "creationTimestamp": nil, "labels": map[string]any{}, "color": "red",
	}})
	unknown, err := CoerceMetadata(u)
	require.NoError(t, err)
	assert.Equal(t, []string{"metadata.color"}, unknown)
	assert.Equal(t, map[string]any{"name": "a"}, u.Object["metadata"])
	_, err = CoerceMetadata(of(map[string]any{"metadata": map[string]any{"labels": "red"}}))
	assert.EqualError(t, err, "json: cannot unmarshal string into Go struct field ObjectMeta.labels of type map[string]string")
	_, err = CoerceMetadata(of(map[string]any{"metadata": func() {}}))
	require.Error(t, err)
	unknown, err = CoerceMetadata(of(map[string]any{}))
	require.NoError(t, err)
	assert.Empty(t, unknown)
}

// TestWholeNumbers compares with the JSON, and checks that the original stays.
func TestWholeNumbers(t *testing.T) {
	u := of(map[string]any{"a": 2.0, "b": []any{1.5, -3.0, int64(4), map[string]any{"c": 1e18, "d": 1e30, "e": "2.0"}}, "f": []any{0.5}})
	data, err := json.Marshal(u.Object)
	require.NoError(t, err)
	var want map[string]any
	require.NoError(t, utiljson.Unmarshal(data, &want))
	assert.Equal(t, want, WholeNumbers(u).Object)
	assert.InDelta(t, 2.0, u.Object["a"], 0)
	assert.IsType(t, 0.0, u.Object["a"])
	same := of(map[string]any{"a": int64(2), "b": []any{1.5}})
	assert.Same(t, same, WholeNumbers(same))
}
