package stream

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/events"

	brokersv1 "github.com/informer-gen-lite/informer-gen-lite/examples/foreign/apis/brokers/v1"
	datav1alpha1 "github.com/informer-gen-lite/informer-gen-lite/examples/foreign/apis/data/v1alpha1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/foreign/generated/clientset/versioned/fake"
	datacontrollers "github.com/informer-gen-lite/informer-gen-lite/examples/foreign/generated/controllers/data/v1alpha1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/controllertest"
)

func newStream() *datav1alpha1.Stream {
	return &datav1alpha1.Stream{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "orders"}, Spec: datav1alpha1.StreamSpec{Broker: "main"},
	}
}

func newBroker(servers int64) *brokersv1.Broker {
	return &brokersv1.Broker{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "main"}, Spec: &brokersv1.BrokerSpec{Replicas: servers},
	}
}

// TestReconcile reconciles a stream once.
func TestReconcile(t *testing.T) {
	compacted := brokersv1.TopicSpec{
		Broker: "main", Replicas: new(int64(2)), CleanupPolicy: new(brokersv1.TopicCleanupPolicyCompact),
	}
	for name, test := range map[string]struct {
		keep    *metav1.Duration
		brokers []runtime.Object
		want    []brokersv1.TopicSpec
		reason  string
	}{
		"no broker":    {nil, nil, nil, controller.ReasonWaiting},
		"small broker": {nil, []runtime.Object{newBroker(2)}, []brokersv1.TopicSpec{compacted}, "Pending"},
		"not specified": {nil, []runtime.Object{&brokersv1.Broker{ObjectMeta: newBroker(0).ObjectMeta}}, []brokersv1.TopicSpec{{
			Broker: "main", CleanupPolicy: compacted.CleanupPolicy,
		}}, "Pending"},
		"large broker": {&metav1.Duration{Duration: time.Minute}, []runtime.Object{newBroker(9)}, []brokersv1.TopicSpec{{
			Broker: "main", Replicas: new(int64(3)), CleanupPolicy: new(brokersv1.TopicCleanupPolicyDelete),
			Config: &runtime.RawExtension{Raw: []byte(`{"retention.ms":60000}`)},
		}}, "Pending"},
	} {
		t.Run(name, func(t *testing.T) {
			stream := newStream()
			stream.Spec.Keep = test.keep
			client := fake.NewStrictClientset()
			env := controllertest.New(t, client)
			got := controllertest.Reconcile(env, func() (*datacontrollers.StreamController, error) {
				return New(client, env.Recorder)
			}, stream, test.brokers...)
			assert.Equal(t, test.want == nil, got.Err != nil, got.Err)
			condition := meta.FindStatusCondition(got.Object.Status.Conditions, "Ready")
			require.NotNil(t, condition)
			assert.Equal(t, test.reason, condition.Reason)
			topics, err := client.BrokersV1().Topics("shop").List(t.Context(), metav1.ListOptions{})
			require.NoError(t, err)
			var specs []brokersv1.TopicSpec
			for _, topic := range topics.Items {
				specs = append(specs, topic.Spec)
				assert.True(t, metav1.IsControlledBy(&topic, got.Object))
			}
			assert.Equal(t, test.want, specs)
		})
	}
}

// TestRun creates the broker after the stream, and acts for the operator.
func TestRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		client := fake.NewStrictClientset(newStream())
		c, err := New(client, &events.FakeRecorder{})
		require.NoError(t, err)
		ended := make(chan error)
		go func() { ended <- c.Run(ctx) }()
		topics := client.BrokersV1().Topics("shop")
		reason := func() string {
			synctest.Wait()
			stream, err := client.DataV1alpha1().Streams("shop").Get(ctx, "orders", metav1.GetOptions{})
			require.NoError(t, err)
			require.Len(t, stream.Status.Conditions, 1)
			return stream.Status.Conditions[0].Reason + " " + string(stream.Status.Conditions[0].Status)
		}
		assert.Equal(t, "Waiting False", reason())

		_, err = client.BrokersV1().Brokers("shop").Create(ctx, newBroker(1), metav1.CreateOptions{})
		require.NoError(t, err)
		assert.Equal(t, "Pending Unknown", reason())

		topic, err := topics.Get(ctx, "orders", metav1.GetOptions{})
		require.NoError(t, err)
		topic.Status = &brokersv1.TopicStatus{Conditions: []brokersv1.Condition{
			{Type: new("Healthy"), Status: new("False")}, {Type: new("Ready"), Status: new("True")},
		}}
		_, err = topics.UpdateStatus(ctx, topic, metav1.UpdateOptions{})
		require.NoError(t, err)
		assert.Equal(t, "Topic True", reason())

		require.NoError(t, topics.Delete(ctx, "orders", metav1.DeleteOptions{}))
		assert.Equal(t, "Pending Unknown", reason(), "it is created again")
		cancel()
		require.NoError(t, <-ended)
	})
}
