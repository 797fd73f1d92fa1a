// Package pods has a lister and code that changes what it returns. Its only dependencies are in the standard library.
package pods

import "slices"

// Pod is an API object.
type Pod struct{ Names []string }

func (p *Pod) DeepCopyObject() any { return &Pod{slices.Clone(p.Names)} }

// PodLister is a lister by its name.
type PodLister interface {
	Get(name string) (*Pod, error)
}

func change(pods PodLister) {
	pod, _ := pods.Get("web")
	pod.Names = nil
}

func changeCopy(pods PodLister) {
	pod, _ := pods.Get("web")
	pod = pod.DeepCopyObject().(*Pod)
	pod.Names = nil
}
