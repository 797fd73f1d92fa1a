package controllers

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
)

// reportReady updates the status of a Deployment as if all of its replicas ran.
func (c *Controllers) reportReady(ctx context.Context, deployment *appsv1.Deployment) error {
	replicas := ptr.Deref(deployment.Spec.Replicas, 1)
	status := appsv1.DeploymentStatus{
		ObservedGeneration: deployment.Generation,
		Replicas:           replicas, UpdatedReplicas: replicas, ReadyReplicas: replicas, AvailableReplicas: replicas,
		Conditions: []appsv1.DeploymentCondition{{
			Type: appsv1.DeploymentAvailable, Status: corev1.ConditionTrue, Reason: "MinimumReplicasAvailable",
			LastTransitionTime: deployment.CreationTimestamp, LastUpdateTime: deployment.CreationTimestamp,
		}},
	}
	if equality.Semantic.DeepEqual(deployment.Status, status) {
		return nil
	}
	deployment = deployment.DeepCopy()
	deployment.Status = status
	_, err := c.kube.AppsV1().Deployments(deployment.Namespace).UpdateStatus(ctx, deployment, metav1.UpdateOptions{})
	return err
}
