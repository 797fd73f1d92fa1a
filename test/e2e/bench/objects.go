package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"
	metav1ac "k8s.io/client-go/applyconfigurations/meta/v1"
	"k8s.io/client-go/tools/cache"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	fleetv1ac "github.com/informer-gen-lite/informer-gen-lite/examples/generated/applyconfiguration/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
)

// The distribution of objects.
const (
	perNamespace = 1000
	shards       = 100
	shardLabel   = "example.com/shard"
	// leastObjects ensures that no shard is empty.
	leastObjects = shards
	// Every ownersShare-th workload owns revisions.
	ownersShare, revisionsPerOwner = 30, 3
)

// Placeholders in the template object for values that differ between objects.
const (
	namePrefix         = "workload-"
	templateNumber     = "template-number"
	templateName       = namePrefix + templateNumber
	templateNamespace  = "template-namespace"
	templateShard      = "template-shard"
	revisionNamePrefix = "revision-"
)

// nameOf returns the name of a numbered workload; numberOf is its inverse.
func nameOf(number int) cache.ObjectName {
	return cache.NewObjectName(fmt.Sprintf("team-%03d", number/perNamespace), fmt.Sprintf("%s%06d", namePrefix, number))
}

func numberOf(name string) (int, error) { return strconv.Atoi(strings.TrimPrefix(name, namePrefix)) }

// uidOf returns the UID of the numbered object of a kind. It is always the same, but looks random, as those of API servers: the hash for
// shards would put UIDs that differ only at their end into few buckets.
func uidOf(kind, number int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d/%d", kind, number))
	return fmt.Sprintf("%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}

// storeWorkloads writes one workload in the usual way, with three clients. It then writes the other copies of the stored object
// directly to etcd, because writing them through the server would take minutes.
func storeWorkloads(ctx context.Context, client versioned.Interface, s storage, objects int) ([]cache.ObjectName, error) {
	template, err := writeWorkload(ctx, client)
	if err != nil {
		return nil, fmt.Errorf("write a workload: %w", err)
	}
	names := make([]cache.ObjectName, objects)
	for i := range names {
		names[i] = nameOf(i)
	}
	return names, s.copy(ctx, workloads, template, objects, func(i int) (cache.ObjectName, []string) {
		return names[i], []string{
			templateNumber, strings.TrimPrefix(names[i].Name, namePrefix),
			templateNamespace, names[i].Namespace,
			templateShard, shardOf(i),
			string(template.GetUID()), uidOf(1, i),
		}
	})
}

func shardOf(number int) string { return fmt.Sprintf("shard-%02d", number%shards) }

// storeRevisions creates revisions for some of the workloads and returns the number of these workloads.
func storeRevisions(ctx context.Context, client versioned.Interface, s storage, names []cache.ObjectName) (owners int, err error) {
	const ownerUID = "template-owner-uid"
	isController := true
	revision := &fleetv1.WorkloadRevision{
		ObjectMeta: metav1.ObjectMeta{
			Name: revisionNamePrefix + templateNumber, Namespace: templateNamespace,
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: fleetv1.SchemeGroupVersion.String(), Kind: "Workload", Name: templateName,
				UID: ownerUID, Controller: &isController,
			}},
		},
		Revision: 1,
		Template: fleetv1.WorkloadTemplate{Image: "registry.example.com/shop/web:1.2.3"},
	}
	revision, err = client.FleetV1().WorkloadRevisions(templateNamespace).Create(ctx, revision, metav1.CreateOptions{})
	if err != nil {
		return 0, fmt.Errorf("write a revision: %w", err)
	}
	owners = (len(names) + ownersShare - 1) / ownersShare
	return owners, s.copy(ctx, revisions, revision, owners*revisionsPerOwner, func(i int) (cache.ObjectName, []string) {
		number := i / revisionsPerOwner * ownersShare
		owner := names[number]
		name := cache.NewObjectName(owner.Namespace, fmt.Sprintf("%s%06d", revisionNamePrefix, i))
		return name, []string{
			revisionNamePrefix + templateNumber, name.Name,
			templateNumber, strings.TrimPrefix(owner.Name, namePrefix),
			templateNamespace, name.Namespace,
			ownerUID, uidOf(1, number),
			string(revision.GetUID()), uidOf(2, i),
		}
	})
}

// writeWorkload creates a realistic workload: a user applies it, a controller adds its finalizer and status, and a user annotates
// it.
func writeWorkload(ctx context.Context, clients versioned.Interface) (*fleetv1.Workload, error) {
	client := clients.FleetV1().Workloads(templateNamespace)
	spec := fleetv1ac.WorkloadSpec().WithReplicas(3).WithRegionName("north").
		WithConfig(map[string]string{"app.yaml": "listen: :8080\nlog: info\n", "limits.yaml": "requests: 100\n"}).
		WithTemplate(fleetv1ac.WorkloadTemplate().
			WithLabels(map[string]string{"app": templateName, "tier": "web"}).
			WithImage("registry.example.com/shop/web:1.2.3").
			WithArgs("--config=/etc/app.yaml", "--verbose").
			WithEnv(corev1ac.EnvVar().WithName("REGION").WithValue("north"), corev1ac.EnvVar().WithName("SHOP").WithValue(templateNamespace)).
			WithResources(corev1.ResourceRequirements{Requests: corev1.ResourceList{
				corev1.ResourceCPU: resource.MustParse("100m"), corev1.ResourceMemory: resource.MustParse("128Mi"),
			}}))
	labels := map[string]string{
		"app.kubernetes.io/name": templateName, "app.kubernetes.io/part-of": "shop", shardLabel: templateShard,
	}
	_, err := client.Apply(ctx, fleetv1ac.Workload(templateName, templateNamespace).WithLabels(labels).WithSpec(spec),
		metav1.ApplyOptions{FieldManager: "kubectl", Force: true})
	if err != nil {
		return nil, err
	}
	finalizer := fmt.Appendf(nil, `{"metadata":{"finalizers":[%q]}}`, fleetv1.WorkloadFinalizer)
	if _, err = client.Patch(
		ctx,
		templateName,
		types.MergePatchType,
		finalizer,
		metav1.PatchOptions{FieldManager: "workload-controller"},
	); err != nil {
		return nil, err
	}
	status := fleetv1ac.WorkloadStatus().WithObservedGeneration(1).WithReplicas(3).WithReadyReplicas(3).
		WithSelector("app=" + templateName).
		WithConditions(metav1ac.Condition().WithType(fleetv1.ConditionReady).WithStatus(metav1.ConditionTrue).
			WithReason("AllServe").WithMessage("all replicas serve").WithObservedGeneration(1).
			WithLastTransitionTime(metav1.NewTime(time.Unix(1_700_000_000, 0))))
	_, err = client.ApplyStatus(ctx, fleetv1ac.Workload(templateName, templateNamespace).WithStatus(status),
		metav1.ApplyOptions{FieldManager: "workload-controller", Force: true})
	if err != nil {
		return nil, err
	}
	annotation := fmt.Appendf(nil, `{"metadata":{"annotations":{%q:""}}}`, writeAnnotation)
	return client.Patch(ctx, templateName, types.MergePatchType, annotation, metav1.PatchOptions{FieldManager: "kubectl-annotate"})
}
