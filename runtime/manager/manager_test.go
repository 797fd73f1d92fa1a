package manager

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	kubefake "k8s.io/client-go/kubernetes/fake"
	coordinationv1client "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/kubetest"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/manager/internal/terms"
)

// TestMain fails the package when any test leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// newManager returns a manager whose leases are those of a fake clientset.
func newManager(t *testing.T, kube *kubefake.Clientset, options ...Option) *Manager {
	t.Helper()
	m, err := New("operator", &rest.Config{Host: "http://127.0.0.1:1"}, options...)
	require.NoError(t, err)
	m.leaseClients = func() (requests, watches coordinationv1client.LeasesGetter, err error) {
		return kube.CoordinationV1(), kube.CoordinationV1(), nil
	}
	return m
}

var election = WithLeaderElection(LeaderElection{Namespace: "system"})

// journal has what happened, in order.
type journal struct {
	lock    sync.Mutex
	entries []string
}

func (j *journal) add(entry string) {
	j.lock.Lock()
	defer j.lock.Unlock()
	j.entries = append(j.entries, entry)
}

func (j *journal) all() []string {
	j.lock.Lock()
	defer j.lock.Unlock()
	return slices.Clone(j.entries)
}

func (j *journal) has(entry string) bool {
	j.lock.Lock()
	defer j.lock.Unlock()
	return slices.Contains(j.entries, entry)
}

// runs returns a function for Run that notes when it starts and ends.
func (j *journal) runs(name string) func(context.Context) error {
	return func(ctx context.Context) error {
		j.add(name + " starts")
		<-ctx.Done()
		j.add(name + " ends")
		return nil
	}
}

// stub is a controller whose caches fill when filled is closed.
type stub struct {
	name           string
	journal        *journal
	lead           func(context.Context) (term context.Context, leave func(), err error)
	filled, synced chan struct{}
	drain          time.Duration
	running        time.Duration
	err            error
}

func newStub(m *Manager, j *journal, name string) *stub {
	s := &stub{name: name, journal: j, lead: m.leadershipOf(name).Join, filled: make(chan struct{}), synced: make(chan struct{})}
	close(s.filled)
	return s
}

func (s *stub) Name() string                  { return s.name }
func (s *stub) Synced() <-chan struct{}       { return s.synced }
func (s *stub) Unserved() []string            { return []string{"gateways"} }
func (s *stub) LongestRunning() time.Duration { return s.running }

func (s *stub) Describe() controller.Status { return controller.Status{Name: s.name} }

func (s *stub) DescribeObject(cache.ObjectName) controller.ObjectStatus {
	return controller.ObjectStatus{}
}

func (s *stub) Run(ctx context.Context) error {
	if s.err != nil {
		return s.err
	}
	select {
	case <-s.filled:
	case <-ctx.Done():
		return nil
	}
	s.journal.add(s.name + " is synced")
	close(s.synced)
	for {
		term, leave, err := s.lead(ctx)
		if err != nil {
			return nil //nolint:nilerr // ctx is done
		}
		s.journal.add(s.name + " reconciles")
		select {
		case <-term.Done():
			s.journal.add(s.name + " is canceled")
			time.Sleep(s.drain)
			leave()
			continue
		case <-ctx.Done():
		}
		time.Sleep(s.drain)
		leave()
		s.journal.add(s.name + " has drained")
		return nil
	}
}

// begin starts a manager. The function that it returns ends it.
func begin(t *testing.T, m *Manager) (end func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- m.Start(ctx) }()
	return func() error {
		cancel()
		return <-ended
	}
}

func TestOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j, kube := &journal{}, kubetest.NewClientset()
		m := newManager(t, kube, election)
		slow := newStub(m, j, "robots")
		slow.filled, slow.drain = make(chan struct{}), 10*time.Second
		require.NoError(t, m.Add(slow))
		require.EqualError(t, m.Add(slow), "controller robots has been added already")
		m.Run("page", j.runs("page"))
		m.Run("webhooks", j.runs("webhooks"), BeforeCaches())
		m.Run("sweeper", j.runs("sweeper"), OnlyLeader())
		m.Prepare(func() {
			time.Sleep(time.Minute)
			j.add("prepared")
		})
		pods := informer.For(m.Factory(), informer.Namespaced(kube, corev1.SchemeGroupVersion.WithResource("pods"), kube.CoreV1().Pods))

		end := begin(t, m)
		time.Sleep(2 * time.Minute)
		assert.Equal(t, []string{"webhooks starts", "prepared"}, j.all())
		_, err := kube.CoordinationV1().Leases("system").Get(t.Context(), "operator", getOptions)
		require.Error(t, err, "a process that cannot work must not hold the lease")
		close(slow.filled)
		time.Sleep(time.Minute)
		assert.True(t, pods.HasSynced())
		assert.ElementsMatch(t, []string{"page starts", "robots reconciles", "sweeper starts"}, j.all()[3:])
		require.NoError(t, end())
		assert.Equal(t, []string{"robots has drained"}, j.all()[6:7], "it has the rest of the process until then")
		assert.ElementsMatch(t, []string{"page ends", "sweeper ends"}, j.all()[7:9])
		assert.Equal(t, []string{"webhooks ends"}, j.all()[9:])
		assert.EqualError(t, m.Start(t.Context()), "the manager has already been started")
	})
}

// TestOneLeads has a leader, a standby, and a process without leader election.
func TestOneLeads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j, kube := &journal{}, kubetest.NewClientset()
		start := func(name string, options ...Option) (end func() error) {
			m := newManager(t, kube, options...)
			m.informerName.Release()
			require.NoError(t, m.Add(newStub(m, j, name)))
			return begin(t, m)
		}
		first := start("first", election)
		time.Sleep(time.Minute)
		second := start("second", election)
		alone := start("alone")
		time.Sleep(time.Minute)
		assert.True(t, j.has("first reconciles"))
		assert.True(t, j.has("alone reconciles"))
		assert.False(t, j.has("second reconciles"))
		require.NoError(t, first())
		time.Sleep(50 * time.Millisecond)
		assert.True(t, j.has("second reconciles"))
		require.NoError(t, second())
		require.NoError(t, alone())
	})
}

// TestLeasePerController has two processes, each of which leads with one of the controllers.
func TestLeasePerController(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j, kube := &journal{}, kubetest.NewClientset()
		m := newManager(t, kube, election, LeasePerController())
		require.NoError(t, m.Add(newStub(m, j, "robots")))
		end := begin(t, m)
		time.Sleep(time.Minute)
		m.informerName.Release()
		other := newManager(t, kube, election, LeasePerController())
		k := &journal{}
		require.NoError(t, other.Add(newStub(other, k, "robots")))
		require.NoError(t, other.Add(newStub(other, k, "yards")))
		endOther := begin(t, other)
		time.Sleep(time.Minute)
		assert.True(t, k.has("yards reconciles"))
		assert.False(t, k.has("robots reconciles"))
		require.NoError(t, end())
		require.NoError(t, endOther())
	})
}

// TestAlsoHold replaces two processes by one, which runs their controllers, and goes back. Old and new never lead at the same time.
func TestAlsoHold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j, kube := &journal{}, kubetest.NewClientset()
		start := func(name, controllerName string, options ...Option) (end func() error) {
			m := newManager(t, kube, append(options, election)...)
			m.informerName.Release()
			m.name = name
			require.NoError(t, m.Add(newStub(m, j, controllerName)))
			return begin(t, m)
		}
		robots, yards := start("robot-controller", "robots"), start("yard-controller", "yards")
		time.Sleep(time.Minute)
		require.True(t, j.has("robots reconciles") && j.has("yards reconciles"))
		operator := start("operator", "both", AlsoHold("robot-controller", "system/yard-controller"))
		time.Sleep(time.Minute)
		require.NoError(t, robots())
		time.Sleep(time.Minute)
		assert.False(t, j.has("both reconciles"), "yards are still reconciled by their own process")
		require.NoError(t, yards())
		time.Sleep(50 * time.Millisecond)
		assert.True(t, j.has("both reconciles"))

		robots, yards = start("robot-controller", "robots again"), start("yard-controller", "yards again")
		time.Sleep(time.Minute)
		assert.False(t, j.has("robots again reconciles") || j.has("yards again reconciles"))
		require.NoError(t, operator())
		time.Sleep(50 * time.Millisecond)
		assert.True(t, j.has("robots again reconciles") && j.has("yards again reconciles"))
		require.NoError(t, robots())
		require.NoError(t, yards())
	})
}

// TestLostLease has another process take the lease. Reconciles do not return in time, so Start returns while they are in flight.
func TestLostLease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j, kube := &journal{}, kubetest.NewClientset()
		m := newManager(t, kube, election)
		s := newStub(m, j, "robots")
		s.drain = time.Hour
		require.NoError(t, m.Add(s))
		ended := make(chan error, 1)
		go func() { ended <- m.Start(t.Context()) }()
		time.Sleep(61 * time.Second) // between two renewals
		lease, err := kube.CoordinationV1().Leases("system").Get(t.Context(), "operator", getOptions)
		require.NoError(t, err)
		other := "another process"
		lease.Spec.HolderIdentity = &other
		_, err = kube.CoordinationV1().Leases("system").Update(t.Context(), lease, updateOptions)
		require.NoError(t, err)
		began := time.Now()
		require.EqualError(t, <-ended, "leader election: lease system/operator is lost, and reconciles or OnlyLeader functions have not returned")
		assert.Less(t, time.Since(began), 4*time.Second)
		assert.False(t, j.has("robots has drained"))
		_, ok := m.writing(terms.OfProcess(t.Context()))
		assert.False(t, ok, "what is in flight must not write")
		time.Sleep(2 * time.Hour)
	})
}

// TestFailures ends a manager with the error of one of its parts.
func TestFailures(t *testing.T) {
	broken := errors.New("broken")
	for want, prepare := range map[string]func(*Manager, *stub){
		"controller: broken": func(_ *Manager, s *stub) { s.err = broken },
		"page: broken": func(m *Manager, _ *stub) {
			m.Run("page", func(context.Context) error { return broken })
		},
		"webhooks: broken": func(m *Manager, _ *stub) {
			m.Run("webhooks", func(context.Context) error { return broken }, BeforeCaches())
		},
		"sweeper would never run: OnlyLeader contradicts LeasePerController": func(m *Manager, _ *stub) {
			m.settings.leasePerController = true
			m.Run("sweeper", func(context.Context) error { return nil }, OnlyLeader())
		},
		"no leader": func(m *Manager, _ *stub) {
			m.leaseClients = func() (requests, watches coordinationv1client.LeasesGetter, err error) {
				return nil, nil, errors.New("no leader")
			}
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			j := &journal{}
			m := newManager(t, kubetest.NewClientset(), election)
			s := newStub(m, j, "robots")
			prepare(m, s)
			require.NoError(t, m.Add(s))
			m.Run("done", func(context.Context) error { return nil })
			assert.EqualError(t, m.Start(t.Context()), want)
		})
	}
}

func TestClient(t *testing.T) {
	m := newManager(t, nil)
	defer m.informerName.Release()
	defer m.recording.End(0)
	first, err := Client(m, kubernetes.NewForConfig)
	require.NoError(t, err)
	second, err := Client(m, kubernetes.NewForConfig)
	require.NoError(t, err)
	assert.Same(t, first, second)
	_, err = Client(m, func(*rest.Config) (*kubefake.Clientset, error) { return nil, errors.New("broken") })
	assert.EqualError(t, err, "client *fake.Clientset: broken")
}

// TestDropManagedFields asks the server to omit what the cache has to keep.
func TestDropManagedFields(t *testing.T) {
	config := &rest.Config{}
	drop := reflect.ValueOf(config).Elem().FieldByName("DropManagedFields")
	if !drop.IsValid() {
		t.Skip("client-go lacks the field")
	}
	drop.SetBool(true)
	m, err := New("operator", config)
	require.NoError(t, err)
	kube, err := Client(m, kubernetes.NewForConfig)
	require.NoError(t, err)
	informer.For(m.Factory(), informer.Namespaced(kube, corev1.SchemeGroupVersion.WithResource("pods"), kube.CoreV1().Pods))
	require.NoError(t, m.Factory().Extend(informer.WithManagedFields("us")))
	assert.EqualError(t, m.Start(t.Context()), "informer.WithManagedFields finds none: rest.Config.DropManagedFields asks the server to omit them. "+
		"Unset the one or leave out the other")
}

func TestOptions(t *testing.T) {
	for want, options := range map[string][]Option{
		"invalid number of workers 0: must be at least 1": {WithWorkers(0)},
		"negative duration -1s":                           {WithStuckAfter(-time.Second)},
		`the debug address ":6060" is not one of the loopback interface, such as localhost:6060`: {ServeDebug(":6060")},
		"ServeMetrics needs WithMetrics":                 {ServeMetrics(":8080")},
		`a check needs a name and a function: " "`:       {WithHealthCheck(" ", func(context.Context) error { return nil })},
		`a check needs a name and a function: "nothing"`: {WithReadinessCheck("nothing", nil)},
		`two checks have the name "a"`: {
			WithHealthCheck("a", func(context.Context) error { return nil }), WithHealthCheck("a", func(context.Context) error { return nil }),
		},
		"LeasePerController contradicts AlsoHold":      {election, LeasePerController(), AlsoHold("a")},
		"LeasePerController contradicts WithShards":    {election, LeasePerController(), WithShards(Shards{})},
		"WithShards: -1 slots: at least one is needed": {election, WithShards(Shards{Slots: -1})},
		"WithShards: the retry period 3s must be at least a second, and at most a seventh of the lease duration 15s": {
			WithLeaderElection(LeaderElection{Namespace: "system", RetryPeriod: 3 * time.Second}), WithShards(Shards{}),
		},
		"leader election needs the namespace of the lease": {WithLeaderElection(LeaderElection{})},
		"the lease duration 1s must be longer than the renew deadline 10s, and the renew deadline longer than three retry periods of 2s": {WithLeaderElection(LeaderElection{Namespace: "a", LeaseDuration: time.Second})},
		"the lease duration 2.5s must be whole seconds": {WithLeaderElection(LeaderElection{
			Namespace: "a", LeaseDuration: 2500 * time.Millisecond, RenewDeadline: 2200 * time.Millisecond, RetryPeriod: time.Second,
		})},
		`AlsoHold: "system/" is not the name of a lease`: {election, AlsoHold("")},
		`AlsoHold: "a/b/c" is not the name of a lease`:   {election, AlsoHold("robot-controller", "a/b/c")},
		`WithNamespaces()`: {WithInformers(informer.WithNamespaces())},
	} {
		_, err := New("operator", &rest.Config{}, options...)
		assert.ErrorContains(t, err, want)
	}
	m := newManager(t, nil)
	_, err := New("operator", &rest.Config{})
	require.EqualError(t, err,
		`a manager with this name already exists in this process: informer name "operator" is already registered`)
	m.informerName.Release()
	m.recording.End(0)
	_, err = New("Fleet operator", &rest.Config{})
	assert.ErrorContains(t, err, `the name "Fleet operator" of the manager is invalid`)
}
