package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/cache"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	fleetv1client "github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/typed/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
)

// load writes random workloads with several writers, each with its own objects and random sequence: the writes do not depend on
// how the writers take turns, except for reused names.
type load struct {
	writers []*writer
	// strangers, if set, take names of deployments.
	strangers *strangers
}

// writer records the expected state of its objects.
type writer struct {
	client versioned.Interface
	random *rand.Rand
	id     int
	// objects is the number of objects that it creates.
	objects int
	// namespaces are those of its objects.
	namespaces []string
	// alive and deleted are the names of its objects; wishes are the expected states of those alive.
	alive, deleted []cache.ObjectName
	wishes         map[cache.ObjectName]wish
	counts         map[string]int
	strangers      *strangers
}

// wish is the expected state of a workload. It has no config if the text is empty.
type wish struct {
	image, tier, config string
	replicas            int32
	// taken is true if a stranger has the name of its deployment.
	taken bool
}

const (
	writers = 8
	// Proportions of a writer's steps that create and delete; the others update.
	parts, creating, deleting = 7, 2, 1
)

var loadNamespaces = []string{"shop", "bank", "farm", "port"}

// newLoad returns a load with the given number of objects.
func newLoad(client versioned.Interface, seed uint64, objects int) *load {
	l := &load{}
	for id := range writers {
		share := objects / writers
		if id < objects%writers {
			share++
		}
		l.writers = append(l.writers, newWriter(client, seed, id+1, share))
	}
	return l
}

func newWriter(client versioned.Interface, seed uint64, id, objects int) *writer {
	return &writer{
		client: client, random: rand.New(rand.NewPCG(seed, uint64(id))), id: id, objects: objects,
		namespaces: loadNamespaces, wishes: map[cache.ObjectName]wish{}, counts: map[string]int{},
	}
}

// run returns when everything is written, after about the given time.
func (l *load) run(ctx context.Context, lasting time.Duration) error {
	errs := make([]error, len(l.writers))
	var group sync.WaitGroup
	for i, w := range l.writers {
		w.strangers = l.strangers
		steps := w.objects * parts / creating
		group.Go(func() { errs[i] = w.run(ctx, lasting/time.Duration(steps)) })
	}
	group.Wait()
	return errors.Join(errs...)
}

// wanted returns the expected state in the end.
func (l *load) wanted() map[cache.ObjectName]wish {
	all := map[cache.ObjectName]wish{}
	for _, w := range l.writers {
		for name, wish := range w.wishes {
			wish.taken = l.strangers.has(name)
			all[name] = wish
		}
	}
	return all
}

// counts returns the number of operations and retries.
func (l *load) counts() map[string]int {
	sum := map[string]int{}
	for _, w := range l.writers {
		for what, n := range w.counts {
			sum[what] += n
		}
	}
	return sum
}

// run writes until all objects are created.
func (w *writer) run(ctx context.Context, pace time.Duration) error {
	ticker := time.NewTicker(pace)
	defer ticker.Stop()
	for w.counts["created"] < w.objects {
		if err := w.step(ctx); err != nil {
			return err
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

func (w *writer) step(ctx context.Context) error {
	part := w.random.IntN(parts)
	switch {
	case part < creating || len(w.alive) == 0:
		return w.create(ctx)
	case part < creating+deleting:
		return w.delete(ctx)
	default:
		return w.update(ctx)
	}
}

// create creates an object. Every fourth time, it reuses the name of a deleted object, if that is gone.
func (w *writer) create(ctx context.Context) error {
	serial := fmt.Sprintf("%d-%d", w.id, w.counts["created"])
	name := cache.ObjectName{Namespace: w.namespaces[w.random.IntN(len(w.namespaces))], Name: "w" + serial}
	if len(w.deleted) > 0 && w.random.IntN(4) == 0 {
		i := w.random.IntN(len(w.deleted))
		gone, err := w.gone(ctx, w.deleted[i])
		if err != nil {
			return err
		}
		if gone {
			name = w.deleted[i]
			w.deleted = slices.Delete(w.deleted, i, i+1)
			w.counts["of these made again"]++
		}
	}
	if w.strangers != nil && w.counts["created"]%50 == 0 {
		if err := w.insist(ctx, func() error { return w.strangers.come(ctx, name) }); err != nil {
			return err
		}
		w.counts["names taken"]++
	}
	wish := w.wish()
	object := wish.object(name)
	object.Annotations = map[string]string{"serial": serial}
	err := w.insist(ctx, func() error {
		_, err := w.of(name).Create(ctx, object, metav1.CreateOptions{})
		if apierrors.IsAlreadyExists(err) { // the reply was lost
			if found, getErr := w.of(name).Get(ctx, name.Name, metav1.GetOptions{}); getErr == nil && found.Annotations["serial"] == serial {
				return nil
			}
		}
		return err
	})
	w.alive = append(w.alive, name)
	w.wishes[name] = wish
	w.counts["created"]++
	return err
}

// gone reports whether a deleted object is gone.
func (w *writer) gone(ctx context.Context, name cache.ObjectName) (gone bool, err error) {
	err = w.insist(ctx, func() error {
		_, err := w.of(name).Get(ctx, name.Name, metav1.GetOptions{})
		gone = controller.IsNotFound(err)
		if gone {
			return nil
		}
		return err
	})
	return gone, err
}

func (w *writer) update(ctx context.Context) error {
	name := w.alive[w.random.IntN(len(w.alive))]
	wish := w.changed(w.wishes[name])
	var config any // nil removes it
	if wish.config != "" {
		config = map[string]any{"app.conf": wish.config}
	}
	patch, err := json.Marshal(map[string]any{
		"metadata": map[string]any{"labels": map[string]any{"tier": wish.tier}},
		"spec":     map[string]any{"replicas": wish.replicas, "template": map[string]any{"image": wish.image}, "config": config},
	})
	if err != nil {
		return err
	}
	w.wishes[name] = wish
	w.counts["updated"]++
	return w.insist(ctx, func() error {
		_, err := w.of(name).Patch(ctx, name.Name, types.MergePatchType, patch, metav1.PatchOptions{})
		return err
	})
}

func (w *writer) delete(ctx context.Context) error {
	i := w.random.IntN(len(w.alive))
	name := w.alive[i]
	w.alive = slices.Delete(w.alive, i, i+1)
	w.deleted = append(w.deleted, name)
	delete(w.wishes, name)
	w.counts["deleted"]++
	return w.insist(ctx, func() error {
		err := w.of(name).Delete(ctx, name.Name, metav1.DeleteOptions{})
		if controller.IsNotFound(err) { // the reply was lost
			return nil
		}
		return err
	})
}

func (w *writer) of(name cache.ObjectName) fleetv1client.WorkloadInterface {
	return w.client.FleetV1().Workloads(name.Namespace)
}

// insist retries until the function succeeds, because the server may be down, unless the error is permanent or lasts.
func (w *writer) insist(ctx context.Context, try func() error) error {
	var last error
	err := wait.PollUntilContextTimeout(ctx, 20*time.Millisecond, patience, true, func(context.Context) (bool, error) {
		last = try()
		if apierrors.IsInvalid(last) || apierrors.IsBadRequest(last) {
			return false, last
		}
		if last != nil {
			w.counts["tried again"]++
		}
		return last == nil, nil
	})
	if err != nil && !errors.Is(err, last) {
		return errors.Join(err, last)
	}
	return err
}

func (w *writer) wish() wish {
	wish := wish{image: w.image(), tier: w.tier(), replicas: w.random.Int32N(4)}
	if w.random.IntN(2) == 0 {
		wish.config = w.config()
	}
	return wish
}

// changed returns a wish that differs in one or two fields.
func (w *writer) changed(wish wish) wish {
	for range 1 + w.random.IntN(2) {
		switch w.random.IntN(4) {
		case 0:
			wish.image = w.image()
		case 1:
			wish.replicas = w.random.Int32N(4)
		case 2:
			wish.tier = w.tier()
		case 3:
			if wish.config == "" || w.random.IntN(2) == 0 {
				wish.config = w.config()
			} else {
				wish.config = ""
			}
		}
	}
	return wish
}

func (w *writer) image() string  { return fmt.Sprintf("image:%d", w.random.IntN(9)) }
func (w *writer) tier() string   { return fmt.Sprintf("tier-%d", w.random.IntN(3)) }
func (w *writer) config() string { return fmt.Sprintf("color = %d", w.random.IntN(99)) }

// object returns a workload to create. It keeps few revisions, so that most are deleted again.
func (w wish) object(name cache.ObjectName) *fleetv1.Workload {
	object := &fleetv1.Workload{
		ObjectMeta: metav1.ObjectMeta{Namespace: name.Namespace, Name: name.Name, Labels: map[string]string{"tier": w.tier}},
		Spec: fleetv1.WorkloadSpec{
			RegionName: "north", Replicas: new(w.replicas), RevisionHistoryLimit: new(int32(1)),
			Template: fleetv1.WorkloadTemplate{Image: w.image},
		},
	}
	if w.config != "" {
		object.Spec.Config = map[string]string{"app.conf": w.config}
	}
	return object
}
