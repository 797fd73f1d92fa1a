package manager

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation"
	kubescheme "k8s.io/client-go/kubernetes/scheme"
	coordinationv1client "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/events"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/handover"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/definitions"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/manager/internal/recording"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/manager/internal/terms"
)

// Controller is a controller in a manager: a [controller.Controller], or a generated one.
type Controller interface {
	Name() string
	Run(ctx context.Context) error
	Synced() <-chan struct{}
	Unserved() []string
	LongestRunning() time.Duration
	Describe() controller.Status
	DescribeObject(name cache.ObjectName) controller.ObjectStatus
}

var _ Controller = &controller.Controller[controller.Object]{}

// Manager runs controllers, and what else a process serves. Everything but Start is called before Start.
type Manager struct {
	name     string
	settings *settings
	// config is for clients of controllers; unfenced was passed to New.
	config, unfenced *rest.Config
	factory          *informer.Factory
	// informerName is released at the end of Start.
	informerName *cache.InformerName
	recording    *recording.Recording
	definitions  *definitions.Check
	record       *handover.Record
	clients      map[reflect.Type]any

	controllers []Controller
	runnables   []runnable
	preparing   []func()
	// leaderships are by the controllers whose reconciles need them: one for all, named "", or one for each controller.
	leaderships map[string]*leadership
	// replicas is nil without shards.
	replicas *replicas
	// leaseClients returns the clients for leases: one whose requests have a timeout, and one for watches.
	leaseClients func() (requests, watches coordinationv1client.LeasesGetter, err error)
	// lost receives an error when a lease is lost, and the process must end.
	lost chan error

	lock    sync.Mutex
	started bool
	// seats are the seats of all leaderships, set by Start. leaseLost is set when the process must end because it has lost a lease.
	seats     []*terms.Seat
	leaseLost bool
	// synced is set while all caches have synced and everything runs.
	synced bool
}

// New returns a manager without controllers. The name identifies it in leases, metrics and logs, and must be a DNS label such as
// "fleet-operator". The configuration is copied. Unless it has a QPS or RateLimiter, clients have no limit: servers share their capacity
// themselves (API priority and fairness, KEP-1040). New returns an error for invalid options; it sends no requests.
func New(name string, config *rest.Config, options ...Option) (*Manager, error) {
	s := newSettings(options)
	if problems := validation.IsDNS1123Subdomain(name); len(problems) > 0 {
		return nil, fmt.Errorf("the name %q of the manager is invalid: %s", name, strings.Join(problems, "; "))
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	m := &Manager{
		name: name, settings: s, record: handover.New(), clients: map[reflect.Type]any{},
		leaderships: map[string]*leadership{},
	}
	m.config, m.unfenced = rest.CopyConfig(config), rest.CopyConfig(config)
	if config.QPS == 0 && config.RateLimiter == nil { // client-go would allow 5 requests per second
		m.config.QPS, m.unfenced.QPS = -1, -1
	}
	m.replicas = newReplicas(m)
	m.config.Wrap(m.fence)
	m.leaseClients = m.newLeaseClients
	var err error
	if m.informerName, err = cache.NewInformerName(name); err != nil {
		return nil, fmt.Errorf("a manager with this name already exists in this process: %w", err)
	}
	m.factory = informer.NewFactory(append(s.informers, informer.WithInformerName(m.informerName))...)
	if err := m.factory.Err(); err != nil {
		m.informerName.Release()
		return nil, err
	}
	if s.metrics != nil {
		s.metrics.Informers(m.factory.Describe)
	}
	m.recording, err = recording.New(m.config)
	if err = errors.Join(err, m.compareDefinitions()); err != nil {
		m.informerName.Release()
	}
	return m, err
}

// Name returns the name of the manager.
func (m *Manager) Name() string { return m.name }

// Config returns the configuration for clients. Clients that are made with it fail to write once another process may lead.
func (m *Manager) Config() *rest.Config { return m.config }

// Client returns a client of a type, such as *kubernetes.Clientset, that its constructor makes for the configuration of the manager.
// There is one of each type, which controllers share.
//
//	kube, err := manager.Client(m, kubernetes.NewForConfig)
func Client[C any](m *Manager, newForConfig func(*rest.Config) (C, error)) (C, error) {
	key := reflect.TypeFor[C]()
	if client, ok := m.clients[key].(C); ok {
		return client, nil
	}
	client, err := newForConfig(m.config)
	if err != nil {
		return client, fmt.Errorf("client %v: %w", key, err)
	}
	m.clients[key] = client
	return client, nil
}

// Factory returns the factory of the informers that all controllers share. It watches the namespaces of the manager. Start runs the
// informers that are requested from it, and waits for them before it starts controllers.
func (m *Manager) Factory() *informer.Factory { return m.factory }

// Recorder returns a recorder for events of a reporting controller, about objects of Kubernetes and of the given schemes. Events that are
// recorded until Start returns are written.
func (m *Manager) Recorder(reportingController string, addToScheme ...func(*runtime.Scheme) error) (events.EventRecorder, error) {
	scheme := runtime.NewScheme()
	errs := []error{kubescheme.AddToScheme(scheme)}
	for _, add := range addToScheme {
		errs = append(errs, add(scheme))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return m.recording.NewRecorder(scheme, reportingController), nil
}

// ControllerOptions returns the options for a controller that is added to the manager. Options that follow them override them. The name
// is also the name of the lease, if each controller has its own, see [LeasePerController].
func (m *Manager) ControllerOptions(name string) []controller.Option {
	options := []controller.Option{
		controller.WithFactory(m.factory), controller.WithWorkers(m.settings.workers), controller.WithLeadership(m.leadershipOf(name).Join),
		controller.WithHandover(m.record),
	}
	if m.replicas != nil {
		options = append(options, controller.WithShare(m.replicas.share(name)))
	}
	options = append(options, m.settings.pause...)
	if m.settings.metrics != nil {
		options = append(options, controller.WithMetrics(m.settings.metrics))
	}
	return options
}

// Add adds a controller that was made with the options of ControllerOptions.
func (m *Manager) Add(c Controller) error {
	for _, other := range m.controllers {
		if other.Name() == c.Name() {
			return fmt.Errorf("controller %s has been added already", c.Name())
		}
	}
	m.controllers = append(m.controllers, c)
	return nil
}

// Prepare calls a function while caches fill. Controllers start when it has returned; the end of the manager does not wait for it. It is
// for slow work that is done once, such as parsing the schema of apply configurations.
func (m *Manager) Prepare(prepare func()) { m.preparing = append(m.preparing, prepare) }
