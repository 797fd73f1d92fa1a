package e2e

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/events"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
	brokersv1 "github.com/informer-gen-lite/informer-gen-lite/examples/foreign/apis/brokers/v1"
	datav1alpha1 "github.com/informer-gen-lite/informer-gen-lite/examples/foreign/apis/data/v1alpha1"
	foreignclient "github.com/informer-gen-lite/informer-gen-lite/examples/foreign/generated/clientset/versioned"
	"github.com/informer-gen-lite/informer-gen-lite/examples/foreign/stream"
)

// startForeign starts a server with the operator's own definitions.
func startForeign(t *testing.T) (foreignclient.Interface, dynamic.Interface) {
	t.Helper()
	server := apiservertest.Start(t, apiservertest.Options{
		CRDPaths: []string{"../../examples/foreign/crds", "../../examples/foreign/config/crd"}, AnyNamespace: true,
	})
	client, err := foreignclient.NewForConfigAndClient(server.Config(), httpClientFor(t, server.Config()))
	require.NoError(t, err)
	_, objects := connect(t, server.Config())
	return client, objects
}

func newBroker() *brokersv1.Broker {
	return &brokersv1.Broker{ObjectMeta: metav1.ObjectMeta{Name: "main"}, Spec: &brokersv1.BrokerSpec{
		Replicas:    5,
		Listeners:   []brokersv1.BrokerListener{{Name: "tls", Port: 9093, TLS: new(true), Type: brokersv1.BrokerListenersTypeLoadBalancer}},
		IdleTimeout: new("7d"),
		Storage:     &brokersv1.BrokerStorage{Type: brokersv1.BrokerStorageTypePersistentClaim, Size: new(resource.MustParse("10Gi"))},
		Config:      &runtime.RawExtension{Raw: []byte(`{"log.level":"debug","limits":{"topics":10}}`)},
	}}
}

// TestForeignController runs a controller of the examples that owns and refers to imported kinds, and acts for their operator.
func TestForeignController(t *testing.T) {
	client, _ := startForeign(t)
	ctx, cancel := context.WithCancel(within(t))
	c, err := stream.New(client, &events.FakeRecorder{})
	require.NoError(t, err)
	ended := make(chan error, 1)
	go func() { ended <- c.Run(ctx) }()

	keep := &metav1.Duration{Duration: time.Minute}
	streams, topics := client.DataV1alpha1().Streams("shop"), client.BrokersV1().Topics("shop")
	created, err := streams.Create(ctx, &datav1alpha1.Stream{
		ObjectMeta: metav1.ObjectMeta{Name: "orders"}, Spec: datav1alpha1.StreamSpec{Broker: "main", Keep: keep},
	}, metav1.CreateOptions{})
	require.NoError(t, err)
	watcher, err := streams.Watch(ctx, metav1.SingleObject(created.ObjectMeta))
	require.NoError(t, err)
	defer watcher.Stop()
	waitForReason := func(reason string) {
		t.Helper()
		for event := range watcher.ResultChan() {
			s, ok := event.Object.(*datav1alpha1.Stream)
			require.True(t, ok, event)
			if ready := meta.FindStatusCondition(s.Status.Conditions, "Ready"); ready != nil && ready.Reason == reason {
				return
			}
		}
		require.Fail(t, "the watch ended", "before the reason was %s", reason)
	}
	waitForReason("Waiting")

	_, err = client.BrokersV1().Brokers("shop").Create(ctx, newBroker(), metav1.CreateOptions{})
	require.NoError(t, err)
	waitForReason("Pending")
	topic, err := topics.Get(ctx, "orders", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, brokersv1.TopicSpec{
		Broker: "main", Replicas: new(int64(3)), CleanupPolicy: new(brokersv1.TopicCleanupPolicyDelete),
		Partitions: new(int64(1)), // the server's default
		Config:     &runtime.RawExtension{Raw: []byte(`{"retention.ms":60000}`)},
	}, topic.Spec)

	topic.Status = &brokersv1.TopicStatus{Conditions: []brokersv1.Condition{{Type: new("Ready"), Status: new("True")}}}
	_, err = topics.UpdateStatus(ctx, topic, metav1.UpdateOptions{})
	require.NoError(t, err)
	waitForReason("Topic")
	cancel()
	require.NoError(t, <-ended)
}

// TestForeignObjects writes an imported kind with the typed client, and its JSON without types.
func TestForeignObjects(t *testing.T) {
	client, objects := startForeign(t)
	ctx := within(t)
	brokers := client.BrokersV1().Brokers("shop")
	created, err := brokers.Create(ctx, newBroker(), metav1.CreateOptions{})
	require.NoError(t, err, "servers accept 7d as a duration, which Go does not")
	assert.JSONEq(t, `{"log.level":"debug","limits":{"topics":10}}`, string(created.Spec.Config.Raw))
	created.Spec.IdleTimeout = nil
	updated, err := brokers.Update(ctx, created, metav1.UpdateOptions{})
	require.NoError(t, err)
	assert.Nil(t, updated.Spec.IdleTimeout)
	assert.JSONEq(t, `{"log.level":"debug","limits":{"topics":10}}`, string(updated.Spec.Config.Raw))

	scale, err := brokers.UpdateScale(ctx, "main", &autoscalingv1.Scale{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "main"}, Spec: autoscalingv1.ScaleSpec{Replicas: 2},
	}, metav1.UpdateOptions{})
	require.NoError(t, err)
	assert.Equal(t, int32(2), scale.Spec.Replicas)

	resource := objects.Resource(brokersv1.SchemeGroupVersion.WithResource("brokers")).Namespace("shop")
	object := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "brokers.example.org/v1", "kind": "Broker", "metadata": map[string]any{"name": "other"}, "spec": map[string]any{
			"replicas": int64(1), "version": nil, "rollingUpdate": nil,
			"listeners": []any{map[string]any{"name": "tls", "port": int64(9093), "type": "internal", "tls": nil}},
		},
	}}
	got, err := resource.Create(ctx, object, metav1.CreateOptions{})
	require.NoError(t, err)
	assert.Equal(t, map[string]any{
		"replicas": int64(1), "listeners": []any{map[string]any{"name": "tls", "port": int64(9093), "type": "internal"}},
	}, got.Object["spec"], "servers drop null")

	object.SetName("third")
	require.NoError(t, unstructured.SetNestedField(object.Object, nil, "spec", "replicas"))
	_, err = resource.Create(ctx, object, metav1.CreateOptions{})
	assert.ErrorContains(t, err, "spec.replicas: Required value", "null is like an absent property")
}
