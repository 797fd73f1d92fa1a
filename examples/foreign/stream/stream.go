// Package stream reconciles streams.
package stream

import (
	"context"
	"errors"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/events"

	brokersv1 "github.com/informer-gen-lite/informer-gen-lite/examples/foreign/apis/brokers/v1"
	datav1alpha1 "github.com/informer-gen-lite/informer-gen-lite/examples/foreign/apis/data/v1alpha1"
	brokersv1apply "github.com/informer-gen-lite/informer-gen-lite/examples/foreign/generated/applyconfiguration/brokers/v1"
	clientset "github.com/informer-gen-lite/informer-gen-lite/examples/foreign/generated/clientset/versioned"
	datacontrollers "github.com/informer-gen-lite/informer-gen-lite/examples/foreign/generated/controllers/data/v1alpha1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// FieldManager is the controller's name in managed fields and events.
const FieldManager = "stream-controller"

// reconciler reconciles streams.
type reconciler struct {
	client     clientset.Interface
	writer     controller.Writer
	controller *datacontrollers.StreamController
}

// New returns a controller for streams. Start it with Run.
func New(client clientset.Interface, recorder events.EventRecorder) (*datacontrollers.StreamController, error) {
	r := &reconciler{client: client}
	r.writer = controller.Writer{Owner: datacontrollers.StreamKind, FieldManager: FieldManager, Recorder: recorder}
	var err error
	r.controller, err = datacontrollers.NewStreamController(client, r, controller.WithEventRecorder(recorder),
		controller.WithInformers(informer.WithManagedFields(FieldManager))) // by which Sync finds differences
	return r.controller, err
}

// Reconcile is called after an event about the stream, its topic or its broker.
func (r *reconciler) Reconcile(ctx context.Context, stream *datav1alpha1.Stream) (result controller.Result, err error) {
	before := stream.DeepCopy()
	ready, err := r.work(ctx, stream)
	if controller.IsLockConflict(err) {
		return result, err // requeued, and retried with the newer version
	}
	if err != nil {
		ready = metav1.Condition{Status: metav1.ConditionFalse, Reason: controller.ReasonOf(err), Message: err.Error()}
	}
	ready.Type = "Ready"
	datacontrollers.SetStreamCondition(stream, ready)
	_, statusErr := datacontrollers.UpdateStreamStatus(ctx, r.client, before, stream)
	if controller.IsNotFound(statusErr) {
		statusErr = nil // the object is gone: ReconcileDeleted follows
	}
	return result, errors.Join(err, statusErr)
}

// ReconcileDeleted is called after the stream is gone. The garbage collector deletes its topic.
func (*reconciler) ReconcileDeleted(context.Context, cache.ObjectName) error { return nil }

// work writes the topic, and returns what its operator says about it.
func (r *reconciler) work(ctx context.Context, stream *datav1alpha1.Stream) (ready metav1.Condition, err error) {
	broker, err := r.controller.Broker(ctx, stream)
	if err != nil {
		return ready, err // the stream waits for the broker
	}
	if err := controller.Sync(ctx, r.writer, stream, r.controller.OwnedTopics,
		controller.Apply(r.client.BrokersV1().Topics, brokersv1apply.ExtractTopic, desired(stream, broker))); err != nil {
		return ready, err
	}
	owned, err := r.controller.OwnedTopics(stream)
	ready = metav1.Condition{Status: metav1.ConditionUnknown, Reason: "Pending"}
	for _, topic := range owned {
		if status := topic.Ready(); status != "" {
			ready = metav1.Condition{Status: metav1.ConditionStatus(status), Reason: "Topic"}
		}
	}
	return ready, err
}

// desired returns the topic of a stream. Its configuration is JSON, because the definition leaves its properties open.
func desired(stream *datav1alpha1.Stream, broker *brokersv1.Broker) []*brokersv1apply.TopicApplyConfiguration {
	spec := brokersv1apply.TopicSpec().WithBroker(broker.Name).WithCleanupPolicy(brokersv1.TopicCleanupPolicyCompact)
	if broker.Spec != nil {
		spec.WithReplicas(min(broker.Spec.Replicas, 3))
	}
	if keep := stream.Spec.Keep; keep != nil {
		config := fmt.Sprintf(`{"retention.ms":%d}`, keep.Milliseconds())
		spec.WithCleanupPolicy(brokersv1.TopicCleanupPolicyDelete).WithConfig(runtime.RawExtension{Raw: []byte(config)})
	}
	return []*brokersv1apply.TopicApplyConfiguration{brokersv1apply.Topic(stream.Name, stream.Namespace).WithSpec(spec)}
}
