package shared

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/arcs"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/informertest"
)

var (
	changes = flag.Int("changes", 3000, "number of random changes of arcs, namespaces and objects")
	seed    = flag.Uint64("seed", 1, "seed of the random changes")
)

// model says which objects exist, and which of them an informer has.
type model struct {
	*rig

	random  *rand.Rand
	objects map[cache.ObjectName]types.UID
	scope   scope
	serial  int
	// relisted is set if objects that stay may have been listed again since the last check.
	relisted bool
	releases []func()
	stop     func()
	events   *stream
}

// has reports whether the informer is to have an object.
func (m *model) has(name cache.ObjectName, in scope) bool {
	hash, _ := arcs.Key{}.HashOf(&metav1.ObjectMeta{UID: m.objects[name]})
	return in.arcs.Has(hash) && (in.namespaces[0] == metav1.NamespaceAll || slices.Contains(in.namespaces, name.Namespace))
}

// stream is a handler that checks that events fit the delivery.Events before.
type stream struct {
	t *testing.T

	lock   sync.Mutex
	known  map[string]string // versions by name
	events []string
}

func (s *stream) note(event string, obj any) (name, version string) {
	object := obj.(*corev1.ConfigMap)
	name = object.Namespace + "/" + object.Name
	s.events = append(s.events, event+" "+name)
	return name, object.ResourceVersion
}

func (s *stream) OnAdd(obj any, initial bool) {
	s.lock.Lock()
	defer s.lock.Unlock()
	event := "add"
	if initial {
		event = "initial"
	}
	name, version := s.note(event, obj)
	assert.NotContains(s.t, s.known, name, "it is added twice")
	s.known[name] = version
}

func (s *stream) OnUpdate(before, after any) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if versionOf(before) == versionOf(after) {
		name, version := s.note("same", after)
		assert.Equal(s.t, s.known[name], version)
		return
	}
	name, version := s.note("update", after)
	assert.Equal(s.t, s.known[name], versionOf(before).text, "an event was left out, or came twice")
	s.known[name] = version
}

func (s *stream) OnDelete(obj any) {
	s.lock.Lock()
	defer s.lock.Unlock()
	event := "delete"
	if unknown, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		event, obj = "gone", unknown.Obj
	}
	name, _ := s.note(event, obj)
	assert.Contains(s.t, s.known, name)
	delete(s.known, name)
}

func (s *stream) take() []string {
	s.lock.Lock()
	defer s.lock.Unlock()
	events := s.events
	s.events = nil
	return events
}

// TestRandomChanges changes objects, arcs, namespaces and what the API server does with selectors at random. In the end, the informer has what
// it is to have. If changes come one at a time, each event is known: nothing that stays gets one, and what comes is added once.
func TestRandomChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &model{
			rig: newRig(t, Config{Arcs: held(0, 127), Namespaces: []string{"a", "b"}}), random: rand.New(rand.NewPCG(*seed, 0)),
			objects: map[cache.ObjectName]types.UID{}, scope: scope{[]string{"a", "b"}, held(0, 127)}, events: &stream{t: t, known: map[string]string{}},
		}
		m.ctx = t.Context()
		_, err := m.informer.AddEventHandler(m.events)
		require.NoError(t, err)
		m.stop = m.start()
		idle()
		for done := 0; done < *changes && !t.Failed(); {
			count := 1
			if m.random.IntN(2) == 0 {
				count += m.random.IntN(30)
			}
			var want []string
			for range count {
				want = m.change()
			}
			done += count
			for _, release := range m.releases {
				release()
			}
			m.releases = nil
			time.Sleep(3 * time.Minute) // the backoff of a source that has failed often is up to a minute
			synctest.Wait()
			m.check(done, count, want)
			m.relisted = false
		}
		m.stop()
	})
}

// check compares the cache with the model, and the delivery.Events with those wanted, if there was one change.
func (m *model) check(done, count int, want []string) {
	m.Helper()
	var names []string
	for name := range m.objects {
		if m.has(name, m.scope) {
			names = append(names, name.String())
		}
	}
	slices.Sort(names)
	require.Equal(m, names, m.keys(), "after %d changes, seed %d", done, *seed)
	for _, object := range m.informer.GetStore().List() {
		stored := object.(*corev1.ConfigMap)
		current, err := m.server.ConfigMaps(stored.Namespace).Get(m.ctx, stored.Name, metav1.GetOptions{})
		require.NoError(m, err)
		require.Equal(m, current, stored, "after %d changes, seed %d", done, *seed)
	}
	got := m.events.take()
	if m.relisted {
		got = slices.DeleteFunc(got, func(event string) bool { return strings.HasPrefix(event, "same ") })
	}
	if count == 1 {
		require.ElementsMatch(m, want, got, "after %d changes, seed %d", done, *seed)
	}
	for _, event := range got {
		require.NotContains(m, event, "same ", "nothing was listed again, after %d changes, seed %d", done, *seed)
	}
}

// change makes one change, and returns the delivery.Events for it, if it is the only one.
func (m *model) change() []string {
	switch n := m.random.IntN(100); {
	case n < 30 || len(m.objects) < 20:
		return m.create()
	case n < 50:
		return m.delete()
	case n < 78:
		return m.update()
	case n < 90:
		return m.rescope(func(to *scope) { to.arcs = m.arcs() }, "initial")
	case n < 93:
		m.relisted = true // all namespaces together are another list
		return m.rescope(func(to *scope) { to.namespaces = m.namespaces() }, "add")
	case n < 95:
		m.serve()
	case n < 96:
		m.releases = append(m.releases, m.server.HoldOne(m.random.IntN(100)))
	case n < 97:
		m.releases = append(m.releases, m.server.Hold([]string{"", "a", "b", "c"}[m.random.IntN(4)]))
	case n < 98:
		m.server.Expire()
		m.relisted = true
	case n < 99:
		m.stop()
		m.stop = m.start()
		m.relisted = true
	default:
		m.server.Advance(3) // other resources change
	}
	return nil
}

func (m *model) create() []string {
	m.serial++
	name := cache.NewObjectName([]string{"a", "b", "c"}[m.random.IntN(3)], fmt.Sprintf("o%d", m.random.IntN(12)))
	if _, exists := m.objects[name]; exists {
		return m.update()
	}
	m.objects[name] = types.UID(fmt.Sprintf("uid-%d", m.serial))
	object := informertest.ConfigMap(name.Namespace, name.Name)
	object.UID = m.objects[name]
	m.server.Create(object)
	return m.told("add", name)
}

// told returns an event of an object, if the informer has it.
func (m *model) told(event string, name cache.ObjectName) []string {
	if m.has(name, m.scope) {
		return []string{event + " " + name.String()}
	}
	return nil
}

// one returns any object.
func (m *model) one() cache.ObjectName {
	names := slices.SortedFunc(maps.Keys(m.objects), func(a, b cache.ObjectName) int { return strings.Compare(a.String(), b.String()) })
	return names[m.random.IntN(len(names))]
}

func (m *model) delete() []string {
	name := m.one()
	told := m.told("delete", name)
	delete(m.objects, name)
	m.server.Delete(name.Namespace, name.Name)
	return told
}

func (m *model) update() []string {
	name := m.one()
	m.serial++
	require.NoError(m, m.server.Relabel(name.Namespace, name.Name, strconv.Itoa(m.serial)))
	return m.told("update", name)
}

// rescope changes the scope, at times without waiting.
func (m *model) rescope(change func(*scope), comes string) (events []string) {
	before := m.scope
	change(&m.scope)
	for name := range m.objects {
		switch had, has := m.has(name, before), m.has(name, m.scope); {
		case had && !has:
			events = append(events, "gone "+name.String())
		case !had && has:
			events = append(events, comes+" "+name.String())
		}
	}
	if m.random.IntN(2) == 0 {
		m.informer.ResetArcs(m.scope.arcs)
		m.informer.ResetNamespaces(m.scope.namespaces)
		return events
	}
	_, err := m.informer.SetArcs(m.ctx, m.scope.arcs)
	require.NoError(m, err)
	_, err = m.informer.SetNamespaces(m.ctx, m.scope.namespaces...)
	require.NoError(m, err)
	return events
}

// arcs returns up to four arcs.
func (m *model) arcs() arcs.Set {
	var all []arcs.Arc
	for range m.random.IntN(5) {
		a, b := uint8(m.random.IntN(256)), uint8(m.random.IntN(256))
		all = append(all, arcs.Bucket(min(a, b), max(a, b)))
	}
	return arcs.New(all...)
}

func (m *model) namespaces() []string {
	sets := [][]string{{""}, {"a"}, {"a", "b"}, {"b", "c"}, {"a", "b", "c"}}
	return sets[m.random.IntN(len(sets))]
}

// serve changes what the API server does with selectors.
func (m *model) serve() {
	switch kind := m.random.IntN(4); kind {
	case 3:
		random := rand.New(rand.NewPCG(m.random.Uint64(), 0))
		m.server.Shard(func() informertest.Sharding { return informertest.Sharding(random.IntN(3)) })
	default:
		m.server.Shard(always(informertest.Sharding(kind)))
	}
}
