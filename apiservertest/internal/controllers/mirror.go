package controllers

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"go.etcd.io/etcd/api/v3/mvccpb"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// object is the metadata of a stored object that the controllers need. It is read-only.
type object struct {
	metav1.PartialObjectMetadata
	key        string // in etcd
	resource   schema.GroupVersionResource
	defines    schema.GroupKind   // by a CustomResourceDefinition
	deployment *appsv1.Deployment // if it is one
}

func (o *object) deleting() bool { return o.DeletionTimestamp != nil }

func (o *object) hasFinalizer(name string) bool { return slices.Contains(o.Finalizers, name) }

func (o *object) is(group, resource string) bool {
	return o.resource.Group == group && o.resource.Resource == resource
}

// Prefix is the prefix of the keys of all objects.
const Prefix = "/registry"

// decode decodes a stored object. The key consists of the prefix, the group if any, the resource, the namespace if any,
// and the name. decode returns nil if the value is not an object.
func decode(kv *mvccpb.KeyValue) *object {
	o := &object{key: string(kv.Key)}
	if json.Unmarshal(kv.Value, &o.PartialObjectMetadata) != nil || o.UID == "" {
		return nil
	}
	version, err := schema.ParseGroupVersion(o.APIVersion)
	if err != nil {
		return nil
	}
	parts := strings.Split(strings.Trim(strings.TrimPrefix(o.key, Prefix), "/"), "/")
	if version.Group != "" {
		parts = parts[1:]
	}
	if len(parts) < 2 {
		return nil
	}
	o.resource = version.WithResource(parts[0])
	o.ResourceVersion = strconv.FormatInt(kv.ModRevision, 10)
	switch {
	case o.is("apiextensions.k8s.io", "customresourcedefinitions"):
		o.defines = definedKind(kv.Value)
	case o.is(appsv1.GroupName, "deployments"):
		o.deployment = &appsv1.Deployment{}
		if json.Unmarshal(kv.Value, o.deployment) != nil {
			return nil
		}
		o.deployment.ResourceVersion = o.ResourceVersion
	}
	return o
}

// definedKind returns the kind of a CustomResourceDefinition.
func definedKind(content []byte) schema.GroupKind {
	var crd struct {
		Spec struct {
			Group string
			Names struct{ Kind string }
		}
	}
	_ = json.Unmarshal(content, &crd) // the API server has written it
	return schema.GroupKind{Group: crd.Spec.Group, Kind: crd.Spec.Names.Kind}
}

// mirror holds all objects of the cluster as of one etcd revision. It learns of an owner no later than of its
// dependents: an owner that is not in the mirror does not exist.
type mirror struct {
	mu         sync.Mutex
	kinds      map[schema.GroupKind]bool // served now or before
	objects    map[string]*object        // by key
	byUID      map[types.UID]*object
	dependents map[types.UID]map[string]*object // by owner
	namespaced map[string]map[string]*object    // by namespace
}

func newMirror(builtins []schema.GroupKind) *mirror {
	m := &mirror{
		kinds:      map[schema.GroupKind]bool{},
		objects:    map[string]*object{},
		byUID:      map[types.UID]*object{},
		dependents: map[types.UID]map[string]*object{},
		namespaced: map[string]map[string]*object{},
	}
	for _, kind := range builtins {
		m.kinds[kind] = true
	}
	return m
}

// put adds or replaces an object, and returns the keys of the objects to process.
func (m *mirror) put(o *object) []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	affected := m.forget(o.key)
	m.objects[o.key], m.byUID[o.UID] = o, o
	if o.defines.Kind != "" {
		m.kinds[o.defines] = true
	}
	if o.Namespace != "" {
		insert(m.namespaced, o.Namespace, o)
	}
	for _, ref := range o.OwnerReferences {
		insert(m.dependents, ref.UID, o)
	}
	return append(affected, o.key)
}

// remove removes an object, and returns the keys of the objects to process.
func (m *mirror) remove(key string) []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	o := m.objects[key]
	if o == nil {
		return nil
	}
	return slices.AppendSeq(m.forget(key), maps.Keys(m.dependents[o.UID]))
}

// forget removes an object from the indexes, and returns the keys of the objects that may wait for its deletion: its
// owners and its namespace.
func (m *mirror) forget(key string) (waiting []string) {
	o := m.objects[key]
	if o == nil {
		return nil
	}
	delete(m.objects, key)
	delete(m.byUID, o.UID)
	if o.Namespace != "" {
		extract(m.namespaced, o.Namespace, o)
		if namespace := m.namespace(o.Namespace); namespace != nil && namespace.deleting() && m.namespaced[o.Namespace] == nil {
			waiting = append(waiting, namespace.key)
		}
	}
	for _, ref := range o.OwnerReferences {
		extract(m.dependents, ref.UID, o)
		if owner := m.byUID[ref.UID]; owner != nil && owner.deleting() {
			waiting = append(waiting, owner.key)
		}
	}
	return waiting
}

// namespace returns the namespace with a name, or nil.
func (m *mirror) namespace(name string) *object {
	return m.objects[Prefix+"/namespaces/"+name]
}

func insert[K comparable](index map[K]map[string]*object, by K, o *object) {
	if index[by] == nil {
		index[by] = map[string]*object{}
	}
	index[by][o.key] = o
}

func extract[K comparable](index map[K]map[string]*object, by K, o *object) {
	delete(index[by], o.key)
	if len(index[by]) == 0 {
		delete(index, by)
	}
}

// keys returns the keys of all objects.
func (m *mirror) keys() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Collect(maps.Keys(m.objects))
}

// view is an object with related objects, as of one revision.
type view struct {
	*object
	owners     []owner // in the order of the references
	dependents []*object
	content    []*object // of a namespace
	doomed     bool      // its namespace is being deleted
}

// owner is a resolved owner reference.
type owner struct {
	ref metav1.OwnerReference
	// absent means that the owner does not exist.
	absent bool
	// waiting means that the owner is being deleted, after its dependents.
	waiting bool
}

// look returns an object, or nil if it does not exist.
func (m *mirror) look(key string) *view {
	m.mu.Lock()
	defer m.mu.Unlock()
	o := m.objects[key]
	if o == nil {
		return nil
	}
	v := &view{object: o, dependents: slices.Collect(maps.Values(m.dependents[o.UID]))}
	if namespace := m.namespace(o.Namespace); namespace != nil {
		v.doomed = namespace.deleting()
	}
	if o.is("", "namespaces") {
		v.content = slices.Collect(maps.Values(m.namespaced[o.Name]))
	}
	for _, ref := range o.OwnerReferences {
		v.owners = append(v.owners, m.resolve(o, ref))
	}
	return v
}

// resolve finds an owner. An owner of a kind that is not served here counts as existing.
func (m *mirror) resolve(dependent *object, ref metav1.OwnerReference) owner {
	found := m.byUID[ref.UID]
	if found != nil && found.Namespace != "" && found.Namespace != dependent.Namespace {
		found = nil // an object in another namespace cannot be an owner
	}
	if found == nil {
		kind := schema.FromAPIVersionAndKind(ref.APIVersion, ref.Kind).GroupKind()
		return owner{ref: ref, absent: m.kinds[kind]}
	}
	return owner{ref: ref, waiting: found.deleting() && found.hasFinalizer(metav1.FinalizerDeleteDependents)}
}
