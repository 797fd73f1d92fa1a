package e2e

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	corev1apply "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// combination is one call of Sync.
type combination struct {
	names          []string
	namespace, way string
}

// combinations returns what reconcilers may ask for, right or wrong.
func combinations() (all []combination) {
	for _, names := range [][]string{{}, {"a"}, {"a", "b", "c"}, {"a", "b", "a"}, {"a", ""}, {"a", strings.Repeat("n", 254)}} {
		for _, namespace := range []string{syncsNamespace, "elsewhere", ""} {
			for _, way := range []string{"Apply", "ApplyOnly", "Create", "CreateOnly"} {
				all = append(all, combination{names, namespace, way})
			}
		}
	}
	return all
}

const syncsNamespace = "syncs"

// desired returns config maps whose content differs by their number.
func (c combination) desired(kube kubernetes.Interface) controller.Desired[*corev1.ConfigMap] {
	var applied []*corev1apply.ConfigMapApplyConfiguration
	var created []*corev1.ConfigMap
	for i, name := range c.names {
		data := map[string]string{"number": strconv.Itoa(i)}
		applied = append(applied, corev1apply.ConfigMap(name, c.namespace).WithData(data))
		created = append(created, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: c.namespace}, Data: data})
	}
	client := kube.CoreV1().ConfigMaps
	switch c.way {
	case "Apply":
		return controller.Apply(client, corev1apply.ExtractConfigMap, applied)
	case "ApplyOnly":
		return controller.ApplyOnly(client, corev1apply.ExtractConfigMap, applied)
	case "Create":
		return controller.Create(client, created)
	}
	return controller.CreateOnly(client, created)
}

// syncs is a reconciler that calls Sync with the combination that the annotation turn of an owner names.
type syncs[T controller.Object] struct {
	kube  kubernetes.Interface
	kind  string
	owned *controller.Owned[*corev1.ConfigMap]

	lock sync.Mutex
	// turns are the numbers of reconciles, by owner and turn.
	turns map[string]int
}

// Reconcile implements the reconciler.
func (s *syncs[T]) Reconcile(ctx context.Context, owner T) (controller.Result, error) {
	turn := owner.GetAnnotations()["turn"]
	defer func() {
		s.lock.Lock()
		defer s.lock.Unlock()
		s.turns[owner.GetName()+" "+turn]++
	}()
	number, err := strconv.Atoi(turn)
	if err != nil {
		return controller.Result{}, nil //nolint:nilerr // another owner, or the first turn has not begun
	}
	all := combinations()
	w := controller.Writer{Owner: corev1.SchemeGroupVersion.WithKind(s.kind), FieldManager: controllerAgent}
	return controller.Result{}, controller.Sync(ctx, w, owner, s.owned.By, all[number%len(all)].desired(s.kube))
}

// ReconcileDeleted implements the reconciler.
func (*syncs[T]) ReconcileDeleted(context.Context, cache.ObjectName) error { return nil }

// reconciled returns how often an owner was reconciled in a turn.
func (s *syncs[T]) reconciled(owner string, turn int) int {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.turns[owner+" "+strconv.Itoa(turn)]
}

// live runs controllers, one after the other, until ctx ends. Each ends in the middle of its work.
func (s *syncs[T]) live(ctx context.Context, source informer.Source[T], lifetime time.Duration) error {
	for ctx.Err() == nil {
		c, err := controller.New(source, s, controller.WithInformers(informer.WithManagedFields(controllerAgent)))
		if err != nil {
			return err
		}
		configMaps := informer.Namespaced(s.kube, corev1.SchemeGroupVersion.WithResource("configmaps"), s.kube.CoreV1().ConfigMaps)
		if s.owned, err = controller.Own(c, configMaps); err != nil {
			return err
		}
		life, end := context.WithTimeout(ctx, lifetime)
		err = c.Run(life)
		end()
		if err != nil && ctx.Err() == nil && life.Err() == nil {
			return err
		}
	}
	return nil
}

// owners are the owners of config maps, namespaced and cluster-scoped, with what their turns need.
type owners struct {
	accounts *syncs[*corev1.ServiceAccount]
	nodes    *syncs[*corev1.Node]
	// own has clients without faults.
	own kubernetes.Interface
}

func newOwners(t *testing.T, own kubernetes.Interface, config *rest.Config) *owners {
	t.Helper()
	config = rest.CopyConfig(config)
	_, kube := clientsOf(t, config) // with the faults of the controller
	for _, name := range []string{"turns", "other"} {
		account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: name}}
		_, err := own.CoreV1().ServiceAccounts(syncsNamespace).Create(t.Context(), account, metav1.CreateOptions{})
		require.NoError(t, err)
		_, err = own.CoreV1().Nodes().Create(t.Context(), &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
		require.NoError(t, err)
	}
	return &owners{
		accounts: &syncs[*corev1.ServiceAccount]{kube: kube, kind: "ServiceAccount", turns: map[string]int{}},
		nodes:    &syncs[*corev1.Node]{kube: kube, kind: "Node", turns: map[string]int{}},
		own:      own,
	}
}

// live runs both controllers.
func (o *owners) live(lifetime time.Duration) func(context.Context) error {
	accounts, nodes := o.accounts.kube.CoreV1().ServiceAccounts, o.nodes.kube.CoreV1().Nodes()
	return func(ctx context.Context) error {
		ended := make(chan error, 1)
		go func() {
			source := informer.Namespaced(o.accounts.kube, corev1.SchemeGroupVersion.WithResource("serviceaccounts"), accounts)
			ended <- o.accounts.live(ctx, source, lifetime)
		}()
		source := informer.Cluster(o.nodes.kube, corev1.SchemeGroupVersion.WithResource("nodes"), nodes)
		err := o.nodes.live(ctx, source, lifetime)
		if other := <-ended; err == nil {
			err = other
		}
		return err
	}
}

// take gives an owner of each scope a turn, and waits until both were reconciled.
func (o *owners) take(ctx context.Context, name string, turn int) error {
	patch := fmt.Appendf(nil, `{"metadata":{"annotations":{"turn":"%d"}}}`, turn)
	var last error
	err := wait.PollUntilContextTimeout(ctx, time.Millisecond, patience, true, func(ctx context.Context) (bool, error) {
		// Connections may break: both patches may be sent again.
		_, errAccount := o.own.CoreV1().ServiceAccounts(syncsNamespace).Patch(ctx, name, types.MergePatchType, patch, metav1.PatchOptions{})
		_, errNode := o.own.CoreV1().Nodes().Patch(ctx, name, types.MergePatchType, patch, metav1.PatchOptions{})
		last = errors.Join(errAccount, errNode)
		return last == nil, nil
	})
	if err != nil {
		return errors.Join(err, last)
	}
	err = wait.PollUntilContextTimeout(ctx, time.Millisecond, patience, true, func(context.Context) (bool, error) {
		return o.accounts.reconciled(name, turn) > 0 && o.nodes.reconciled(name, turn) > 0, nil
	})
	if err != nil {
		return fmt.Errorf("turn %d of %s was not reconciled: %w", turn, name, err)
	}
	return nil
}

// endure takes turns in random order until ctx ends.
func (o *owners) endure(ctx context.Context, seed uint64) error {
	for _, turn := range rand.New(rand.NewPCG(seed, 0)).Perm(len(combinations())) {
		if err := o.take(ctx, "turns", turn); err != nil && ctx.Err() == nil {
			return err
		}
	}
	return nil
}

// rest takes all turns, without faults. No combination makes the controllers write without an event from outside: while another owner is
// reconciled several times through the same queue, the owner is reconciled for the turn, and at most once for each object that it creates.
func (o *owners) rest(t *testing.T) {
	t.Helper()
	const others, most = 12, 1 + 3
	count := len(combinations())
	for turn, c := range combinations() {
		require.NoError(t, o.take(t.Context(), "turns", count+turn))
		for i := range others {
			require.NoError(t, o.take(t.Context(), "other", (turn*others+i)*count)) // a combination without objects
		}
		assert.LessOrEqual(t, o.accounts.reconciled("turns", count+turn), most, "%v of a service account", c)
		assert.LessOrEqual(t, o.nodes.reconciled("turns", count+turn), most, "%v of a node", c)
	}
}

// leave deletes what the controllers have created.
func (o *owners) leave(t *testing.T) {
	t.Helper()
	for _, namespace := range []string{syncsNamespace, "elsewhere"} {
		require.NoError(t, o.own.CoreV1().ConfigMaps(namespace).DeleteCollection(t.Context(), metav1.DeleteOptions{}, metav1.ListOptions{}))
	}
}
