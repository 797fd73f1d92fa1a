package object

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
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
		"name": "a", "selfLink": "/x", "creationTimestamp": nil, "labels": map[string]any{}, "colour": "red",
	}})
	require.NoError(t, CoerceMetadata(u))
	assert.Equal(t, map[string]any{"name": "a"}, u.Object["metadata"])
	assert.Error(t, CoerceMetadata(of(map[string]any{"metadata": map[string]any{"labels": "red"}})))
	assert.Error(t, CoerceMetadata(of(map[string]any{"metadata": func() {}})))
	require.NoError(t, CoerceMetadata(of(map[string]any{})))
}
