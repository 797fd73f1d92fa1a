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

// decode reads what is stored under a key: the prefix, the group if there is one, the resource, the namespace if there is
// one, and the name. It returns nil for what is no object.
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

// mirror has all objects of the cluster as they were at one revision of etcd. So it knows an owner no later than its
// dependents: an owner that is not in it does not exist.
type mirror struct {
	mu         sync.Mutex
	kinds      map[schema.GroupKind]bool // that are served, or were: then their objects are gone
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

// put adds or replaces an object, and returns the keys of those to look at now.
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

// remove removes an object, and returns the keys of those to look at now.
func (m *mirror) remove(key string) []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	o := m.objects[key]
	if o == nil {
		return nil
	}
	return slices.AppendSeq(m.forget(key), maps.Keys(m.dependents[o.UID]))
}

// forget takes an object out of the books, and returns the keys of those that may wait for it to go: its owners and its
// namespace.
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

// namespace returns the namespace of a name.
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

// view is an object and what surrounds it, at one revision.
type view struct {
	*object
	owners     []owner // in the order of its references
	dependents []*object
	content    []*object // of a namespace
	doomed     bool      // its namespace is being deleted
}

// owner is what an owner reference comes to.
type owner struct {
	ref metav1.OwnerReference
	// absent means that there is no such object.
	absent bool
	// waiting means that it is being deleted, after its dependents.
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

// resolve finds an owner. Nobody knows about the objects of a kind that is not served here.
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
