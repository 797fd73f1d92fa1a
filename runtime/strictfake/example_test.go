package strictfake_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/applyconfigurations"
	kubefake "k8s.io/client-go/kubernetes/fake"
	kubescheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/testing"
	"k8s.io/client-go/util/retry"
	clocktesting "k8s.io/utils/clock/testing"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
	fleetv1beta1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1beta1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/applyconfiguration"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned/fake"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned/scheme"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake"
)

// must panics if an example fails.
func must(err error) {
	if err != nil {
		panic(err) //nolint:forbidigo // examples cannot fail in another way
	}
}

// serveFleet makes a generated clientset answer from a server.
func serveFleet(server *strictfake.Server) *fake.Clientset {
	client := fake.NewClientset()
	must(server.Serve(client, scheme.Scheme, applyconfiguration.NewTypeConverter(scheme.Scheme)))
	return client
}

// A clientset that our generator or code-generator has written: pass its scheme and its type converter.
func Example() {
	ctx := context.Background()
	server, client := strictfake.NewServer(), fake.NewClientset()
	err := server.Serve(client, scheme.Scheme, applyconfiguration.NewTypeConverter(scheme.Scheme))
	must(err)

	workloads := client.FleetV1().Workloads("shop")
	web := &fleetv1.Workload{ObjectMeta: metav1.ObjectMeta{Name: "web"}, Status: fleetv1.WorkloadStatus{Replicas: 3}}
	web, err = workloads.Create(ctx, web, metav1.CreateOptions{})
	must(err)
	fmt.Printf("created: version %s, generation %d, %d replicas\n", web.ResourceVersion, web.Generation, web.Status.Replicas)

	web.Status.Replicas = 3
	web, err = workloads.UpdateStatus(ctx, web, metav1.UpdateOptions{})
	must(err)
	fmt.Printf("status: version %s, generation %d, %d replicas\n", web.ResourceVersion, web.Generation, web.Status.Replicas)

	_, err = workloads.Create(ctx, web, metav1.CreateOptions{})
	fmt.Println(err)
	// Output:
	// created: version 2, generation 1, 0 replicas
	// status: version 3, generation 1, 3 replicas
	// workloads.fleet.example.com "web" already exists
}

// The clientset of client-go: its kinds are known as built-in ones, which accept strategic merge patches.
func ExampleServer_Serve() {
	ctx := context.Background()
	server, kube := strictfake.NewServer(), kubefake.NewClientset()
	must(server.Serve(kube, kubescheme.Scheme, applyconfigurations.NewTypeConverter(kubescheme.Scheme)))

	pods := kube.CoreV1().Pods("shop")
	pod, err := pods.Create(ctx, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{GenerateName: "web-"}}, metav1.CreateOptions{})
	must(err)
	fmt.Println(len(pod.Name), pod.ResourceVersion)

	_, err = pods.Get(ctx, "db", metav1.GetOptions{})
	fmt.Println(err)
	// Output:
	// 9 2
	// pods "db" not found
}

// Two clientsets share a server. The pods of a workload go with it, because the garbage collector knows both kinds.
func ExampleServer_Serve_shared() {
	ctx := context.Background()
	server, kube := strictfake.NewServer(), kubefake.NewClientset()
	client := serveFleet(server)
	must(server.Serve(kube, kubescheme.Scheme, applyconfigurations.NewTypeConverter(kubescheme.Scheme)))

	web, err := client.FleetV1().Workloads("shop").Create(ctx, &fleetv1.Workload{ObjectMeta: metav1.ObjectMeta{Name: "web"}},
		metav1.CreateOptions{})
	must(err)
	owner := *metav1.NewControllerRef(web, fleetv1.SchemeGroupVersion.WithKind("Workload"))
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web-0", OwnerReferences: []metav1.OwnerReference{owner}}}
	_, err = kube.CoreV1().Pods("shop").Create(ctx, pod, metav1.CreateOptions{})
	must(err)

	must(client.FleetV1().Workloads("shop").Delete(ctx, "web", metav1.DeleteOptions{}))
	_, err = kube.CoreV1().Pods("shop").Get(ctx, "web-0", metav1.GetOptions{})
	fmt.Println(err)
	// Output: pods "web-0" not found
}

// Two clients update the same object. The second one has to try again with the latest version.
func ExampleServer_Serve_conflict() {
	ctx := context.Background()
	workloads := serveFleet(strictfake.NewServer()).FleetV1().Workloads("shop")
	mine, err := workloads.Create(ctx, &fleetv1.Workload{ObjectMeta: metav1.ObjectMeta{Name: "web"}}, metav1.CreateOptions{})
	must(err)
	theirs := mine.DeepCopy()
	theirs.Spec.Paused = true
	_, err = workloads.Update(ctx, theirs, metav1.UpdateOptions{})
	must(err)

	attempts := 0
	must(retry.RetryOnConflict(retry.DefaultRetry, func() error {
		attempts++
		mine.Spec.RegionName = "north"
		_, err := workloads.Update(ctx, mine, metav1.UpdateOptions{})
		if apierrors.IsConflict(err) {
			latest, err := workloads.Get(ctx, "web", metav1.GetOptions{})
			must(err)
			mine = latest
		}
		return err
	}))
	web, err := workloads.Get(ctx, "web", metav1.GetOptions{})
	must(err)
	fmt.Printf("%d attempts, paused: %t, region: %s\n", attempts, web.Spec.Paused, web.Spec.RegionName)
	// Output: 2 attempts, paused: true, region: north
}

// A watch resumes where a list or another watch ended, as long as the server keeps the changes since then.
func ExampleServer_Compact() {
	ctx := context.Background()
	server := strictfake.NewServer()
	regions := serveFleet(server).FleetV1().Regions()
	list, err := regions.List(ctx, metav1.ListOptions{})
	must(err)
	for _, name := range []string{"north", "south"} {
		_, err := regions.Create(ctx, &fleetv1.Region{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
		must(err)
	}
	must(regions.Delete(ctx, "north", metav1.DeleteOptions{}))

	watch, err := regions.Watch(ctx, metav1.ListOptions{ResourceVersion: list.ResourceVersion})
	must(err)
	for range 3 {
		event := <-watch.ResultChan()
		region := event.Object.(*fleetv1.Region)
		fmt.Println(event.Type, region.Name, region.ResourceVersion)
	}
	watch.Stop()

	server.Compact()
	watch, err = regions.Watch(ctx, metav1.ListOptions{ResourceVersion: list.ResourceVersion})
	must(err)
	event := <-watch.ResultChan()
	fmt.Println(event.Type, apierrors.FromObject(event.Object))
	// Output:
	// ADDED north 2
	// ADDED south 3
	// DELETED north 4
	// ERROR too old resource version: 1 (4)
}

// The older version of a kind has its image in another field.
func ExampleWithConversion() {
	ctx := context.Background()
	client := serveFleet(strictfake.NewServer(strictfake.WithConversion(func(object runtime.Object,
		to schema.GroupVersionKind) (runtime.Object, error) {
		switch in := object.(type) {
		case *fleetv1.Workload:
			out := &fleetv1beta1.Workload{ObjectMeta: in.ObjectMeta}
			out.Spec.Image = in.Spec.Template.Image
			return out, nil
		case *fleetv1beta1.Workload:
			out := &fleetv1.Workload{ObjectMeta: in.ObjectMeta}
			out.Spec.Template.Image = in.Spec.Image
			return out, nil
		}
		return nil, fmt.Errorf("cannot convert %T to %v", object, to)
	})))
	older := &fleetv1beta1.Workload{ObjectMeta: metav1.ObjectMeta{Name: "web"}, Spec: fleetv1beta1.WorkloadSpec{Image: "web:1"}}
	_, err := client.FleetV1beta1().Workloads("shop").Create(ctx, older, metav1.CreateOptions{})
	must(err)
	newer, err := client.FleetV1().Workloads("shop").Get(ctx, "web", metav1.GetOptions{})
	must(err)
	fmt.Println(newer.Spec.Template.Image)
	// Output: web:1
}

// Timestamps come from a fake clock.
func ExampleWithClock() {
	now := clocktesting.NewFakePassiveClock(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	client := serveFleet(strictfake.NewServer(strictfake.WithClock(now)))
	region, err := client.FleetV1().Regions().Create(context.Background(),
		&fleetv1.Region{ObjectMeta: metav1.ObjectMeta{Name: "north"}}, metav1.CreateOptions{})
	must(err)
	fmt.Println(region.CreationTimestamp.UTC().Format(time.RFC3339))
	// Output: 2026-01-02T03:04:05Z
}

// Only the last change is kept.
func ExampleWithHistory() {
	ctx := context.Background()
	regions := serveFleet(strictfake.NewServer(strictfake.WithHistory(1))).FleetV1().Regions()
	for _, name := range []string{"north", "south"} {
		_, err := regions.Create(ctx, &fleetv1.Region{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
		must(err)
	}
	_, err := regions.List(ctx, metav1.ListOptions{ResourceVersion: "1", ResourceVersionMatch: metav1.ResourceVersionMatchExact})
	fmt.Println(apierrors.IsResourceExpired(err), err)
	// Output: true The resourceVersion for the provided list is too old.
}

// Without a garbage collector, dependents outlive their owner.
func ExampleWithGarbageCollection() {
	ctx := context.Background()
	server := strictfake.NewServer(strictfake.WithGarbageCollection(false))
	client := serveFleet(server)
	owner := metav1.OwnerReference{APIVersion: "fleet.example.com/v1", Kind: "Region", Name: "north", UID: "1234"}
	must(server.Add(
		&fleetv1.Region{ObjectMeta: metav1.ObjectMeta{Name: "north", UID: "1234"}},
		&fleetv1.Chassis{ObjectMeta: metav1.ObjectMeta{Name: "c1", OwnerReferences: []metav1.OwnerReference{owner}}},
	))
	must(client.FleetV1().Regions().Delete(ctx, "north", metav1.DeleteOptions{}))
	chassis, err := client.FleetV1().Chassises().Get(ctx, "c1", metav1.GetOptions{})
	must(err)
	fmt.Println(chassis.Name)
	// Output: c1
}

// Field selectors can use a field of the spec.
func ExampleWithSelectableFields() {
	server, client := strictfake.NewServer(), fake.NewClientset()
	must(server.Serve(client, scheme.Scheme, applyconfiguration.NewTypeConverter(scheme.Scheme),
		strictfake.WithSelectableFields(fleetv1.SchemeGroupVersion.WithKind("Workload"), "spec.regionName")))
	for name, region := range map[string]string{"web": "north", "db": "south"} {
		must(server.Add(&fleetv1.Workload{
			ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name}, Spec: fleetv1.WorkloadSpec{RegionName: region},
		}))
	}
	list, err := client.FleetV1().Workloads("shop").List(context.Background(),
		metav1.ListOptions{FieldSelector: "spec.regionName=north"})
	must(err)
	fmt.Println(len(list.Items), list.Items[0].Name)
	// Output: 1 web
}

// The status of chassis would be a subresource if the kind had one.
func ExampleWithStatus() {
	server, client := strictfake.NewServer(), fake.NewClientset()
	must(server.Serve(client, scheme.Scheme, applyconfiguration.NewTypeConverter(scheme.Scheme),
		strictfake.WithStatus(fleetv1.SchemeGroupVersion.WithKind("Chassis"), true)))
	for _, resource := range client.Resources[0].APIResources[:2] {
		fmt.Println(resource.Name)
	}
	// Output:
	// chassis
	// chassis/status
}

// Objects that exist when a test starts have a status and a resource version.
func ExampleServer_Add() {
	server := strictfake.NewServer()
	client := serveFleet(server)
	must(server.Add(&fleetv1.Workload{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}, Status: fleetv1.WorkloadStatus{Replicas: 3},
	}))
	web, err := client.FleetV1().Workloads("shop").Get(context.Background(), "web", metav1.GetOptions{})
	must(err)
	fmt.Println(web.ResourceVersion, web.Status.Replicas)

	fmt.Println(server.Add(web))
	// Output:
	// 2 3
	// workloads.fleet.example.com "web" already exists
}

// A reactor lets another client get in first. It uses the tracker, because the clientset is locked while a reactor runs.
func ExampleServer_Tracker() {
	ctx := context.Background()
	server := strictfake.NewServer()
	client := serveFleet(server)
	regions := fleetv1.SchemeGroupVersion.WithResource("regions")
	client.PrependReactor("create", "regions", func(testing.Action) (bool, runtime.Object, error) {
		err := server.Tracker().Create(regions, &fleetv1.Region{ObjectMeta: metav1.ObjectMeta{Name: "north"}}, "")
		return false, nil, errors.Join(err) // the server answers the request itself
	})
	_, err := client.FleetV1().Regions().Create(ctx, &fleetv1.Region{ObjectMeta: metav1.ObjectMeta{Name: "north"}},
		metav1.CreateOptions{})
	fmt.Println(err)
	// Output: regions.fleet.example.com "north" already exists
}
