package builtin

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
)

// DefaultReplicas is the number of replicas of a workload that does not say how many it wants.
const DefaultReplicas = 1

// Selector returns the selector of a workload's pods, as a server puts it into the status of the scale. Kinds have one of two forms:
// a map of labels, or a metav1.LabelSelector.
func Selector(u *unstructured.Unstructured) (string, error) {
	value, _, err := unstructured.NestedFieldNoCopy(u.Object, "spec", "selector")
	if err != nil || value == nil {
		return "", err
	}
	data, err := json.Marshal(value)
	if err != nil {
		return "", err
	}
	if u.GetKind() == "ReplicationController" {
		var set labels.Set
		err := json.Unmarshal(data, &set)
		return set.String(), err
	}
	var selector metav1.LabelSelector
	if err := json.Unmarshal(data, &selector); err != nil {
		return "", err
	}
	parsed, err := metav1.LabelSelectorAsSelector(&selector)
	if err != nil {
		return "", err
	}
	return parsed.String(), nil
}
