package e2e

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/ptr"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
)

// strangers are handwritten deployments with names that workloads need. It is safe for concurrent use.
type strangers struct {
	kube    kubernetes.Interface
	lock    sync.Mutex
	created map[cache.ObjectName]*appsv1.Deployment
}

func newStrangers(kube kubernetes.Interface) *strangers {
	return &strangers{kube: kube, created: map[cache.ObjectName]*appsv1.Deployment{}}
}

// stranger returns a deployment that differs from the deployment of any workload.
func stranger(name cache.ObjectName) *appsv1.Deployment {
	labels := map[string]string{"app": "payments"}
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Namespace: name.Namespace, Name: name.Name},
		Spec: appsv1.DeploymentSpec{
			Replicas: ptr.To[int32](7),
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "payments", Image: "payments:prod"}}},
			},
		},
	}
}

func isStranger(d *appsv1.Deployment) bool { return d.Spec.Template.Labels["app"] == "payments" }

// come creates a stranger. It has no effect if there is one already, or if a workload currently has that name.
func (s *strangers) come(ctx context.Context, name cache.ObjectName) error {
	created, err := s.kube.AppsV1().Deployments(name.Namespace).Create(ctx, stranger(name), metav1.CreateOptions{FieldManager: "human"})
	if apierrors.IsAlreadyExists(err) {
		created, err = s.kube.AppsV1().Deployments(name.Namespace).Get(ctx, name.Name, metav1.GetOptions{})
		if controller.IsNotFound(err) || err == nil && !isStranger(created) {
			return nil
		} // otherwise the reply was lost
	}
	if err != nil {
		return err
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	s.created[name] = created
	return nil
}

// has reports whether a stranger has a name.
func (s *strangers) has(name cache.ObjectName) bool {
	if s == nil {
		return false
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.created[name] != nil
}

// check checks that all strangers are unchanged, except for their status and related fields.
func (s *strangers) check(t *testing.T) {
	t.Helper()
	for name, created := range s.created {
		now, err := s.kube.AppsV1().Deployments(name.Namespace).Get(t.Context(), name.Name, metav1.GetOptions{})
		require.NoError(t, err, name)
		assert.Equal(t, created.UID, now.UID, name)
		assert.Equal(t, created.Generation, now.Generation, name)
		assert.Equal(t, created.Spec, now.Spec, name)
		assert.Empty(t, now.OwnerReferences, name)
		assert.Empty(t, now.Labels, name)
		for _, entry := range now.ManagedFields {
			assert.NotEqual(t, controllerAgent, entry.Manager, name)
		}
	}
}

// leave deletes all strangers and returns their number.
func (s *strangers) leave(t *testing.T) int {
	t.Helper()
	for name := range s.created {
		require.NoError(t, s.kube.AppsV1().Deployments(name.Namespace).Delete(t.Context(), name.Name, metav1.DeleteOptions{}), name)
	}
	n := len(s.created)
	s.created = map[cache.ObjectName]*appsv1.Deployment{}
	return n
}
