package apiserver

import (
	"fmt"
	"reflect"

	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/storage"
)

// builtin is a kind of k8s.io/api.
type builtin struct {
	version      schema.GroupVersion
	resource     string
	singular     string
	shortNames   []string
	object, list runtime.Object
	cluster      bool // not in a namespace
	status       bool // with the status subresource
}

// builtins are the kinds that a controller and its leader election cannot do without. The two kinds of events are
// stored apart here; in a cluster they are two views of the same objects.
var builtins = []builtin{
	{version: corev1.SchemeGroupVersion, resource: "namespaces", singular: "namespace", shortNames: []string{"ns"}, object: &corev1.Namespace{}, list: &corev1.NamespaceList{}, cluster: true, status: true},
	{version: corev1.SchemeGroupVersion, resource: "configmaps", singular: "configmap", shortNames: []string{"cm"}, object: &corev1.ConfigMap{}, list: &corev1.ConfigMapList{}},
	{version: corev1.SchemeGroupVersion, resource: "events", singular: "event", shortNames: []string{"ev"}, object: &corev1.Event{}, list: &corev1.EventList{}},
	{version: eventsv1.SchemeGroupVersion, resource: "events", singular: "event", object: &eventsv1.Event{}, list: &eventsv1.EventList{}},
	{version: coordinationv1.SchemeGroupVersion, resource: "leases", singular: "lease", object: &coordinationv1.Lease{}, list: &coordinationv1.LeaseList{}},
	{version: appsv1.SchemeGroupVersion, resource: "deployments", singular: "deployment", shortNames: []string{"deploy"}, object: &appsv1.Deployment{}, list: &appsv1.DeploymentList{}, status: true},
}

var (
	// versioned knows the built-in kinds as clients know them.
	versioned = newScheme()
	// scheme knows each type as the internal version of itself as well, so that nothing needs to be converted.
	scheme = withInternal(newScheme())
	codecs = serializer.NewCodecFactory(scheme)
)

func newScheme() *runtime.Scheme {
	s := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{corev1.AddToScheme, eventsv1.AddToScheme, coordinationv1.AddToScheme, appsv1.AddToScheme} {
		utilruntime.Must(add(s))
	}
	return s
}

func withInternal(s *runtime.Scheme) *runtime.Scheme {
	unversioned := schema.GroupVersion{Version: "v1"}
	metav1.AddToGroupVersion(s, unversioned)
	s.AddUnversionedTypes(unversioned, &metav1.Status{}, &metav1.APIVersions{}, &metav1.APIGroupList{}, &metav1.APIGroup{}, &metav1.APIResourceList{})
	for _, b := range builtins {
		s.AddKnownTypes(schema.GroupVersion{Group: b.version.Group, Version: runtime.APIVersionInternal}, b.object, b.list)
	}
	utilruntime.Must(s.AddFieldLabelConversionFunc(corev1.SchemeGroupVersion.WithKind("Event"), func(label, value string) (string, string, error) {
		return label, value, nil // see attributes: what is not there matches nothing
	}))
	return s
}

// installBuiltins adds the built-in kinds to a server.
func installBuiltins(server *genericapiserver.GenericAPIServer, getter generic.RESTOptionsGetter) error {
	groups := map[string]*genericapiserver.APIGroupInfo{}
	for _, b := range builtins {
		group := groups[b.version.Group]
		if group == nil {
			info := genericapiserver.NewDefaultAPIGroupInfo(b.version.Group, scheme, runtime.NewParameterCodec(scheme), codecs)
			info.PrioritizedVersions = []schema.GroupVersion{b.version}
			info.VersionedResourcesStorageMap[b.version.Version] = map[string]rest.Storage{}
			group = &info
			groups[b.version.Group] = group
		}
		if err := b.addTo(group.VersionedResourcesStorageMap[b.version.Version], getter); err != nil {
			return fmt.Errorf("%s.%s: %w", b.resource, b.version.Group, err)
		}
	}
	for name, group := range groups {
		var err error
		if name == corev1.GroupName {
			err = server.InstallLegacyAPIGroup(genericapiserver.DefaultLegacyAPIPrefix, group)
		} else {
			err = server.InstallAPIGroup(group)
		}
		if err != nil {
			return fmt.Errorf("group %q: %w", name, err)
		}
	}
	return nil
}

// addTo adds the kind, and its status if it has one, to the resources of its version.
func (b builtin) addTo(resources map[string]rest.Storage, getter generic.RESTOptionsGetter) error {
	resource := b.version.WithResource(b.resource).GroupResource()
	rules := strategy{ObjectTyper: scheme, kind: b}
	store := &registry.Store{
		NewFunc:                   func() runtime.Object { return blank(b.object) },
		NewListFunc:               func() runtime.Object { return blank(b.list) },
		DefaultQualifiedResource:  resource,
		SingularQualifiedResource: schema.GroupResource{Group: b.version.Group, Resource: b.singular},
		PredicateFunc: func(label labels.Selector, field fields.Selector) storage.SelectionPredicate {
			return storage.SelectionPredicate{Label: label, Field: field, GetAttrs: attributes}
		},
		CreateStrategy: rules,
		UpdateStrategy: rules,
		DeleteStrategy: rules,
		TableConvertor: rest.NewDefaultTableConvertor(resource),
	}
	if err := store.CompleteWithOptions(&generic.StoreOptions{RESTOptions: getter, AttrFunc: attributes}); err != nil {
		return err
	}
	resources[b.resource] = &resourceStorage{Store: store, shortNames: b.shortNames}
	if b.status {
		status := *store
		status.UpdateStrategy = statusStrategy{rules}
		resources[b.resource+"/status"] = &statusStorage{store: &status}
	}
	return nil
}

// blank returns a new object of the same type.
func blank(object runtime.Object) runtime.Object {
	return reflect.New(reflect.TypeOf(object).Elem()).Interface().(runtime.Object)
}

// attributes are what selectors can ask for. Those of an event are what `kubectl describe` looks for.
func attributes(object runtime.Object) (labels.Set, fields.Set, error) {
	m, err := meta.Accessor(object)
	if err != nil {
		return nil, nil, err
	}
	set := fields.Set{"metadata.name": m.GetName(), "metadata.namespace": m.GetNamespace()}
	if event, ok := object.(*corev1.Event); ok {
		about := event.InvolvedObject
		set["involvedObject.kind"] = about.Kind
		set["involvedObject.namespace"] = about.Namespace
		set["involvedObject.name"] = about.Name
		set["involvedObject.uid"] = string(about.UID)
		set["reason"] = event.Reason
		set["type"] = event.Type
	}
	return m.GetLabels(), set, nil
}
