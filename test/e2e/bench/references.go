package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	informers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

const (
	// referred is the number of workloads that refer to a Secret, each to another one. Nothing refers to the other Secrets.
	referred = 100
	// secretSize is the size of the data of a Secret, in bytes. Kubectl's annotation has them once more.
	secretSize = 32 << 10
	// referenceWrites is the number of writes in one run, one after the other.
	referenceWrites = 2 * referred
)

// ways are the ways to watch Secrets. The first is the reference for memory.
var ways = []struct {
	name string
	mode controller.WatchMode
	// most is the maximum memory relative to the first way; 0 for no target.
	most float64
}{
	{name: "`cached`", mode: controller.Cached},
	{name: "`metadata`", mode: controller.Metadata, most: 0.1},
	{name: "`named`", mode: controller.Named, most: 0.25},
}

// secretOf returns the name of the numbered Secret, to which the workload with the number refers, if there are so many.
func secretOf(number int) cache.ObjectName {
	return cache.NewObjectName(nameOf(0).Namespace, fmt.Sprintf("secret-%06d", number))
}

// storeSecrets creates one Secret as kubectl does and replaces it by copies.
func storeSecrets(ctx context.Context, w *world, count int) error {
	secret := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: templateNamespace, Name: templateName,
			Labels: map[string]string{"app.kubernetes.io/managed-by": "Helm", "owner": "helm"},
		},
		Data: map[string][]byte{"release": []byte(strings.Repeat("x", secretSize))},
	}
	applied, err := json.Marshal(secret)
	if err != nil {
		return err
	}
	secret.Annotations = map[string]string{corev1.LastAppliedConfigAnnotation: string(applied), writeAnnotation: ""}
	secret, err = w.kube.CoreV1().Secrets(templateNamespace).Create(ctx, secret, metav1.CreateOptions{FieldManager: "kubectl"})
	if err != nil {
		return fmt.Errorf("write a Secret: %w", err)
	}
	return w.storage.copy(ctx, secrets, secret, count, func(i int) (cache.ObjectName, []string) {
		name := secretOf(i)
		return name, []string{templateName, name.Name, templateNamespace, name.Namespace, string(secret.GetUID()), uidOf(3, i)}
	})
}

// references measures the ways to watch Secrets.
func (b *bench) references(ctx context.Context) error {
	fmt.Fprintf(b.Progress, "storing %d Secrets\n", b.options.secrets)
	if err := storeSecrets(ctx, b.world, b.options.secrets); err != nil {
		return err
	}
	contestants := make([]contestant, len(ways))
	for n, way := range ways {
		contestants[n] = contestant{Name: way.name, Run: func() (sample, error) { return b.referencesOnce(ctx, &way.mode) }}
	}
	medians, err := b.inTurn("references", contestants...)
	if err != nil {
		return err
	}
	for n, way := range ways {
		m := medians[n]
		b.results.references = append(b.results.references,
			reference{what: way.name, began: [2]float64{m[0], m[1]}, read: m[2], bytes: m[3], most: way.most})
	}
	return nil
}

// referencesOnce returns two percentiles of the seconds from a write to the begin of the reconcile, the median of the seconds until it
// has the Secret, and the bytes of memory for Secrets.
func (b *bench) referencesOnce(ctx context.Context, mode *controller.WatchMode) (sample, error) {
	without, _, err := b.reader(ctx, nil, 0)
	if err != nil {
		return nil, err
	}
	with, took, err := b.reader(ctx, mode, referenceWrites)
	if err != nil {
		return nil, err
	}
	return sample{percentile(took[0], 50), percentile(took[0], 99), percentile(took[1], 50), with - without}, nil
}

// secretReader is a reconciler that reads the Secret of a workload.
type secretReader struct {
	secrets *controller.Referred[*fleetv1.Workload, *corev1.Secret]
	total   atomic.Int64
	// mark is the value that the next write leaves in a Secret. Who has read it reports the time when the reconcile began, and when it
	// had the Secret.
	mark atomic.Pointer[string]
	seen chan [2]time.Time
}

func (r *secretReader) Reconcile(ctx context.Context, object *fleetv1.Workload) (controller.Result, error) {
	began := time.Now()
	r.total.Add(1)
	if r.secrets == nil {
		return controller.Result{}, nil
	}
	secret, err := r.secrets.One(ctx, object)
	if mark := r.mark.Load(); err == nil && secret != nil && mark != nil && secret.Annotations[writeAnnotation] == *mark {
		r.mark.Store(nil)
		r.seen <- [2]time.Time{began, time.Now()}
	}
	return controller.Result{}, err
}

func (r *secretReader) ReconcileDeleted(context.Context, cache.ObjectName) error { return nil }

// namesOf returns the Secret that a workload refers to, if it is one of those that do.
func namesOf(object *fleetv1.Workload) []cache.ObjectName {
	number, err := numberOf(object.Name)
	if err != nil || number >= referred {
		return nil
	}
	return []cache.ObjectName{secretOf(number)}
}

// reader runs a controller that reads Secrets, or none without a way to watch them. It returns the heap when it is idle, and then, in
// ascending order, the seconds from some writes to the begins of the reconciles, and until these have the Secrets.
func (b *bench) reader(ctx context.Context, mode *controller.WatchMode, writes int) (used float64, took [2][]float64, err error) {
	r := &secretReader{seen: make(chan [2]time.Time, 1)}
	c, err := controller.New(informers.FleetV1WorkloadSource(b.world.client), r,
		controller.WithInformers(informer.WithNamespaces(nameOf(0).Namespace)))
	if err == nil && mode != nil {
		kube := b.world.kube
		source := informer.Namespaced(kube, corev1.SchemeGroupVersion.WithResource("secrets"), kube.CoreV1().Secrets)
		r.secrets, err = controller.Refer(c, source, *mode, namesOf)
	}
	if err != nil {
		return 0, took, err
	}
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- c.Run(ctx) }()
	defer func() {
		stop()
		err = errors.Join(err, <-ended)
	}()
	objects := min(len(b.world.names), perNamespace)
	if err := r.idle(ctx, objects); err != nil {
		return 0, took, err
	}
	used = heap()
	before := r.total.Load()
	for i := range writes {
		sent, seen, err := b.writeSecret(ctx, r, secretOf(i%referred))
		if err != nil {
			return 0, took, err
		}
		for n := range seen {
			took[n] = append(took[n], seen[n].Sub(sent).Seconds())
		}
	}
	if err := r.idle(ctx, objects); err != nil {
		return 0, took, err
	}
	if got := int(r.total.Load() - before); got != writes {
		return 0, took, fmt.Errorf("%d reconciles for %d writes", got, writes)
	}
	for n := range took {
		slices.Sort(took[n])
	}
	return used, took, nil
}

// idle waits until there have been some reconciles and no more are expected.
func (r *secretReader) idle(ctx context.Context, least int) error {
	for before := int64(-1); before < int64(least) || before != r.total.Load(); {
		before = r.total.Load()
		select {
		case <-time.After(settle):
		case <-ctx.Done():
			return fmt.Errorf("%d reconciles of %d: %w", before, least, context.Cause(ctx))
		}
	}
	return nil
}

// writeSecret changes a Secret, and returns the time of the write and what the reconcile reports that sees it.
func (b *bench) writeSecret(ctx context.Context, r *secretReader, name cache.ObjectName) (sent time.Time, seen [2]time.Time, err error) {
	mark := strconv.FormatInt(time.Now().UnixNano(), 10)
	objects, err := b.world.storage.annotated(ctx, secrets, []cache.ObjectName{name}, mark)
	if err != nil {
		return sent, seen, err
	}
	r.mark.Store(&mark)
	sent = time.Now()
	if _, err := b.world.storage.Put(ctx, objects[0][0], objects[0][1]); err != nil {
		return sent, seen, err
	}
	select {
	case seen = <-r.seen:
		return sent, seen, nil
	case <-ctx.Done():
		return sent, seen, fmt.Errorf("lost work: no reconcile has seen the last version of %s: %w", name, context.Cause(ctx))
	}
}
