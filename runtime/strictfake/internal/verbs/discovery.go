package verbs

import (
	"cmp"
	"slices"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/codec"
)

var (
	objectVerbs      = metav1.Verbs{"delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"}
	subresourceVerbs = metav1.Verbs{"get", "patch", "update"}
	virtualVerbs     = metav1.Verbs{"create"}
)

// Resources returns the served resources in the form that fake discovery clients store.
func (s *Server) Resources() []*metav1.APIResourceList {
	s.store.Lock()
	defer s.store.Unlock()
	lists := map[string]*metav1.APIResourceList{}
	var all []*metav1.APIResourceList
	for _, k := range s.codec.Kinds() {
		if !k.IsServed() {
			continue
		}
		version := k.GroupVersion().String()
		list := lists[version]
		if list == nil {
			list = &metav1.APIResourceList{GroupVersion: version}
			lists[version] = list
			all = append(all, list)
		}
		object := metav1.APIResource{Name: k.Resource, Namespaced: k.Namespaced, Kind: k.Kind, Verbs: objectVerbs}
		if k.Virtual {
			object.Verbs = virtualVerbs
		}
		object.SingularName, object.ShortNames, object.Categories = k.Schema().Names()
		if k.Rules != nil {
			object.SingularName, object.ShortNames, object.Categories = k.Rules.Singular, k.Rules.ShortNames, k.Rules.Categories
			object.Verbs = k.Rules.Verbs
		}
		list.APIResources = append(list.APIResources, object)
		if k.Has(codec.Status) {
			status := object
			status.Name, status.Verbs = object.Name+"/"+codec.Status, subresourceVerbs
			status.SingularName, status.ShortNames, status.Categories = "", nil, nil
			list.APIResources = append(list.APIResources, status)
		}
		list.APIResources = append(list.APIResources, others(k)...)
		if k.Has(codec.Scale) {
			scale := object
			scale.Name, scale.Verbs = object.Name+"/"+codec.Scale, subresourceVerbs
			scale.SingularName, scale.ShortNames, scale.Categories = "", nil, nil
			of := autoscalingv1.SchemeGroupVersion
			scale.Group, scale.Version, scale.Kind = of.Group, of.Version, "Scale"
			list.APIResources = append(list.APIResources, scale)
		}
	}
	for _, list := range all {
		slices.SortFunc(list.APIResources, func(a, b metav1.APIResource) int { return cmp.Compare(a.Name, b.Name) })
	}
	slices.SortFunc(all, func(a, b *metav1.APIResourceList) int { return cmp.Compare(a.GroupVersion, b.GroupVersion) })
	return all
}

// others returns the subresources of a kind of Kubernetes other than status and scale.
func others(k *codec.Kind) (resources []metav1.APIResource) {
	if k.Rules == nil {
		return nil
	}
	for _, sub := range k.Rules.Subresources {
		if sub.Name == codec.Status || sub.Name == codec.Scale {
			continue
		}
		resource := metav1.APIResource{
			Name: k.Resource + "/" + sub.Name, Namespaced: k.Namespaced, Kind: sub.Kind, Verbs: sub.Verbs,
		}
		if sub.Group != k.Group || sub.Version != k.Version {
			resource.Group, resource.Version = sub.Group, sub.Version
		}
		resources = append(resources, resource)
	}
	return resources
}
