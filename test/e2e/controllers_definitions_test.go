package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/util/retry"
	"k8s.io/klog/v2"
	"k8s.io/klog/v2/textlogger"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	informers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions"
	"github.com/informer-gen-lite/informer-gen-lite/examples/workloads"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/manager"
)

// TestControllersStaleDefinitions runs controllers with definitions that lack a field of workloads, and one of regions, which workloads refer
// to: the generated one, with default options, and handwritten ones that refuse such definitions, one of them with an account that cannot
// read any. Then the definitions are upgraded.
func TestControllersStaleDefinitions(t *testing.T) {
	t.Parallel()
	c := start(t, apiservertest.Options{RBAC: true})
	startWorld(t, c)
	upgrade := downgrade(t, c, map[string]string{"workloads.fleet.example.com": "revisionHistoryLimit", "regions.fleet.example.com": "taints"})
	wanted := wish{image: "image:1", tier: "tier-1", replicas: 1}
	name := cache.NewObjectName(namespace, "web")
	_, err := c.client.FleetV1().Workloads(namespace).Create(t.Context(), wanted.object(name), metav1.CreateOptions{})
	require.NoError(t, err)
	const anonymous = "system:anonymous"
	allowEverything(t, c, anonymous)

	warned := runManager(t, c.Config(), "warned", func(client versioned.Interface, kube kubernetes.Interface, m *manager.Manager) {
		controlled, err := workloads.NewController(client, kube, &events.FakeRecorder{}, m.ControllerOptions("generated")...)
		require.NoError(t, err)
		require.NoError(t, m.Add(controlled))
	})
	refusing, blind := &tally{}, &tally{}
	refused := runManager(t, c.Config(), "refused", refusing.add(t), manager.WithStaleDefinitions(manager.Refuse))
	denied := runManager(t, c.As(anonymous, "system:unauthenticated"), "denied", blind.add(t), manager.WithStaleDefinitions(manager.Refuse))

	eventually(t, func() bool { return strings.Contains(warned.text(), "older than this program") }, "the log does not say it")
	assert.Contains(t, warned.text(), `fields="spec.revisionHistoryLimit"`)
	assert.NotContains(t, warned.text(), "taints", "workloads only refer to regions")
	expected := []stale{
		{"workloads.v1.fleet.example.com", true, []string{"spec.revisionHistoryLimit"}},
		{"regions.v1.fleet.example.com", false, []string{"spec.taints"}},
	}
	assert.Equal(t, expected, warned.stale(t))
	assert.Equal(t, "the definition of workloads.v1.fleet.example.com lacks the fields spec.revisionHistoryLimit\n",
		warned.get(t, "probes", "/readyz?verbose"))
	eventually(t, func() bool { return strings.Contains(refused.text(), "older than this program") }, "the log does not say it")
	assert.Equal(t, expected, refused.stale(t), "other kinds have all fields")
	assert.Zero(t, refusing.reconciles.Load())
	assert.Contains(t, refused.get(t, "debugging", "/debug/controllers?object="+name.String()),
		"waiting for a definition of workloads.v1.fleet.example.com with the fields spec.revisionHistoryLimit")
	assert.NotZero(t, blind.reconciles.Load())
	assert.Equal(t, 1, strings.Count(denied.text(), "cannot be compared"), "%s", denied.text())

	upgrade()
	eventually(t, func() bool { return refusing.reconciles.Load() > 0 }, "the controller does not go on")
	eventually(t, func() bool { return strings.Contains(warned.text(), "has all fields") }, "the log does not say it")
	assert.Empty(t, warned.stale(t))
	assert.Empty(t, warned.get(t, "probes", "/readyz?verbose"))
}

// downgrade removes fields of specs from definitions, and returns a function that undoes it.
func downgrade(t *testing.T, c *cluster, fields map[string]string) (upgrade func()) {
	t.Helper()
	httpClient, err := rest.HTTPClientFor(c.Config())
	require.NoError(t, err)
	t.Cleanup(httpClient.CloseIdleConnections)
	client, err := apiextensions.NewForConfigAndClient(c.Config(), httpClient)
	require.NoError(t, err)
	definitions, before := client.ApiextensionsV1().CustomResourceDefinitions(), map[string]apiextensionsv1.CustomResourceDefinitionSpec{}
	change := func(name string, change func(*apiextensionsv1.CustomResourceDefinitionSpec)) {
		require.NoError(t, retry.RetryOnConflict(retry.DefaultRetry, func() error {
			definition, err := definitions.Get(t.Context(), name, metav1.GetOptions{})
			if err == nil {
				change(&definition.Spec)
				_, err = definitions.Update(t.Context(), definition, metav1.UpdateOptions{})
			}
			return err
		}))
	}
	for name, field := range fields {
		change(name, func(spec *apiextensionsv1.CustomResourceDefinitionSpec) {
			before[name] = *spec.DeepCopy()
			for _, version := range spec.Versions {
				delete(version.Schema.OpenAPIV3Schema.Properties["spec"].Properties, field)
			}
		})
	}
	return func() {
		for name, spec := range before {
			change(name, func(now *apiextensionsv1.CustomResourceDefinitionSpec) { *now = spec })
		}
	}
}

// allowEverything lets a user do everything with resources, and nothing else.
func allowEverything(t *testing.T, c *cluster, user string) {
	t.Helper()
	_, kube := clientsOf(t, c.Config())
	_, err := kube.RbacV1().ClusterRoles().Create(t.Context(), &rbacv1.ClusterRole{
		ObjectMeta: metav1.ObjectMeta{Name: "everything"},
		Rules:      []rbacv1.PolicyRule{{APIGroups: []string{"*"}, Resources: []string{"*"}, Verbs: []string{"*"}}},
	}, metav1.CreateOptions{})
	require.NoError(t, err)
	_, err = kube.RbacV1().ClusterRoleBindings().Create(t.Context(), &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "everything"},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "everything"},
		Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: user}},
	}, metav1.CreateOptions{})
	require.NoError(t, err)
}

// process is a running manager with its log.
type process struct {
	lock sync.Mutex
	log  bytes.Buffer
	*manager.Manager
}

// runManager runs a manager with the controllers that add adds, until the test ends.
func runManager(
	t *testing.T, config *rest.Config, name string, add func(versioned.Interface, kubernetes.Interface, *manager.Manager), options ...manager.Option,
) *process {
	t.Helper()
	client, kube := clientsOf(t, config)
	connection, err := rest.HTTPClientFor(config)
	require.NoError(t, err)
	t.Cleanup(connection.CloseIdleConnections)
	shared := &rest.Config{Host: config.Host, Transport: connection.Transport}
	m, err := manager.New(name, shared, append(options, manager.ServeProbes("localhost:0"), manager.ServeDebug("localhost:0"))...)
	require.NoError(t, err)
	add(client, kube, m)
	p := &process{Manager: m}
	logger := textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(p)))
	background(t, func(ctx context.Context) error { return m.Start(klog.NewContext(ctx, logger)) })
	return p
}

// Write implements io.Writer.
func (p *process) Write(text []byte) (int, error) {
	p.lock.Lock()
	defer p.lock.Unlock()
	return p.log.Write(text)
}

func (p *process) text() string {
	p.lock.Lock()
	defer p.lock.Unlock()
	return p.log.String()
}

// get requests a path from the address of probes or debugging.
func (p *process) get(t *testing.T, what, path string) string {
	t.Helper()
	address := regexp.MustCompile(`"Serving ` + what + `" address="([^"]+)"`).FindStringSubmatch(p.text())
	require.Len(t, address, 2, "%s", p.text())
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address[1]+path, nil)
	require.NoError(t, err)
	request.Close = true
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer func() { assert.NoError(t, response.Body.Close()) }()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	assert.Equal(t, http.StatusOK, response.StatusCode, "%s", body)
	return string(body)
}

// stale is a definition on the debug page.
type stale struct {
	Definition    string
	Written       bool
	MissingFields []string
}

func (p *process) stale(t *testing.T) []stale {
	t.Helper()
	var page struct{ Definitions []stale }
	require.NoError(t, json.Unmarshal([]byte(p.get(t, "debugging", "/debug/controllers?format=json")), &page))
	return page.Definitions
}

// tally counts reconciles of workloads.
type tally struct{ reconciles atomic.Int64 }

// Reconcile implements controller.Reconciler.
func (r *tally) Reconcile(context.Context, *fleetv1.Workload) (controller.Result, error) {
	r.reconciles.Add(1)
	return controller.Result{}, nil
}

// ReconcileDeleted implements controller.Reconciler.
func (r *tally) ReconcileDeleted(context.Context, cache.ObjectName) error { return nil }

// add returns a function that adds a controller, which watches all other kinds of the examples, too.
func (r *tally) add(t *testing.T) func(versioned.Interface, kubernetes.Interface, *manager.Manager) {
	return func(client versioned.Interface, _ kubernetes.Interface, m *manager.Manager) {
		c, err := controller.New(informers.FleetV1WorkloadSource(client), r, m.ControllerOptions("handwritten")...)
		require.NoError(t, err)
		watchAll(t, c, informers.RelaySource(client))
		watchAll(t, c, informers.TrafficClassSource(client))
		watchAll(t, c, informers.TunnelSource(client))
		watchAll(t, c, informers.ChassisSource(client))
		watchAll(t, c, informers.QuotaSource(client))
		watchAll(t, c, informers.RegionSource(client))
		watchAll(t, c, informers.WorkloadRevisionSource(client))
		watchAll(t, c, informers.AlarmSource(client))
		watchAll(t, c, informers.GatewaySource(client))
		watchAll(t, c, informers.PlacementPolicySource(client))
		watchAll(t, c, informers.FleetV1beta1WorkloadSource(client))
		require.NoError(t, m.Add(c))
	}
}

func watchAll[O controller.Object](t *testing.T, c *controller.Controller[*fleetv1.Workload], source informer.Source[O]) {
	t.Helper()
	_, err := controller.Watch(c, source, func(O) []cache.ObjectName { return nil })
	require.NoError(t, err)
}
