package objects

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
)

func crane(t *testing.T) Version {
	t.Helper()
	crds, err := apiservertest.ReadCRDs("testdata/crane.yaml")
	require.NoError(t, err)
	versions, err := Versions(crds[0])
	require.NoError(t, err)
	require.Len(t, versions, 1)
	return versions[0]
}

func TestMake(t *testing.T) {
	v := crane(t)
	maker, again, paths := NewMaker(v, 1), NewMaker(v, 1), map[string]bool{}
	for range 200 {
		object := maker.Make()
		require.NotNil(t, object)
		_, errs := v.Stored(object)
		assert.Empty(t, errs)
		assert.Equal(t, object, again.Make(), "the seed determines the objects")
		v.Paths(object, paths)
	}
	for _, path := range maker.all {
		if !strings.HasPrefix(path, ".metadata") {
			assert.True(t, paths[path], "no object has %s", path)
		}
	}
	assert.NotEqual(t, NewMaker(v, 1).Make(), NewMaker(v, 2).Make())
}

// TestInvalidObjectsAreRejected checks the rules that the objects are made for.
func TestInvalidObjectsAreRejected(t *testing.T) {
	object := map[string]any{
		"apiVersion": "port.example.com/v1", "kind": "Crane", "metadata": map[string]any{"name": "a", "namespace": "default"},
		"spec": map[string]any{"berth": "AB-123", "mode": "Automatic", "unknown": true},
	}
	v := crane(t)
	stored, errs := v.Stored(object)
	assert.Empty(t, errs)
	assert.NotContains(t, stored["spec"], "unknown")
	object["spec"].(map[string]any)["operator"] = "nobody"
	_, errs = v.Stored(object)
	assert.Len(t, errs, 1)
}

func TestTextMatchesPattern(t *testing.T) {
	maker := NewMaker(crane(t), 1)
	for _, pattern := range []string{
		`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`, `^(\d+|[A-Z]+)$`, `^$|^https?://.+`, `^\S{5,10}$`, `[^a-z]`,
	} {
		for range 20 {
			assert.Regexp(t, pattern, maker.text(pattern, "", 0, 63))
		}
	}
}

func TestDiff(t *testing.T) {
	want := map[string]any{"spec": map[string]any{"berth": "a", "load": int64(1), "note": nil, "tags": []any{"x"}, "hooks": []any{int64(1)}}}
	have := map[string]any{"spec": map[string]any{"berth": "b", "load": 1.0, "tags": []any{}, "hooks": []any{int64(1)}, "port": "p"}}
	var texts []string
	for _, change := range crane(t).Diff(want, have) {
		texts = append(texts, change.String())
	}
	assert.Equal(t, []string{
		`.spec.berth changed: "a" to "b"`,
		`.spec.note lost: null`,
		`.spec.port invented: "p"`,
		`.spec.tags changed: ["x"] to []`,
	}, texts)
}

func TestApplied(t *testing.T) {
	keyed, atomic := "map", "atomic"
	schema := &props{Properties: map[string]props{
		"conditions": {XListType: &keyed, XListMapKeys: []string{"type"}, Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &props{
			Properties: map[string]props{"type": {Type: "string"}, "reason": {Type: "string"}, "status": {Type: "string"}},
		}}},
		"addresses": {XListType: &atomic},
		"phase":     {Type: "string"},
	}}
	condition := func(kind, name, value string) map[string]any { return map[string]any{"type": kind, name: value} }
	live := map[string]any{
		"conditions": []any{condition("Ready", "reason", "Waiting"), condition("Placed", "reason", "Waiting")},
		"addresses":  []any{"a"}, "phase": "Pending",
	}
	value := map[string]any{"conditions": []any{condition("Ready", "status", "True"), condition("New", "status", "True")}, "addresses": []any{"b"}}
	assert.Equal(t, map[string]any{
		"conditions": []any{
			condition("Placed", "reason", "Waiting"),
			map[string]any{"type": "Ready", "reason": "Waiting", "status": "True"},
			condition("New", "status", "True"),
		},
		"addresses": []any{"b"}, "phase": "Pending",
	}, applied(live, value, schema))
	assert.Equal(t, value, applied(nil, value, schema))
}
