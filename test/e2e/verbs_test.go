package e2e

import (
	"context"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"

	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/scheme"
)

// kind is a resource whose generated client is tested with all of its verbs.
type kind struct {
	api      reflect.Type // the interface of the client
	client   any
	resource schema.GroupVersionResource
	sample   func(name string) object
	// apply and applyStatus return apply configurations, for clients that have these verbs.
	apply, applyStatus func(name string) any
	// setStatus makes a change that gotStatus reads; so does applyStatus.
	setStatus func(object)
	gotStatus func(object) bool
	// byHand are the methods that a marker added or that are handwritten.
	byHand map[string]func(t *testing.T)
}

// run calls every method of the interface appropriately.
func (k kind) run(t *testing.T, server dynamic.Interface) {
	v := &verbs{kind: k, client: reflect.ValueOf(k.client), used: map[string]bool{}, server: server.Resource(k.resource)}
	if len(k.byHand) < k.api.NumMethod() {
		v.write(t)
		v.apply(t)
		v.watchAndDelete(t)
	}
	for name, test := range k.byHand {
		v.used[name] = true
		t.Run(name, test)
	}
	for method := range k.api.Methods() {
		assert.True(t, v.used[method.Name], "%s is not tested", method.Name)
	}
}

// verbs calls methods of a client by name, because the clients of all kinds have no common type.
type verbs struct {
	kind
	client reflect.Value
	used   map[string]bool
	server dynamic.NamespaceableResourceInterface
}

func (v *verbs) has(method string) bool {
	_, ok := v.api.MethodByName(method)
	return ok
}

// call calls a method with a context and args, and returns its result and error.
func (v *verbs) call(ctx context.Context, method string, args ...any) (any, error) {
	v.used[method] = true
	in := []reflect.Value{reflect.ValueOf(ctx)}
	for _, arg := range args {
		in = append(in, reflect.ValueOf(arg))
	}
	out := v.client.MethodByName(method).Call(in)
	err, _ := reflect.TypeAssert[error](out[len(out)-1])
	return out[0].Interface(), err
}

// do is like call, for methods that return an object and must not fail.
func (v *verbs) do(t *testing.T, method string, args ...any) object {
	t.Helper()
	result, err := v.call(t.Context(), method, args...)
	require.NoError(t, err, method)
	return result.(object)
}

// list returns the objects that the client lists, and the resource version of the list.
func (v *verbs) list(t *testing.T) ([]runtime.Object, string) {
	t.Helper()
	result, err := v.call(t.Context(), "List", metav1.ListOptions{})
	require.NoError(t, err)
	items, err := meta.ExtractList(result.(runtime.Object))
	require.NoError(t, err)
	return items, result.(metav1.ListInterface).GetResourceVersion()
}

// create creates an object, with the dynamic client if this client cannot.
func (v *verbs) create(t *testing.T, name string) object {
	t.Helper()
	sample := v.sample(name)
	if v.has("Create") {
		return v.do(t, "Create", sample, metav1.CreateOptions{})
	}
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(sample)
	require.NoError(t, err)
	kinds, _, err := scheme.Scheme.ObjectKinds(sample)
	require.NoError(t, err)
	raw := &unstructured.Unstructured{Object: content}
	raw.SetGroupVersionKind(kinds[0])
	raw, err = v.server.Namespace(sample.GetNamespace()).Create(t.Context(), raw, metav1.CreateOptions{})
	require.NoError(t, err)
	created := v.sample(name)
	require.NoError(t, runtime.DefaultUnstructuredConverter.FromUnstructured(raw.Object, created))
	return created
}

// write creates, reads, updates and patches an object.
func (v *verbs) write(t *testing.T) {
	current := v.create(t, "one")
	assert.NotEmpty(t, current.GetUID())
	if v.has("Get") {
		assert.Equal(t, withoutType(current), withoutType(v.do(t, "Get", "one", metav1.GetOptions{})))
	}
	if v.has("Update") {
		current.SetLabels(map[string]string{"updated": "yes"})
		current = v.do(t, "Update", current, metav1.UpdateOptions{})
		assert.Equal(t, "yes", current.GetLabels()["updated"])
	}
	if v.has("UpdateStatus") {
		v.setStatus(current)
		current.SetLabels(map[string]string{"updated": "no"})
		current = v.do(t, "UpdateStatus", current, metav1.UpdateOptions{})
		assert.True(t, v.gotStatus(current))
		assert.Equal(t, "yes", current.GetLabels()["updated"], "by way of the status only the status changes")
	}
	if v.has("Patch") {
		patch := []byte(`{"metadata":{"labels":{"patched":"yes"}}}`)
		current = v.do(t, "Patch", "one", types.MergePatchType, patch, metav1.PatchOptions{})
		assert.Equal(t, map[string]string{"updated": "yes", "patched": "yes"}, current.GetLabels())
	}
	if v.has("List") {
		items, _ := v.list(t)
		require.Len(t, items, 1)
		assert.Equal(t, withoutType(current), withoutType(items[0].(object)))
	}
}

// apply applies a second object, and its status.
func (v *verbs) apply(t *testing.T) {
	if v.has("Apply") {
		applied := v.do(t, "Apply", v.kind.apply("two"), metav1.ApplyOptions{FieldManager: "test"})
		require.Len(t, applied.GetManagedFields(), 1)
		assert.Equal(t, "test", applied.GetManagedFields()[0].Manager)
	}
	if v.has("ApplyStatus") {
		applied := v.do(t, "ApplyStatus", v.applyStatus("two"), metav1.ApplyOptions{FieldManager: "test"})
		assert.True(t, v.gotStatus(applied))
	}
}

// watchAndDelete watches the creation of a third object and the deletion of all.
func (v *verbs) watchAndDelete(t *testing.T) {
	if !v.has("Watch") {
		return
	}
	_, revision := v.list(t)
	result, err := v.call(within(t), "Watch", metav1.ListOptions{ResourceVersion: revision})
	require.NoError(t, err)
	watcher := result.(watch.Interface)
	defer watcher.Stop()

	created := v.create(t, "three")
	event := <-watcher.ResultChan()
	assert.Equal(t, watch.Added, event.Type)
	assert.Equal(t, withoutType(created), withoutType(event.Object.(object)))
	if v.has("Delete") {
		_, err := v.call(t.Context(), "Delete", "three", metav1.DeleteOptions{})
		require.NoError(t, err)
		event = <-watcher.ResultChan()
		assert.Equal(t, watch.Deleted, event.Type)
		_, err = v.call(t.Context(), "Get", "three", metav1.GetOptions{})
		assert.True(t, apierrors.IsNotFound(err), "%v", err)
	}
	if v.has("DeleteCollection") {
		_, err := v.call(t.Context(), "DeleteCollection", metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "patched=yes"})
		require.NoError(t, err)
		event = <-watcher.ResultChan()
		assert.Equal(t, watch.Deleted, event.Type)
		items, _ := v.list(t)
		require.Len(t, items, 1)
		assert.Equal(t, "two", items[0].(object).GetName())
	}
}

// withoutType returns the object in a comparable form: some reads omit its kind and version, and times lose their zone.
func withoutType(o object) map[string]any {
	content, err := json.Marshal(o)
	if err != nil {
		return map[string]any{"error": err.Error()}
	}
	fields := map[string]any{}
	_ = json.Unmarshal(content, &fields) // it was marshaled right here
	delete(fields, "kind")
	delete(fields, "apiVersion")
	return fields
}
