package robot

import (
	fleetv1 "example.com/fleet/api/v1"
	clientset "example.com/fleet/pkg/generated/clientset/versioned"
	controllers "example.com/fleet/pkg/generated/controllers"
	fleetv1controllers "example.com/fleet/pkg/generated/controllers/api/v1"
	"example.com/fleet/pkg/generated/controllers/tracing"
	informers "example.com/fleet/pkg/generated/informers/externalversions"
	listers "example.com/fleet/pkg/generated/listers/api/v1"
	"go.opentelemetry.io/otel/trace/noop"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kubeinformers "k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/events"
)

// NewSelective returns a controller for some robots, with its name and listers for everything that it watches.
func NewSelective(
	client clientset.Interface, kube kubernetes.Interface, recorder events.EventRecorder,
) (*fleetv1controllers.RobotController, schema.GroupResource, []any, error) {
	c, err := New(client, kube, recorder,
		controllers.WithLabelSelector(labels.SelectorFromSet(labels.Set{"season": "winter"})),
		controllers.WithFieldSelector(fields.OneTermNotEqualSelector("metadata.name", "none")),
		controllers.WithNamespaces("shop", "default"),
		controllers.WithTransform(func(object any) (any, error) {
			if robot, ok := object.(*fleetv1.Robot); ok {
				robot.Spec.Tools = nil
			}
			return object, nil
		}),
		controllers.WithMaxRetries(3),
		tracing.WithTracerProvider(noop.NewTracerProvider()),
	)
	if err != nil {
		return nil, schema.GroupResource{}, nil, err
	}
	var robots listers.RobotLister = c.Factory().Fleet().V1().Robots().Lister()
	var parts listers.PartLister = c.OwnedFactory().Fleet().V1().Parts().Lister()
	return c, c.Resource(), []any{robots, parts}, nil
}

// NewShared returns a controller that shares caches, and the function that ends them.
func NewShared(client clientset.Interface, kube kubernetes.Interface) (*fleetv1controllers.RobotController, func(), error) {
	factory, err := informers.New(client, informers.WithManagedFields(), informers.WithTransform(controllers.TrimManagedFields(FieldManager)))
	if err != nil {
		return nil, nil, err
	}
	r := &reconciler{client: client, kube: kube}
	r.controller, err = fleetv1controllers.NewRobotController(client, kube, r,
		controllers.WithFactory(factory), controllers.WithKubeFactory(kubeinformers.NewSharedInformerFactory(kube, 0)))
	return r.controller, factory.Shutdown, err
}
