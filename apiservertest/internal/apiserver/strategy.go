package apiserver

import (
	"context"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/storage/names"
)

// strategy defines how objects of a built-in kind are written: unchanged, except for the status, which has its own
// subresource, and the generation, which counts changes of the spec.
type strategy struct {
	runtime.ObjectTyper
	kind builtin
}

var (
	_ rest.RESTCreateStrategy = strategy{}
	_ rest.RESTUpdateStrategy = strategy{}
	_ rest.RESTDeleteStrategy = strategy{}
)

// part returns a top-level field of an object, or an invalid value if the object has no such field.
func part(object runtime.Object, name string) reflect.Value {
	return reflect.ValueOf(object).Elem().FieldByName(name)
}

func (strategy) GenerateName(base string) string { return names.SimpleNameGenerator.GenerateName(base) }

func (s strategy) NamespaceScoped() bool { return !s.kind.cluster }

func (s strategy) PrepareForCreate(_ context.Context, object runtime.Object) {
	if s.kind.hasStatus() {
		part(object, "Status").SetZero()
	}
	setDefaults(object)
	if namespace, ok := object.(*corev1.Namespace); ok {
		prepareNamespace(namespace)
	}
	if part(object, "Spec").IsValid() {
		object.(metav1.Object).SetGeneration(1)
	}
}

func (s strategy) PrepareForUpdate(_ context.Context, object, old runtime.Object) {
	if s.kind.hasStatus() {
		part(object, "Status").Set(part(old, "Status"))
	}
	setDefaults(object)
	if namespace, ok := object.(*corev1.Namespace); ok {
		namespace.Spec.Finalizers = old.(*corev1.Namespace).Spec.Finalizers
	}
	spec := part(object, "Spec")
	if !spec.IsValid() {
		return
	}
	generation := old.(metav1.Object).GetGeneration()
	if !equality.Semantic.DeepEqual(spec.Interface(), part(old, "Spec").Interface()) {
		generation++
	}
	object.(metav1.Object).SetGeneration(generation)
}

func (strategy) Validate(context.Context, runtime.Object) field.ErrorList { return nil }

func (strategy) ValidateUpdate(_ context.Context, _, _ runtime.Object) field.ErrorList { return nil }

func (strategy) WarningsOnCreate(context.Context, runtime.Object) []string { return nil }

func (strategy) WarningsOnUpdate(_ context.Context, _, _ runtime.Object) []string { return nil }

func (strategy) Canonicalize(runtime.Object) {}

func (strategy) AllowCreateOnUpdate(context.Context) bool { return false }

func (strategy) AllowUnconditionalUpdate(context.Context) bool { return true }

// statusStrategy updates only the status.
type statusStrategy struct{ strategy }

func (statusStrategy) PrepareForUpdate(_ context.Context, object, old runtime.Object) {
	keepOld(object, old, func(object, changed runtime.Object) {
		part(object, "Status").Set(part(changed, "Status"))
	})
}

// keepOld resets object to old. Then change copies fields from the submitted object, changed.
func keepOld(object, old runtime.Object, change func(object, changed runtime.Object)) {
	changed := object.DeepCopyObject()
	reflect.ValueOf(object).Elem().Set(reflect.ValueOf(old.DeepCopyObject()).Elem())
	change(object, changed)
	object.(metav1.Object).SetManagedFields(changed.(metav1.Object).GetManagedFields())
}

// resourceStorage serves a resource.
type resourceStorage struct {
	*registry.Store
	shortNames []string
}

var _ rest.ShortNamesProvider = (*resourceStorage)(nil)

func (r *resourceStorage) ShortNames() []string { return r.shortNames }

// partStorage serves a part of a resource, such as the status, with get, update and patch.
type partStorage struct{ store *registry.Store }

var (
	_ rest.Patcher        = (*partStorage)(nil)
	_ rest.TableConvertor = (*partStorage)(nil)
)

func newPartStorage(store *registry.Store, rules rest.RESTUpdateStrategy) *partStorage {
	part := *store
	part.UpdateStrategy = rules
	return &partStorage{&part}
}

func (s *partStorage) New() runtime.Object { return s.store.New() }

// Destroy does nothing: the resource owns the store.
func (s *partStorage) Destroy() {}

func (s *partStorage) Get(ctx context.Context, name string, options *metav1.GetOptions) (runtime.Object, error) {
	return s.store.Get(ctx, name, options)
}

func (s *partStorage) Update(
	ctx context.Context,
	name string,
	object rest.UpdatedObjectInfo,
	onCreate rest.ValidateObjectFunc,
	onUpdate rest.ValidateObjectUpdateFunc,
	_ bool,
	options *metav1.UpdateOptions,
) (runtime.Object, bool, error) {
	return s.store.Update(ctx, name, object, onCreate, onUpdate, false, options)
}

func (s *partStorage) ConvertToTable(ctx context.Context, object, options runtime.Object) (*metav1.Table, error) {
	return s.store.ConvertToTable(ctx, object, options)
}
