package apiserver

import (
	"context"
	"fmt"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/storage"
)

// stores are the stores of the built-in kinds.
type stores map[schema.GroupResource]*registry.Store

// getters define where and how objects are stored. Objects for authorization are read from etcd, so that a role takes
// effect as soon as it is created.
type getters struct{ cached, direct generic.RESTOptionsGetter }

func (g getters) of(b builtin) generic.RESTOptionsGetter {
	if b.version.Group == rbacv1.GroupName {
		return g.direct
	}
	return g.cached
}

// installBuiltins adds the built-in kinds to a server.
func installBuiltins(server *genericapiserver.GenericAPIServer, getters getters) (stores, error) {
	groups, all := map[string]*genericapiserver.APIGroupInfo{}, stores{}
	for _, b := range builtins {
		group := groups[b.version.Group]
		if group == nil {
			info := genericapiserver.NewDefaultAPIGroupInfo(b.version.Group, scheme, runtime.NewParameterCodec(scheme), codecs)
			info.PrioritizedVersions = []schema.GroupVersion{b.version}
			info.VersionedResourcesStorageMap[b.version.Version] = map[string]rest.Storage{}
			group = &info
			groups[b.version.Group] = group
		}
		store, err := b.newStore(getters.of(b))
		if err != nil {
			return nil, fmt.Errorf("%s.%s: %w", b.resource, b.version.Group, err)
		}
		all[store.DefaultQualifiedResource] = store
		b.addTo(group.VersionedResourcesStorageMap[b.version.Version], store)
	}
	for name, group := range groups {
		var err error
		if name == corev1.GroupName {
			err = server.InstallLegacyAPIGroup(genericapiserver.DefaultLegacyAPIPrefix, group)
		} else {
			err = server.InstallAPIGroup(group)
		}
		if err != nil {
			return nil, fmt.Errorf("group %q: %w", name, err)
		}
	}
	return all, nil
}

// newStore returns the store of the kind.
func (b builtin) newStore(getter generic.RESTOptionsGetter) (*registry.Store, error) {
	resource := b.version.WithResource(b.resource).GroupResource()
	rules := strategy{ObjectTyper: scheme, kind: b}
	store := &registry.Store{
		NewFunc:                   func() runtime.Object { return blank(b.object) },
		NewListFunc:               b.list,
		DefaultQualifiedResource:  resource,
		SingularQualifiedResource: schema.GroupResource{Group: b.version.Group, Resource: b.singular()},
		PredicateFunc: func(label labels.Selector, field fields.Selector) storage.SelectionPredicate {
			return storage.SelectionPredicate{Label: label, Field: field, GetAttrs: attributes}
		},
		CreateStrategy: rules,
		UpdateStrategy: rules,
		DeleteStrategy: rules,
		TableConvertor: rest.NewDefaultTableConvertor(resource),
	}
	if _, ok := b.object.(*corev1.Namespace); ok {
		store.ShouldDeleteDuringUpdate = func(_ context.Context, _ string, object, _ runtime.Object) bool {
			return len(object.(*corev1.Namespace).Spec.Finalizers) == 0
		}
	}
	return store, store.CompleteWithOptions(&generic.StoreOptions{RESTOptions: getter, AttrFunc: attributes})
}

// addTo adds the kind, and its subresources, to the resources of its version.
func (b builtin) addTo(resources map[string]rest.Storage, store *registry.Store) {
	rules := strategy{ObjectTyper: scheme, kind: b}
	served := resourceStorage{Store: store, shortNames: b.shortNames}
	resources[b.resource] = &served
	if b.hasStatus() {
		resources[b.resource+"/status"] = newPartStorage(store, statusStrategy{rules})
	}
	if b.version == corev1.SchemeGroupVersion && b.resource == "namespaces" {
		resources[b.resource] = &namespaceStorage{served}
		resources[b.resource+"/finalize"] = newPartStorage(store, finalizeStrategy{rules})
	}
}

// blank returns a new object of the same type.
func blank(object runtime.Object) runtime.Object {
	return reflect.New(reflect.TypeOf(object).Elem()).Interface().(runtime.Object)
}

// attributes returns the labels and fields for selectors: names, and fields that clients commonly select by.
func attributes(object runtime.Object) (labels.Set, fields.Set, error) {
	m, err := meta.Accessor(object)
	if err != nil {
		return nil, nil, err
	}
	set := fields.Set{"metadata.name": m.GetName(), "metadata.namespace": m.GetNamespace()}
	switch o := object.(type) {
	case *corev1.Event:
		about := o.InvolvedObject
		set["involvedObject.kind"] = about.Kind
		set["involvedObject.namespace"] = about.Namespace
		set["involvedObject.name"] = about.Name
		set["involvedObject.uid"] = string(about.UID)
		set["reason"] = o.Reason
		set["type"] = o.Type
	case *corev1.Pod:
		set["spec.nodeName"] = o.Spec.NodeName
		set["spec.serviceAccountName"] = o.Spec.ServiceAccountName
		set["status.phase"] = string(o.Status.Phase)
		set["status.podIP"] = o.Status.PodIP
	case *corev1.Secret:
		set["type"] = string(o.Type)
	case *corev1.Namespace:
		set["status.phase"] = string(o.Status.Phase)
	}
	return m.GetLabels(), set, nil
}
