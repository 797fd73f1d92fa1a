package codec

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/version"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/builtin"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/object"
)

// Convert converts an object to another version of its kind. It must not modify the object.
type Convert = func(object runtime.Object, to schema.GroupVersionKind) (runtime.Object, error)

// Codec has the kinds of all clientsets.
type Codec struct {
	convert Convert
	kinds   map[schema.GroupVersionResource]*Kind
	byKind  map[schema.GroupVersionKind]*Kind
	storage map[schema.GroupResource]*Kind
	schemes []*runtime.Scheme
}

// New returns a codec without kinds. If convert is nil, conversion keeps the fields that both versions have.
func New(convert Convert) *Codec {
	return &Codec{
		convert: convert, kinds: map[schema.GroupVersionResource]*Kind{}, byKind: map[schema.GroupVersionKind]*Kind{},
		storage: map[schema.GroupResource]*Kind{},
	}
}

// Check returns an error if a kind cannot be added: it is not in the scheme, or another clientset serves it with another Go type.
func (c *Codec) Check(d Description, scheme *runtime.Scheme) error {
	object, err := scheme.New(d.GroupVersionKind)
	if err != nil {
		return err
	}
	known := c.byKind[d.GroupVersionKind]
	if known == nil {
		return nil
	}
	if other, err := known.New(); err != nil || reflect.TypeOf(other) != reflect.TypeOf(object) {
		return fmt.Errorf("%v is served with type %T already, this clientset has %T: use a server for each",
			d.GroupVersionKind, other, object)
	}
	return nil
}

// Add adds a kind that Check has accepted. A kind that is served already gains the subresources and fields of the new clientset.
func (c *Codec) Add(d Description, scheme *runtime.Scheme, converter managedfields.TypeConverter) *Kind {
	if !slices.Contains(c.schemes, scheme) {
		c.schemes = append(c.schemes, scheme)
	}
	if k := c.byKind[d.GroupVersionKind]; k != nil {
		k.HasStatus, k.HasScale = k.HasStatus || d.HasStatus, k.HasScale || d.HasScale
		for _, name := range d.Fields {
			if !slices.Contains(k.Fields, name) {
				k.Fields = append(k.Fields, name)
			}
		}
		return k
	}
	k := &Kind{
		Description: d, apiVersion: d.GroupVersion().String(), scheme: scheme, converter: converter, codec: c,
		managers: map[string]*managedfields.FieldManager{},
	}
	k.schema = goType{k}
	c.kinds[k.GroupVersionResource()], c.byKind[k.GroupVersionKind] = k, k
	storage := c.storage[k.StoredAs()]
	if storage == nil || version.CompareKubeAwareVersionStrings(k.Version, storage.Version) > 0 {
		c.storage[k.StoredAs()] = k
	}
	return k
}

// Kind returns the kind of a resource, or nil if it is not served.
func (c *Codec) Kind(resource schema.GroupVersionResource) *Kind { return c.kinds[resource] }

// Kinds returns all kinds, in no particular order.
func (c *Codec) Kinds() []*Kind { return slices.Collect(maps.Values(c.byKind)) }

// KindOf returns the kind of a Go object.
func (c *Codec) KindOf(object runtime.Object) (*Kind, error) {
	for _, scheme := range c.schemes {
		kinds, _, _ := scheme.ObjectKinds(object) // it may be registered in another scheme
		for _, kind := range kinds {
			if k, ok := c.byKind[kind]; ok {
				return k, nil
			}
		}
	}
	return nil, fmt.Errorf("the clientset has no client for a %T", object)
}

// SetSchema sets the schema of a version of a kind, and returns the kind. If the schema has a method TypeConverter, managed fields follow
// its types instead of the clientset's types.
func (c *Codec) SetSchema(kind schema.GroupVersionKind, to Schema) (*Kind, error) {
	k, ok := c.byKind[kind]
	if !ok {
		return nil, fmt.Errorf("the clientset has no client for %v", kind)
	}
	k.schema, k.custom = to, true
	if own, ok := to.(interface {
		TypeConverter() managedfields.TypeConverter
	}); ok && own.TypeConverter() != nil {
		k.converter = own.TypeConverter()
	}
	clear(k.managers)
	if _, storage := to.Version(); storage {
		c.storage[k.StoredAs()] = k
	}
	return k, nil
}

// ToStorage returns an object as a server stores it: in the storage version of its kind, without the defaults of fields that only this
// version has, and with the numbers that JSON has. The result shares its content with the object.
func (c *Codec) ToStorage(k *Kind, u *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	stored, err := c.converted(c.storage[k.StoredAs()], u)
	if err != nil {
		return nil, err
	}
	return object.WholeNumbers(stored), nil
}

// IsStorage reports whether the kind is the storage version.
func (c *Codec) IsStorage(k *Kind) bool { return c.storage[k.StoredAs()] == k }

// FromStorage returns a stored object as a server reads it: in the storage version of its kind, pruned and with all defaults. It returns
// the object itself if the storage version has no definition.
func (c *Codec) FromStorage(k *Kind, stored *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	storage := c.storage[k.StoredAs()]
	u, err := c.converted(storage, stored)
	if err != nil || !storage.custom {
		return u, err
	}
	u = u.DeepCopy()
	storage.schema.Prune(u.Object)
	storage.schema.Default(u.Object)
	return u, nil
}

// InVersion returns an object in a version of its kind, which is the object itself if it has that version.
func (c *Codec) InVersion(k *Kind, u *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	converted, err := c.converted(k, u)
	if err == nil && converted != u {
		k.schema.Default(converted.Object)
	}
	return converted, err
}

// converted is like InVersion, without the defaults of the version.
func (c *Codec) converted(k *Kind, u *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	if u.GetKind() == k.Kind && u.GetAPIVersion() == k.apiVersion {
		return u, nil
	}
	if event := builtin.ConvertEvent(u, k.GroupVersionKind); event != nil {
		return event, nil
	}
	if c.convert == nil {
		converted := u.DeepCopy()
		converted.SetGroupVersionKind(k.GroupVersionKind)
		k.schema.Prune(converted.Object)
		return converted, nil
	}
	object, err := k.Decode(u)
	if err != nil {
		return nil, err
	}
	object.GetObjectKind().SetGroupVersionKind(u.GroupVersionKind())
	converted, err := c.convert(object, k.GroupVersionKind)
	if err != nil {
		return nil, fmt.Errorf("convert %s to %s: %w", u.GroupVersionKind(), k.GroupVersion(), err)
	}
	result, err := k.Encode(converted)
	if err != nil {
		return nil, err
	}
	k.schema.Prune(result.Object)
	// As with a conversion webhook, only labels and annotations may change.
	metadata := u.DeepCopy()
	metadata.SetLabels(result.GetLabels())
	metadata.SetAnnotations(result.GetAnnotations())
	result.Object["metadata"] = metadata.Object["metadata"]
	return result, nil
}

// sameObject returns a kind, and the same kind in the other groups that have it.
func (c *Codec) sameObject(kind schema.GroupVersionKind) []schema.GroupVersionKind {
	kinds := []schema.GroupVersionKind{kind}
	k := c.byKind[kind]
	if k == nil || !k.BuiltIn {
		return kinds
	}
	for other, candidate := range c.byKind {
		if other.Group != kind.Group && candidate.StoredAs() == k.StoredAs() {
			kinds = append(kinds, other)
		}
	}
	return kinds
}
