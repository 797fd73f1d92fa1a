package wanted

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	corev1apply "k8s.io/client-go/applyconfigurations/core/v1"
	metav1apply "k8s.io/client-go/applyconfigurations/meta/v1"
	"k8s.io/client-go/tools/cache"
)

func TestNamespaceIn(t *testing.T) {
	assert.Equal(t, "shop", namespaceIn(corev1apply.ConfigMap("web", "shop")))
	assert.Empty(t, namespaceIn(corev1apply.Namespace("shop")))
	// Older apply configurations have the fields without the methods.
	type fields struct {
		Metadata map[string]string `json:"metadata"`
	}
	assert.Equal(t, "shop", namespaceIn(&fields{map[string]string{"name": "web", "namespace": "shop"}}))
	assert.Empty(t, namespaceIn(&fields{}))
	assert.Empty(t, namespaceIn(func() {}), "not JSON")
}

func TestOf(t *testing.T) {
	web := cache.NewObjectName("shop", "web")
	assert.Equal(t, web, Of(corev1apply.ConfigMap("web", "shop")).Name)
	assert.Equal(t, web, Of(configMap("web", "1")).Name)
	assert.Equal(t, Object{}, Of((*corev1.ConfigMap)(nil)))
	assert.Equal(t, Object{}, Of((*corev1apply.ConfigMapApplyConfiguration)(nil)))
	assert.Equal(t, Object{}, Of(nil))
}

func configMap(name, value string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "shop"}, Data: map[string]string{"key": value}}
}

// newCall returns a call for an owner in the namespace shop.
func newCall(deletes bool, objects ...any) Call {
	c := Call{
		Owner:   &metav1.ObjectMeta{Name: "owner", Namespace: "shop", UID: "7"},
		Type:    reflect.TypeFor[*corev1.ConfigMap](),
		Label:   "owner",
		Deletes: deletes,
	}
	for _, object := range objects {
		c.Objects = append(c.Objects, Of(object))
	}
	return c
}

func TestValidate(t *testing.T) {
	elsewhere, nowhere := configMap("web", ""), configMap("web", "")
	elsewhere.Namespace, nowhere.Namespace = "other", ""
	for want, objects := range map[string][]any{
		"":                                    {configMap("web", "1"), configMap("api", "1")},
		"desired ConfigMap is nil":            {configMap("web", "1"), (*corev1.ConfigMap)(nil)},
		"desired ConfigMap has no name":       {configMap("", "1")},
		"ConfigMap shop/web is desired twice": {configMap("web", "1"), configMap("web", "1")},
		"ConfigMap other/web is not in the namespace of its owner shop/owner: the garbage collector would delete it": {elsewhere},
		"ConfigMap web has no namespace, but its owner shop/owner has: the garbage collector would delete it":        {nowhere},
	} {
		if err := newCall(true, objects...).Validate(); want == "" {
			require.NoError(t, err)
		} else {
			assert.EqualError(t, err, want)
		}
	}
	global := newCall(true, elsewhere, configMap("web", ""))
	global.Owner = &metav1.ObjectMeta{Name: "owner", UID: "7"}
	assert.NoError(t, global.Validate(), "a cluster-scoped owner")
}

func TestLog(t *testing.T) {
	labeled := configMap("web", "1")
	labeled.Labels = map[string]string{"owner": "yes"} // as Sync adds them
	labeled.OwnerReferences = []metav1.OwnerReference{{Name: "owner"}}
	applied := func(value string) *corev1apply.ConfigMapApplyConfiguration {
		return corev1apply.ConfigMap("web", "shop").WithData(map[string]string{"key": value})
	}
	sent := applied("1").WithUID("8").WithLabels(labeled.Labels).WithOwnerReferences(metav1apply.OwnerReference())
	for name, test := range map[string]struct {
		first, second Call
		want          string // the beginning of the error
	}{
		"same":                                  {newCall(true, configMap("web", "1")), newCall(true, configMap("web", "1")), ""},
		"same, after it was sent":               {newCall(true, configMap("web", "1")), newCall(true, labeled), ""},
		"same configuration, after it was sent": {newCall(true, applied("1")), newCall(true, sent), ""},
		"nothing twice":                         {newCall(true), newCall(true), ""},
		"others, none deletes":                  {newCall(false, configMap("web", "1")), newCall(false, configMap("api", "1")), ""},
		"others, both delete": {
			newCall(true, configMap("web", "1")), newCall(true, configMap("api", "1")),
			"ConfigMap shop/api is not desired by an earlier call in this reconcile, which deletes others: ",
		},
		"others, the second deletes": {
			newCall(false, configMap("web", "1")), newCall(true, configMap("api", "1")),
			"ConfigMap shop/web is desired by an earlier call in this reconcile, and this call would delete it: ",
		},
		"others, the first deletes": {
			newCall(true), newCall(false, configMap("api", "1")),
			"ConfigMap shop/api is not desired by an earlier call in this reconcile, which deletes others: ",
		},
		"fewer": {
			newCall(true, configMap("web", "1"), configMap("api", "1")), newCall(true, configMap("web", "1")),
			"ConfigMap shop/api is desired by an earlier call in this reconcile, and this call would delete it: ",
		},
		"another content": {
			newCall(false, configMap("web", "1")), newCall(false, configMap("web", "2")),
			"ConfigMap shop/web is desired with different content by an earlier call in this reconcile: ",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var l Log
			require.NoError(t, l.Add(test.first))
			other := test.second
			other.Owner = &metav1.ObjectMeta{Name: "other", UID: "8"}
			require.NoError(t, l.Add(other), "another owner")
			if err := l.Add(test.second); test.want == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, test.want)
			}
		})
	}
}
