package controller

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/consistency"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/informertest"
)

// echoModel is a reconciler of ConfigMaps that notes the last label that it has seen of each, and writes random statuses. It never
// returns an error, so no retry hides an event that was missed.
type echoModel struct {
	server *informertest.Server
	client consistency.Client[*corev1.ConfigMap]
	// enqueue reconciles an object without an event, as its other events do.
	enqueue func(cache.ObjectName)

	lock       sync.Mutex
	random     *rand.Rand
	seen       map[string]string
	reconciled int
}

// chance returns a random number below n.
func (m *echoModel) chance(n int) int {
	m.lock.Lock()
	defer m.lock.Unlock()
	return m.random.IntN(n)
}

// pause gives others a turn, for a random time.
func (m *echoModel) pause() { time.Sleep(time.Duration(m.chance(4)) * time.Millisecond) }

func (m *echoModel) Reconcile(ctx context.Context, object *corev1.ConfigMap) (Result, error) {
	m.lock.Lock()
	m.seen[object.Name] = object.Labels["label"]
	m.reconciled++
	m.lock.Unlock()
	for range m.chance(4) {
		m.pause()
		m.pause()
		object.Annotations = map[string]string{"status": strconv.Itoa(m.chance(3))}
		sent := object.DeepCopy()
		if m.chance(4) == 0 {
			sent.ResourceVersion = "" // the answer may have a label that nobody has reconciled
		}
		written, err := m.client.In(object.Namespace).UpdateStatus(ctx, sent, metav1.UpdateOptions{})
		if IsLockConflict(err) || apierrors.IsNotFound(err) {
			return Result{}, nil
		}
		if err != nil {
			return Result{}, err
		}
		if m.chance(4) > 0 {
			object.ResourceVersion = written.ResourceVersion
		}
	}
	m.pause()
	return Result{}, nil
}

func (m *echoModel) ReconcileDeleted(_ context.Context, name cache.ObjectName) error {
	m.lock.Lock()
	defer m.lock.Unlock()
	m.seen[name.Name] = "none"
	return nil
}

// step does what others do: they change, delete and create objects, delay watches, and end them. A release ends a delay.
func (m *echoModel) step(value int, release *func()) {
	name := "object-" + strconv.Itoa(m.chance(3))
	switch m.chance(15) {
	case 0:
		(*release)()
		*release = m.server.Hold("")
	case 1:
		(*release)()
	case 2:
		m.server.Expire()
	case 3:
		if m.server.Relabel("shop", name, "last") == nil {
			m.server.Delete("shop", name)
		}
	case 4, 5, 6, 7:
		m.enqueue(cache.NewObjectName("shop", name))
	default:
		if m.server.Relabel("shop", name, strconv.Itoa(value)) != nil {
			m.server.Label("shop", name, strconv.Itoa(value))
		}
	}
}

// check compares the labels that were reconciled with those of the server.
func (m *echoModel) check(t *testing.T) {
	t.Helper()
	list, err := m.server.ConfigMaps("").List(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	want := map[string]string{}
	for _, object := range list.Items {
		want[object.Name] = object.Labels["label"]
	}
	m.lock.Lock()
	defer m.lock.Unlock()
	for name := range m.seen {
		if _, exists := want[name]; !exists {
			want[name] = "none"
		}
	}
	assert.Equal(t, want, m.seen, "a change was missed")
}

// TestControllerMissesNoChange mixes own writes, changes by others, watches that lag, and relists.
func TestControllerMissesNoChange(t *testing.T) {
	histories := 300
	if testing.Short() {
		histories = 30
	}
	for seed := range histories {
		var options []Option
		if seed%2 == 1 {
			options = append(options, WithConsistencyTimeout(0)) // reconciles read caches that are behind
		}
		ok := t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { runEchoModel(t, uint64(seed), options) })
		})
		if !ok {
			return
		}
	}
}

func runEchoModel(t *testing.T, seed uint64, options []Option) {
	t.Helper()
	server := informertest.NewServer(informertest.ConfigMap("shop", "object-0"))
	source := informer.Namespaced(server, informertest.Resource, server.ConfigMaps)
	m := &echoModel{
		server: server, client: consistency.NewClient(source), seen: map[string]string{},
		random: rand.New(rand.NewPCG(seed, 1)), //nolint:gosec // a test can be repeated
	}
	quiet := informer.WithWatchErrorHandler(func(context.Context, *cache.Reflector, error) {})
	c, err := New(source, m, append(options, WithInformers(quiet))...)
	require.NoError(t, err)
	m.enqueue = c.Enqueue
	ctx, stop := context.WithCancel(t.Context())
	over := make(chan error)
	go func() { over <- c.Run(ctx) }()
	release := func() {}
	for value := range 60 {
		m.step(value, &release)
		m.pause()
		if value%20 == 19 {
			release()
			idle(2 * time.Minute) // longer than reflectors wait before they list again
			m.check(t)
			m.lock.Lock()
			assert.Less(t, m.reconciled, 100*(value+1), "own writes must not keep it busy")
			m.lock.Unlock()
		}
	}
	idle(2 * time.Minute)
	stop()
	require.NoError(t, <-over)
	assert.LessOrEqual(t, c.writes.Echoes.Len(), 3, "at most one entry for each object")
}
