package main

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	kubefake "k8s.io/client-go/kubernetes/fake"
	"sigs.k8s.io/controller-runtime/pkg/client"
	runtimefake "sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/informer-gen-lite/informer-gen-lite/crdfake"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/applyconfiguration"
	applyfleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/generated/applyconfiguration/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
)

const (
	namespace  = "shop"
	manager    = "bench"
	mergePatch = `{"metadata":{"annotations":{"example.com/merged":"yes"}}}`
	// selector matches every tenth object.
	selector = "tier=tier-0"
	tiers    = 10
)

// contestant is a measured fake.
type contestant struct {
	name string
	// make creates an empty clientset.
	make func() (api, error)
	// slowWrites is true if watching thousands of objects would take minutes.
	slowWrites bool
}

// The names of the two contestants with targets.
const (
	strictName = "strict"
	plainName  = "NewClientset"
)

// contestants returns all fakes in the order of the columns.
func contestants(definitions []*apiextensionsv1.CustomResourceDefinition) ([]contestant, error) {
	scheme := runtime.NewScheme()
	if err := fleetv1.AddToScheme(scheme); err != nil {
		return nil, err
	}
	return []contestant{
		{name: strictName, make: func() (api, error) { return workloads(fake.NewStrictClientset()), nil }},
		{name: "strict, crdfake", make: func() (api, error) {
			client := fake.NewStrictClientset()
			return workloads(client), crdfake.Use(client, definitions...)
		}},
		{name: plainName, make: func() (api, error) { return workloads(fake.NewClientset()), nil }},
		{name: "NewSimpleClientset", make: func() (api, error) { return workloads(fake.NewSimpleClientset()), nil }},
		{name: "client-go, ConfigMaps", slowWrites: true, make: func() (api, error) { return configMaps(kubefake.NewClientset()), nil }},
		{name: "controller-runtime", make: func() (api, error) {
			return untyped{runtimefake.NewClientBuilder().WithScheme(scheme).WithStatusSubresource(&fleetv1.Workload{}).
				WithTypeConverters(applyconfiguration.NewTypeConverter(scheme)).Build()}, nil
		}},
	}, nil
}

func workloads(cs versioned.Interface) api {
	return typed[*fleetv1.Workload, *fleetv1.WorkloadList, *applyfleetv1.WorkloadApplyConfiguration]{
		cs.FleetV1().Workloads(namespace),
		kind[*fleetv1.Workload, *fleetv1.WorkloadList, *applyfleetv1.WorkloadApplyConfiguration]{
			newWorkload, annotate[*fleetv1.Workload], workloadConfiguration, func(l *fleetv1.WorkloadList) int { return len(l.Items) },
		},
	}
}

func configMaps(cs *kubefake.Clientset) api {
	return typed[*corev1.ConfigMap, *corev1.ConfigMapList, *applycorev1.ConfigMapApplyConfiguration]{
		cs.CoreV1().ConfigMaps(namespace),
		kind[*corev1.ConfigMap, *corev1.ConfigMapList, *applycorev1.ConfigMapApplyConfiguration]{
			newConfigMap, annotate[*corev1.ConfigMap], configMapConfiguration, func(l *corev1.ConfigMapList) int { return len(l.Items) },
		},
	}
}

func annotate[O client.Object](object O) {
	object.SetAnnotations(map[string]string{"example.com/changed": "yes"})
}

func changeStatus(object client.Object) {
	if workload, ok := object.(*fleetv1.Workload); ok {
		workload.Status.ObservedGeneration = 1
		workload.Status.ReadyReplicas = 2
		workload.Status.Conditions = []metav1.Condition{{
			Type: "Ready", Status: metav1.ConditionTrue, Reason: "Serving", Message: "all replicas serve", LastTransitionTime: metav1.Unix(1_000_000_000, 0),
		}}
	}
}

func nameOf(number int) string { return fmt.Sprintf("object-%05d", number) }

func metadata(number int) metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Namespace: namespace, Name: nameOf(number),
		Labels: map[string]string{"app": "shop", "tier": fmt.Sprintf("tier-%d", number%tiers)},
	}
}

func newWorkload(number int) *fleetv1.Workload {
	return &fleetv1.Workload{ObjectMeta: metadata(number), Spec: fleetv1.WorkloadSpec{
		Replicas: new(int32(2)), RegionName: "north",
		Template: fleetv1.WorkloadTemplate{
			Image: "registry.example.com/shop:1", Args: []string{"--verbose"}, Labels: map[string]string{"app": "shop"},
			Env: []corev1.EnvVar{{Name: "LANGUAGE", Value: "en"}},
		},
	}}
}

func newConfigMap(number int) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metadata(number), Data: map[string]string{"image": "registry.example.com/shop:1", "language": "en"}}
}

func workloadConfiguration(name string) *applyfleetv1.WorkloadApplyConfiguration {
	return applyfleetv1.Workload(name, namespace).WithLabels(map[string]string{"applied": "yes"}).
		WithSpec(applyfleetv1.WorkloadSpec().WithRegionName("north").WithTemplate(applyfleetv1.WorkloadTemplate().WithImage("registry.example.com/shop:2")))
}

func configMapConfiguration(name string) *applycorev1.ConfigMapApplyConfiguration {
	return applycorev1.ConfigMap(name, namespace).WithLabels(map[string]string{"applied": "yes"}).WithData(map[string]string{"image": "registry.example.com/shop:2"})
}
