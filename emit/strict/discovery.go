package strict

import (
	"cmp"
	"slices"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var (
	objectVerbs      = metav1.Verbs{"delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"}
	subresourceVerbs = metav1.Verbs{"get", "patch", "update"}
)

// announce updates the discovery clients of all clientsets.
func (s *Server) announce() {
	for _, fake := range s.fakes {
		fake.Resources = s.discovery()
	}
}

// discovery returns the served resources in the form that fake discovery clients store.
func (s *Server) discovery() []*metav1.APIResourceList {
	lists := map[string]*metav1.APIResourceList{}
	var all []*metav1.APIResourceList
	for _, k := range s.kinds {
		if served, _ := k.schema.Version(); !served {
			continue
		}
		version := k.GroupVersion().String()
		list := lists[version]
		if list == nil {
			list = &metav1.APIResourceList{GroupVersion: version}
			lists[version] = list
			all = append(all, list)
		}
		object := metav1.APIResource{Name: k.Resource, Namespaced: k.Namespaced, Kind: k.Kind.Kind, Verbs: objectVerbs}
		object.SingularName, object.ShortNames, object.Categories = k.schema.Names()
		list.APIResources = append(list.APIResources, object)
		if k.has(statusSubresource) {
			status := object
			status.Name, status.Verbs = object.Name+"/"+statusSubresource, subresourceVerbs
			status.SingularName, status.ShortNames, status.Categories = "", nil, nil
			list.APIResources = append(list.APIResources, status)
		}
		if k.has(scaleSubresource) {
			scale := object
			scale.Name, scale.Verbs = object.Name+"/"+scaleSubresource, subresourceVerbs
			scale.SingularName, scale.ShortNames, scale.Categories = "", nil, nil
			scale.Group, scale.Version, scale.Kind = autoscalingv1.SchemeGroupVersion.Group, autoscalingv1.SchemeGroupVersion.Version, "Scale"
			list.APIResources = append(list.APIResources, scale)
		}
	}
	for _, list := range all {
		slices.SortFunc(list.APIResources, func(a, b metav1.APIResource) int { return cmp.Compare(a.Name, b.Name) })
	}
	slices.SortFunc(all, func(a, b *metav1.APIResourceList) int { return cmp.Compare(a.GroupVersion, b.GroupVersion) })
	return all
}
