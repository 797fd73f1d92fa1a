package region

import (
	clientset "github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/scheme"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/manager"
)

// Add adds the controller to a manager.
func Add(m *manager.Manager) error {
	client, err := manager.Client(m, clientset.NewForConfig)
	if err != nil {
		return err
	}
	recorder, err := m.Recorder(FieldManager, scheme.AddToScheme)
	if err != nil {
		return err
	}
	c, err := New(client, recorder, m.ControllerOptions(FieldManager)...)
	if err != nil {
		return err
	}
	return m.Add(c)
}
