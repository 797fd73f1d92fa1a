package trim

import (
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
)

// untrimmed has every field that trimming changes.
func untrimmed() metav1.ObjectMeta {
	entry := func(manager string) metav1.ManagedFieldsEntry {
		return metav1.ManagedFieldsEntry{Manager: manager, Operation: metav1.ManagedFieldsOperationApply, APIVersion: "v1"}
	}
	return metav1.ObjectMeta{
		Namespace: "a", Name: "x", Labels: map[string]string{"l": "v", "name": "x"}, Annotations: map[string]string{"k": "v"},
		Finalizers:      []string{"example.com/f"},
		OwnerReferences: []metav1.OwnerReference{{APIVersion: "v1", Kind: "ConfigMap", Name: "o", UID: "u"}},
		ManagedFields:   []metav1.ManagedFieldsEntry{entry("us"), entry("them")},
	}
}

func TestTrimChangesACopy(t *testing.T) {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&corev1.ConfigMap{ObjectMeta: untrimmed()})
	require.NoError(t, err)
	for name, object := range map[string]runtime.Object{
		"typed":        &corev1.ConfigMap{ObjectMeta: untrimmed()},
		"metadata":     &metav1.PartialObjectMetadata{ObjectMeta: untrimmed()},
		"unstructured": &unstructured.Unstructured{Object: content},
	} {
		t.Run(name, func(t *testing.T) {
			before := object.DeepCopyObject()
			trimmed := (&Trimmer{}).Trim(object)
			assert.Equal(t, before, object)
			assert.Empty(t, trimmed.(metav1.Object).GetManagedFields())
			assert.Equal(t, trimmed, (&Trimmer{}).Trim(trimmed), "twice is as good as once")
			trimmed.(metav1.Object).SetManagedFields(before.(metav1.Object).GetManagedFields())
			assert.Equal(t, before, trimmed, "nothing else is lost")
		})
	}
	tombstone := cache.DeletedFinalStateUnknown{Key: "a/x"}
	assert.Equal(t, tombstone, (&Trimmer{}).Trim(tombstone))
}

func TestManagedFields(t *testing.T) {
	for name, test := range map[string]struct {
		trimmer *Trimmer
		want    []string
	}{
		"removed":   {&Trimmer{}, nil},
		"kept":      {&Trimmer{KeepManagedFields: true}, []string{"us", "them"}},
		"of some":   {&Trimmer{KeepManagedFields: true, Managers: []string{"us", "others"}}, []string{"us"}},
		"of nobody": {&Trimmer{KeepManagedFields: true, Managers: []string{"others"}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			object := &corev1.ConfigMap{ObjectMeta: untrimmed()}
			var got []string
			for _, entry := range test.trimmer.Trim(object).(*corev1.ConfigMap).ManagedFields {
				got = append(got, entry.Manager)
			}
			assert.Equal(t, test.want, got)
			assert.Equal(t, untrimmed().ManagedFields, object.ManagedFields)
		})
	}
}

func TestMetadataSharesEqualValues(t *testing.T) {
	object := func(shared string) *metav1.PartialObjectMetadata {
		return &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
			Namespace: "a", Name: "x", Finalizers: []string{shared}, Annotations: map[string]string{"k": shared}, Labels: map[string]string{"l": shared},
		}}
	}
	trimmer := &Trimmer{}
	trim := func(o *metav1.PartialObjectMetadata) *metav1.PartialObjectMetadata {
		return trimmer.Trim(o).(*metav1.PartialObjectMetadata)
	}
	a, b, other := trim(object("v")), trim(object("v")), trim(object("w"))
	assert.Equal(t, object("v"), a)
	assert.Equal(t, object("w"), other)
	same := func(x, y any) bool { return reflect.ValueOf(x).Pointer() == reflect.ValueOf(y).Pointer() }
	assert.True(t, same(a.Labels, b.Labels) && same(a.Annotations, b.Annotations) && same(a.Finalizers, b.Finalizers))
	assert.False(t, same(a.Labels, other.Labels))
	large := strings.Repeat("v", longest)
	a, b = trim(object(large)), trim(object(large))
	assert.False(t, same(a.Annotations, b.Annotations), "the pool would keep it")
	assert.Equal(t, object(large), a)
	for n := range 2 * mostPooled {
		trim(object(strconv.Itoa(n)))
	}
	assert.LessOrEqual(t, len(trimmer.pools.maps), mostPooled)
}

// TestVersionsOnly drops what can be as large as the object, without remembering it.
func TestVersionsOnly(t *testing.T) {
	meta := untrimmed()
	meta.UID, meta.ResourceVersion = "u", "5"
	trimmer := &Trimmer{VersionsOnly: true}
	version := metav1.ObjectMeta{Namespace: "a", Name: "x", UID: "u", ResourceVersion: "5"}
	assert.Equal(t, &metav1.PartialObjectMetadata{ObjectMeta: version}, trimmer.Trim(&metav1.PartialObjectMetadata{ObjectMeta: meta}))
	assert.Empty(t, trimmer.pools.maps)
	whole := trimmer.Trim(&corev1.ConfigMap{ObjectMeta: meta}).(*corev1.ConfigMap)
	assert.Equal(t, meta.Annotations, whole.Annotations)
}

// TestStringsAreShared compares addresses: what repeats in objects is stored once.
func TestStringsAreShared(t *testing.T) {
	object := func() *corev1.ConfigMap {
		return (&Trimmer{}).Trim(&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
			Namespace:       strings.Clone("shop"),
			Labels:          map[string]string{"app": strings.Clone("web")},
			Finalizers:      []string{strings.Clone("example.com/f")},
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "v1", Kind: strings.Clone("Region"), Name: "r", UID: "u"}},
		}}).(*corev1.ConfigMap)
	}
	a, b := object(), object()
	for _, text := range []func(*corev1.ConfigMap) string{
		func(o *corev1.ConfigMap) string { return o.Namespace },
		func(o *corev1.ConfigMap) string { return o.Labels["app"] },
		func(o *corev1.ConfigMap) string { return o.Finalizers[0] },
		func(o *corev1.ConfigMap) string { return o.OwnerReferences[0].Kind },
	} {
		assert.NotEmpty(t, text(a))
		assert.Same(t, unsafe.StringData(text(a)), unsafe.StringData(text(b)), text(a))
	}
}
