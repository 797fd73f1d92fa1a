package fleet

import (
	"context"
	"fmt"
	"testing"
	"time"

	fleetv1 "example.com/fleet/api/v1"
	"example.com/fleet/pkg/generated/clientset/versioned/fake"
	informers "example.com/fleet/pkg/generated/informers/externalversions"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/applyconfigurations"
	kubefake "k8s.io/client-go/kubernetes/fake"
	kubescheme "k8s.io/client-go/kubernetes/scheme"
	metadatafake "k8s.io/client-go/metadata/fake"
	testingclock "k8s.io/utils/clock/testing"
)

// strict returns options for the strict fake.
func strict(now time.Time) []fake.StrictOption {
	return []fake.StrictOption{
		fake.WithClock(testingclock.NewFakePassiveClock(now)),
		fake.WithGarbageCollection(false),
		fake.WithConversion(func(runtime.Object, schema.GroupVersionKind) (runtime.Object, error) { return nil, nil }),
	}
}

func TestInformers(t *testing.T) {
	now := time.Unix(1e9, 0)
	owner := metav1.OwnerReference{APIVersion: "v1", Kind: "Node", Name: "n", UID: "u"}
	objects := []runtime.Object{
		&fleetv1.Robot{
			ObjectMeta: metav1.ObjectMeta{
				Namespace: "shop", Name: "arm", UID: "r",
				Labels: map[string]string{"season": "winter"}, OwnerReferences: []metav1.OwnerReference{owner},
			},
			Spec: fleetv1.RobotSpec{Region: "north", Tools: map[string]string{"hammer": "steel"}},
		},
		&fleetv1.Part{ObjectMeta: metav1.ObjectMeta{
			Namespace: "shop", Name: "cog", OwnerReferences: []metav1.OwnerReference{{APIVersion: "v1", Kind: "Robot", Name: "arm", UID: "r"}},
		}},
	}
	client := fake.NewStrictClientsetWithOptions(objects, append(strict(now), fake.WithHistory(9))...)
	kube := kubefake.NewClientset()
	metadataClient := metadatafake.NewSimpleMetadataClient(metadatafake.NewTestScheme())

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	factories, err := newFactories(client, metadataClient, t)
	if err != nil {
		t.Fatal(err)
	}
	for _, factory := range factories {
		release, err := acquire(ctx, factory, client)
		if err != nil {
			t.Fatal(err)
		}
		release()
		if err := stop(ctx, factory, client); err != nil {
			t.Error(err)
		}
		robots, parts := factory.Fleet().V1().Robots(), factory.Fleet().V1().Parts()
		robots.Informer()
		parts.Informer()
		deployments(factory, kube)
		factory.StartWithContext(ctx)
		if err := factory.WaitForSync(ctx); err != nil {
			t.Fatal(err)
		}
		names, err := lookups(robots, "u")
		if got, want := fmt.Sprint(names, err), "[[arm] [arm] [arm] [arm] [arm]] <nil>"; got != want {
			t.Errorf("lookups return %s, want %s", got, want)
		}
		found, err := partsOf(parts, objects[0].(*fleetv1.Robot))
		if err != nil || len(found) != 1 {
			t.Errorf("parts of the robot are %v, %v", found, err)
		}
		found[0].Name = "changed" // a copy
		read, exists := read(robots)
		if got, want := fmt.Sprint(read, exists), "[arm] true"; got != want {
			t.Errorf("readers return %s, want %s", got, want)
		}
		robot, err := copies(robots).Robots("shop").Get("arm")
		if err != nil {
			t.Fatal(err)
		}
		robot.Spec.Region = "changed"
		if state(factory) == "" {
			t.Error("no state")
		}
	}
	shared, err := newShared(client)
	if err != nil {
		t.Fatal(err)
	}
	shared.Fleet().V1().Robots().Informer()
	shared.StartWithContext(ctx)
	if result := shared.WaitForCacheSyncWithContext(ctx); result.Err != nil {
		t.Error(result.Err)
	}
	cancel()
	shared.Shutdown()
	for _, factory := range factories {
		factory.Shutdown()
	}
}

func TestMetadata(t *testing.T) {
	client := fake.NewStrictClientset()
	scheme := metadatafake.NewTestScheme()
	if err := metav1.AddMetaToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	metadataClient := metadatafake.NewSimpleMetadataClient(scheme, &metav1.PartialObjectMetadata{
		TypeMeta:   metav1.TypeMeta{APIVersion: "fleet.example.com/v1", Kind: "Robot"},
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "arm"},
	})
	factory, err := informers.New(client, informers.WithMetadataClient(metadataClient))
	if err != nil {
		t.Fatal(err)
	}
	defer factory.Shutdown()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if err := startWhenServed(ctx, factory, client); err != nil {
		t.Fatal(err)
	}
	if _, err := metadataOf(factory, metadataClient); err != nil {
		t.Fatal(err)
	}
	factory.StartWithContext(ctx)
	if err := factory.WaitForSync(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := metadataOf(factory, metadataClient); err != nil {
		t.Fatal(err)
	}
	cancel()
}

func TestBuiltInKinds(t *testing.T) {
	client := fake.NewStrictClientset()
	kube := kubefake.NewClientset()
	converter := applyconfigurations.NewTypeConverter(kubescheme.Scheme)
	err := fake.ServeKubernetes(client, &kube.Fake, kubescheme.Scheme, converter)
	if err != nil {
		t.Fatal(err)
	}
	robot := &fleetv1.Robot{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "arm"}}
	if _, err := client.FleetV1().Robots("shop").Create(t.Context(), robot, metav1.CreateOptions{}); err != nil {
		t.Error(err)
	}
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "arm"}}
	created, err := kube.AppsV1().Deployments("shop").Create(t.Context(), deployment, metav1.CreateOptions{})
	if err != nil || created.ResourceVersion == "" {
		t.Errorf("created %v, %v", created, err)
	}
}
