package v1

import "k8s.io/utils/ptr"

// Ready returns the status of the condition Ready, which is empty before the operator has set it.
func (t *Topic) Ready() string {
	if t.Status != nil {
		for _, c := range t.Status.Conditions {
			if ptr.Deref(c.Type, "") == "Ready" {
				return ptr.Deref(c.Status, "")
			}
		}
	}
	return ""
}
