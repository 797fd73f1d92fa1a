package builtin

import (
	"errors"
	"fmt"
	"net/http"
	"slices"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

const (
	// maxDisrupted is how many unconfirmed evictions a budget can have.
	maxDisrupted = 2000
	// retrySeconds is the time after which clients are asked to try again, in seconds.
	retrySeconds = 10
)

// Budget returns the budget that has to allow the eviction of a pod, or nil if the eviction needs no budget. As on a server, that depends
// on the phase and readiness of the pod, and on the selectors and status of the budgets. Budgets without a written status do not count: in
// a test, no controller writes the status.
func Budget(pod *corev1.Pod, budgets []*policyv1.PodDisruptionBudget) (*policyv1.PodDisruptionBudget, error) {
	unguarded := []corev1.PodPhase{corev1.PodSucceeded, corev1.PodFailed, corev1.PodPending}
	if slices.Contains(unguarded, pod.Status.Phase) || pod.DeletionTimestamp != nil {
		return nil, nil
	}
	var found *policyv1.PodDisruptionBudget
	for _, budget := range budgets {
		selector, err := metav1.LabelSelectorAsSelector(budget.Spec.Selector)
		if err != nil || !selector.Matches(labels.Set(pod.Labels)) || budget.Status.ObservedGeneration == 0 {
			continue
		}
		if found != nil {
			return nil, &apierrors.StatusError{ErrStatus: metav1.Status{
				Status: metav1.StatusFailure, Code: http.StatusInternalServerError,
				Message: "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
			}}
		}
		found = budget
	}
	if found == nil || !isReady(pod) && toleratesUnready(found) {
		return nil, nil
	}
	return found, nil
}

func isReady(pod *corev1.Pod) bool {
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.PodReady {
			return condition.Status == corev1.ConditionTrue
		}
	}
	return false
}

// toleratesUnready reports whether pods that are not ready may be evicted without asking the budget.
func toleratesUnready(budget *policyv1.PodDisruptionBudget) bool {
	policy := budget.Spec.UnhealthyPodEvictionPolicy
	status := budget.Status
	return policy != nil && *policy == policyv1.AlwaysAllow ||
		status.CurrentHealthy >= status.DesiredHealthy && status.DesiredHealthy > 0
}

// Disrupt counts the eviction of a pod in the status of a budget. It returns a server's error if the budget does not allow it.
func Disrupt(budget *policyv1.PodDisruptionBudget, pod string, now metav1.Time) error {
	status := &budget.Status
	switch {
	case status.ObservedGeneration < budget.Generation:
		return refused(apierrors.NewTooManyRequests(violated, retrySeconds),
			fmt.Sprintf("The disruption budget %s is still being processed by the server.", budget.Name))
	case status.DisruptionsAllowed < 0:
		return refused(forbidden(budget, "pdb disruptions allowed is negative"), fmt.Sprintf(
			"The disruption budget %s does not allow evicting pods currently: pdb disruptions allowed is negative", budget.Name))
	case len(status.DisruptedPods) > maxDisrupted:
		return refused(forbidden(budget, "DisruptedPods map too big - too many evictions not confirmed by PDB controller"), fmt.Sprintf(
			"The disruption budget %s does not allow evicting pods currently: "+
				"too many pending evictions not confirmed by PDB controller", budget.Name))
	case status.DisruptionsAllowed == 0:
		return refused(apierrors.NewTooManyRequests(violated, 0), reason(budget))
	}
	status.DisruptionsAllowed--
	if status.DisruptionsAllowed == 0 {
		meta.SetStatusCondition(&status.Conditions, metav1.Condition{
			Type: policyv1.DisruptionAllowedCondition, Status: metav1.ConditionFalse, Reason: policyv1.InsufficientPodsReason,
			ObservedGeneration: status.ObservedGeneration, LastTransitionTime: now,
		})
	}
	if status.DisruptedPods == nil {
		status.DisruptedPods = map[string]metav1.Time{}
	}
	status.DisruptedPods[pod] = now
	return nil
}

// violated is the message of a server that tells a client to wait.
const violated = "Cannot evict pod as it would violate the pod's disruption budget."

func forbidden(budget *policyv1.PodDisruptionBudget, why string) *apierrors.StatusError {
	resource := schema.GroupResource{Group: policyv1.GroupName, Resource: "poddisruptionbudget"} // servers use the singular
	return apierrors.NewForbidden(resource, budget.Name, errors.New(why))
}

// refused adds the cause that clients look for.
func refused(err *apierrors.StatusError, cause string) error {
	err.ErrStatus.Details.Causes = append(err.ErrStatus.Details.Causes,
		metav1.StatusCause{Type: policyv1.DisruptionBudgetCause, Message: cause})
	return err
}

// reason says why a budget allows no disruption.
func reason(budget *policyv1.PodDisruptionBudget) string {
	status := budget.Status
	condition := meta.FindStatusCondition(status.Conditions, policyv1.DisruptionAllowedCondition)
	isExplained := condition != nil && condition.Status == metav1.ConditionFalse && condition.Message != ""
	switch {
	case isExplained && condition.Reason == policyv1.SyncFailedReason:
		return fmt.Sprintf("The disruption budget %s does not allow evicting pods currently because it failed sync: %s",
			budget.Name, condition.Message)
	case status.CurrentHealthy <= status.DesiredHealthy:
		return fmt.Sprintf("The disruption budget %s needs %d healthy pods and has %d currently",
			budget.Name, status.DesiredHealthy, status.CurrentHealthy)
	case isExplained:
		return fmt.Sprintf("The disruption budget %s does not allow evicting pods currently (%s): %s",
			budget.Name, condition.Reason, condition.Message)
	}
	return fmt.Sprintf("The disruption budget %s does not allow evicting pods currently", budget.Name)
}

// MarkEvicted adds the condition that says why a pod is deleted.
func MarkEvicted(pod *corev1.Pod, now metav1.Time) {
	setCondition(pod, corev1.PodCondition{
		Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, Reason: "EvictionByEvictionAPI", Message: "Eviction API: evicting",
	}, now)
}

// setCondition sets a condition of a pod. Its transition time changes with its status.
func setCondition(pod *corev1.Pod, condition corev1.PodCondition, now metav1.Time) {
	condition.LastTransitionTime = now
	for i, before := range pod.Status.Conditions {
		if before.Type != condition.Type {
			continue
		}
		if before.Status == condition.Status {
			condition.LastTransitionTime = before.LastTransitionTime
		}
		pod.Status.Conditions[i] = condition
		return
	}
	pod.Status.Conditions = append(pod.Status.Conditions, condition)
}
