package foreign

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/informer-gen-lite/informer-gen-lite/test/foreign/internal/objects"
	"github.com/informer-gen-lite/informer-gen-lite/test/foreign/internal/schemas"
)

// TestSchemas generates definitions from types without recognition. At least 95 % of the paths must be equal to the original ones,
// and each difference has a reason.
func TestSchemas(t *testing.T) {
	tr := newTree(t, "plain", requirements, "--recognize=false")
	counts, allEqual, all := map[string]int{}, 0, 0
	for _, p := range corpus(t) {
		t.Run(p.Name, func(t *testing.T) {
			generated, equal, total, unexplained := tr.definitions(t, p, ""), 0, 0, 0
			for _, v := range p.versions {
				differences, e, n := compare(t, v.Schema, generatedSchema(t, generated, v))
				equal, total = equal+e, total+n
				for _, d := range schemas.Explain(differences, schemaReasons) {
					if unexplained++; unexplained <= 10 {
						assert.Fail(t, "difference without a reason", "%s %s", v.GroupVersionKind, d)
					}
				}
				for _, d := range differences {
					counts[cmp.Or(d.Reason, "none: "+d.Keyword)]++
				}
			}
			t.Logf("%s: %d of %d paths equal: %.2f %%", p.Name, equal, total, percent(equal, total))
			allEqual, all = allEqual+equal, all+total
		})
	}
	logCounts(t, counts)
	t.Logf("%d of %d paths equal: %.2f %%", allEqual, all, percent(allEqual, all))
	assert.GreaterOrEqual(t, percent(allEqual, all), 95.0)
}

// TestNoPathIsLost generates definitions from types with recognition: they must have all paths of the original ones.
func TestNoPathIsLost(t *testing.T) {
	tr := newTree(t, "recognized", requirements)
	lost, all := 0, 0
	for _, p := range corpus(t) {
		generated := tr.definitions(t, p, ",generateEmbeddedObjectMeta=true")
		for _, v := range p.versions {
			want, err := schemas.Flatten(v.Schema)
			require.NoError(t, err)
			have, err := schemas.Flatten(generatedSchema(t, generated, v))
			require.NoError(t, err)
			all += len(want)
			for path, node := range want {
				if have[path] == nil && !covered(have, path) && !inObjectMeta(have, path) {
					if lost++; lost <= 30 {
						assert.Fail(t, "lost path", "%s %s %s: %v", p.Name, v.GroupVersionKind, path, node)
					}
				}
			}
		}
	}
	t.Logf("%d of %d paths lost", lost, all)
	assert.Zero(t, lost)
}

// compare compares two schemas.
func compare(t *testing.T, want, have *apiextensionsv1.JSONSchemaProps) (differences []schemas.Difference, equal, total int) {
	t.Helper()
	wanted, err := schemas.Flatten(want)
	require.NoError(t, err)
	generated, err := schemas.Flatten(have)
	require.NoError(t, err)
	return schemas.Compare(wanted, generated)
}

// generatedSchema returns the schema of a version in generated definitions.
func generatedSchema(
	t *testing.T,
	generated map[string]*apiextensionsv1.CustomResourceDefinition,
	v objects.Version,
) *apiextensionsv1.JSONSchemaProps {
	t.Helper()
	name := v.Resource + "." + v.Group
	require.Contains(t, generated, name)
	for _, version := range generated[name].Spec.Versions {
		if version.Name == v.Version {
			return version.Schema.OpenAPIV3Schema
		}
	}
	require.Fail(t, "no version", "%s %s", name, v.Version)
	return nil
}

// covered reports whether a path lies in a value of any type.
func covered(have schemas.Schema, path string) bool {
	for path != "" {
		path = path[:max(strings.LastIndexAny(path, ".["), 0)]
		if node := have[path]; node != nil {
			return node["x-kubernetes-preserve-unknown-fields"] == true
		}
	}
	return false
}

// inObjectMeta reports whether a path is a field of metav1.ObjectMeta. controller-gen writes some of its fields for embedded metadata, and
// none for that of a kind.
func inObjectMeta(have schemas.Schema, path string) bool {
	parent, name := path[:strings.LastIndex(path, ".")], path[strings.LastIndex(path, ".")+1:]
	if parent != ".metadata" && have[parent+".finalizers"] == nil {
		return false
	}
	for field := range reflect.TypeFor[metav1.ObjectMeta]().Fields() {
		if tag, _, _ := strings.Cut(field.Tag.Get("json"), ","); tag == name {
			return true
		}
	}
	return false
}

func percent(part, whole int) float64 { return 100 * float64(part) / float64(whole) }

// logCounts prints how often each reason occurs.
func logCounts(t *testing.T, counts map[string]int) {
	t.Helper()
	var table strings.Builder
	for _, reason := range slices.SortedFunc(maps.Keys(counts), func(a, b string) int { return counts[b] - counts[a] }) {
		fmt.Fprintf(&table, "\n%7d  %s", counts[reason], reason)
	}
	t.Logf("reasons:%s", &table)
}
