package builtin

import (
	"fmt"
	"maps"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Bind assigns a pod to a node, as the scheduler does. It returns why the pod cannot be assigned.
func Bind(pod *corev1.Pod, binding *corev1.Binding, now metav1.Time) error {
	switch {
	case pod.DeletionTimestamp != nil:
		return fmt.Errorf("pod %s is being deleted, cannot be assigned to a host", pod.Name)
	case pod.Spec.NodeName != "":
		return fmt.Errorf("pod %v is already assigned to node %q", pod.Name, pod.Spec.NodeName)
	case len(pod.Spec.SchedulingGates) > 0:
		return fmt.Errorf("pod %v has non-empty .spec.schedulingGates", pod.Name)
	}
	pod.Spec.NodeName, pod.Status.NominatedNodeName = binding.Target.Name, ""
	pod.Annotations, pod.Labels = joined(pod.Annotations, binding.Annotations), joined(pod.Labels, binding.Labels)
	setCondition(pod, corev1.PodCondition{Type: corev1.PodScheduled, Status: corev1.ConditionTrue}, now)
	return nil
}

// joined returns a map with the entries of both.
func joined(a, b map[string]string) map[string]string {
	if len(b) == 0 {
		return a
	}
	all := maps.Clone(a)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, b)
	return all
}

// Resize returns the spec of a pod after a resize: only the resources of its containers change.
func Resize(wanted, old map[string]any) map[string]any {
	resized := maps.Clone(old)
	for _, list := range []string{"containers", "initContainers"} {
		before, ok := old[list].([]any)
		if !ok {
			continue
		}
		containers := make([]any, len(before))
		for i, container := range before {
			containers[i] = resizeContainer(container, wanted[list])
		}
		resized[list] = containers
	}
	if resources, ok := wanted["resources"]; ok {
		resized["resources"] = resources
	}
	return resized
}

// resizeContainer returns a container with the resources of the wanted one with the same name.
func resizeContainer(container, wanted any) any {
	old, _ := container.(map[string]any)
	list, _ := wanted.([]any)
	for _, candidate := range list {
		other, _ := candidate.(map[string]any)
		if old == nil || other["name"] != old["name"] {
			continue
		}
		resized := maps.Clone(old)
		for _, name := range []string{"resources", "resizePolicy"} {
			if value, ok := other[name]; ok {
				resized[name] = value
			} else {
				delete(resized, name)
			}
		}
		return resized
	}
	return container
}
