// Package pods has a lister and code that changes what it returns. It imports little, so that go vet starts few processes.
package pods

import "cmp"

// Pod is an API object.
type Pod struct{ Name string }

func (p *Pod) DeepCopyObject() any { return &Pod{p.Name} }

// PodLister is a lister by its name.
type PodLister interface {
	Get(name string) (*Pod, error)
}

func change(pods PodLister) {
	pod, _ := pods.Get("web")
	pod.Name = cmp.Or(pod.Name, "web")
}

func changeCopy(pods PodLister) {
	pod, _ := pods.Get("web")
	pod = pod.DeepCopyObject().(*Pod)
	pod.Name = cmp.Or(pod.Name, "web")
}
