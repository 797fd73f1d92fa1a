package workload

import (
	clientset "github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/scheme"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/manager"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	appsv1apply "k8s.io/client-go/applyconfigurations/apps/v1"
	corev1apply "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/kubernetes"
)

// Add adds the controller to a manager.
func Add(m *manager.Manager) error {
	client, err := manager.Client(m, clientset.NewForConfig)
	if err != nil {
		return err
	}
	kube, err := manager.Client(m, kubernetes.NewForConfig)
	if err != nil {
		return err
	}
	recorder, err := m.Recorder(FieldManager, scheme.AddToScheme)
	if err != nil {
		return err
	}
	c, err := New(client, kube, recorder, m.ControllerOptions(FieldManager)...)
	if err != nil {
		return err
	}
	m.Prepare(func() { _, _ = appsv1apply.ExtractDeployment(&appsv1.Deployment{}, FieldManager) }) // parses the schema
	m.Prepare(func() { _, _ = corev1apply.ExtractConfigMap(&corev1.ConfigMap{}, FieldManager) })   // parses the schema
	return m.Add(c)
}
