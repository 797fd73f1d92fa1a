package e2e

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	fleetv1ac "github.com/informer-gen-lite/informer-gen-lite/examples/generated/applyconfiguration/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

var watchModes = map[string]controller.WatchMode{"cached": controller.Cached, "metadata": controller.Metadata, "named": controller.Named}

// referrers is a controller of workloads that refer to the Secrets in their arguments, such as shop/a.
type referrers struct {
	*controller.Controller[*fleetv1.Workload]
	secrets *controller.Referred[*fleetv1.Workload, *corev1.Secret]
	// watches is the number of open watches of Secrets.
	watches atomic.Int64

	lock sync.Mutex
	// seen is what the last reconcile of each workload has seen, and errs its error.
	seen map[cache.ObjectName]string
	errs map[cache.ObjectName]error
}

func secretsOf(w *fleetv1.Workload) (names []cache.ObjectName) {
	for _, arg := range w.Spec.Template.Args {
		namespace, name, _ := strings.Cut(arg, "/")
		names = append(names, cache.NewObjectName(namespace, name))
	}
	return names
}

// newReferrers returns a controller with connections of its own, which end with the test.
func newReferrers(t *testing.T, config *rest.Config, mode controller.WatchMode, options ...controller.Option) *referrers {
	t.Helper()
	r := &referrers{seen: map[cache.ObjectName]string{}, errs: map[cache.ObjectName]error{}}
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return watchCounter{next, &r.watches} })
	httpClient, err := rest.HTTPClientFor(config)
	require.NoError(t, err)
	t.Cleanup(httpClient.CloseIdleConnections)
	client, err := versioned.NewForConfigAndClient(config, httpClient)
	require.NoError(t, err)
	kube, err := kubernetes.NewForConfigAndClient(config, httpClient)
	require.NoError(t, err)
	r.Controller, err = controller.New(externalversions.FleetV1WorkloadSource(client), r, options...)
	require.NoError(t, err)
	source := informer.Namespaced(kube, corev1.SchemeGroupVersion.WithResource("secrets"), kube.CoreV1().Secrets)
	r.secrets, err = controller.Refer(r.Controller, source, mode, secretsOf)
	require.NoError(t, err)
	return r
}

// run runs the controller until the test ends.
func (r *referrers) run(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- r.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		assert.NoError(t, <-done)
	})
}

func (r *referrers) Reconcile(ctx context.Context, w *fleetv1.Workload) (controller.Result, error) {
	all, err := r.secrets.All(ctx, w)
	var seen []string
	for _, secret := range all {
		seen = append(seen, secret.Namespace+"/"+secret.Name+"="+string(secret.Data["v"]))
	}
	r.lock.Lock()
	defer r.lock.Unlock()
	r.seen[cache.MetaObjectToName(w)], r.errs[cache.MetaObjectToName(w)] = strings.Join(seen, " "), err
	return controller.Result{}, err
}

func (r *referrers) ReconcileDeleted(_ context.Context, name cache.ObjectName) error {
	r.lock.Lock()
	defer r.lock.Unlock()
	delete(r.seen, name)
	return nil
}

// missed returns the workloads whose last reconcile has not seen what it should have.
func (r *referrers) missed(want map[cache.ObjectName]string) (missed []string) {
	r.lock.Lock()
	defer r.lock.Unlock()
	for name, seen := range r.seen {
		if wanted, exists := want[name]; !exists || seen != wanted {
			missed = append(missed, fmt.Sprintf("%s has seen %q, not %q", name, seen, wanted))
		}
	}
	for name := range want {
		if _, reconciled := r.seen[name]; !reconciled {
			missed = append(missed, name.String()+" was not reconciled")
		}
	}
	return missed
}

// failed returns the error of the last reconcile of a workload.
func (r *referrers) failed(name cache.ObjectName) error {
	r.lock.Lock()
	defer r.lock.Unlock()
	return r.errs[name]
}

// watchCounter counts the open watches of Secrets.
type watchCounter struct {
	http.RoundTripper
	open *atomic.Int64
}

func (c watchCounter) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := c.RoundTripper.RoundTrip(request)
	if err == nil && response.StatusCode == http.StatusOK && path.Base(request.URL.Path) == "secrets" && request.URL.Query().Has("watch") {
		c.open.Add(1)
		response.Body = &countedBody{response.Body, sync.OnceFunc(func() { c.open.Add(-1) })}
	}
	return response, err
}

type countedBody struct {
	io.ReadCloser
	closed func()
}

func (b *countedBody) Close() error {
	b.closed()
	return b.ReadCloser.Close()
}

// referenceWriter changes its own workloads and Secrets at random. The workloads refer to Secrets of all writers.
type referenceWriter struct {
	*writer
	kube    kubernetes.Interface
	targets []string
	refers  map[cache.ObjectName][]string
	values  map[string]string
}

const (
	referenceWriters = 4
	// Each writer has some workloads and Secrets.
	workloadsEach, secretsEach = 50, 10
)

func secretName(writer, number int) string {
	return fmt.Sprintf("%s/s-%d-%d", loadNamespaces[number%len(loadNamespaces)], writer, number)
}

func (w *referenceWriter) change(ctx context.Context) error {
	name := cache.NewObjectName(loadNamespaces[w.id%len(loadNamespaces)], fmt.Sprintf("w-%d-%d", w.id, w.random.IntN(workloadsEach)))
	secret := secretName(w.id, w.random.IntN(secretsEach))
	_, referring := w.refers[name]
	_, exists := w.values[secret]
	switch kind := w.random.IntN(8); {
	case kind < 4:
		w.random.Shuffle(len(w.targets), func(i, j int) { w.targets[i], w.targets[j] = w.targets[j], w.targets[i] })
		return w.refer(ctx, name, slices.Clone(w.targets[:w.random.IntN(4)]))
	case kind == 4 && referring:
		return w.drop(ctx, name)
	case kind == 5 && exists:
		return w.forget(ctx, secret)
	default:
		return w.set(ctx, secret, strconv.Itoa(w.random.IntN(1_000_000)))
	}
}

// refer makes a workload refer to Secrets, and creates it if necessary.
func (w *referenceWriter) refer(ctx context.Context, name cache.ObjectName, secrets []string) error {
	w.refers[name] = secrets
	desired := fleetv1ac.Workload(name.Name, name.Namespace).WithSpec(fleetv1ac.WorkloadSpec().WithRegionName("north").
		WithTemplate(fleetv1ac.WorkloadTemplate().WithImage("image:1").WithArgs(secrets...)))
	return w.insist(ctx, func() error {
		_, err := w.of(name).Apply(ctx, desired, metav1.ApplyOptions{FieldManager: "load", Force: true})
		return err
	})
}

// drop deletes a workload.
func (w *referenceWriter) drop(ctx context.Context, name cache.ObjectName) error {
	delete(w.refers, name)
	return w.insist(ctx, func() error {
		err := w.of(name).Delete(ctx, name.Name, metav1.DeleteOptions{})
		if controller.IsNotFound(err) { // the reply was lost
			return nil
		}
		return err
	})
}

// set creates or changes a Secret.
func (w *referenceWriter) set(ctx context.Context, secret, value string) error {
	w.values[secret] = value
	namespace, name, _ := strings.Cut(secret, "/")
	desired := corev1ac.Secret(name, namespace).WithData(map[string][]byte{"v": []byte(value)})
	return w.insist(ctx, func() error {
		_, err := w.kube.CoreV1().Secrets(namespace).Apply(ctx, desired, metav1.ApplyOptions{FieldManager: "load", Force: true})
		return err
	})
}

// forget deletes a Secret.
func (w *referenceWriter) forget(ctx context.Context, secret string) error {
	delete(w.values, secret)
	namespace, name, _ := strings.Cut(secret, "/")
	return w.insist(ctx, func() error {
		err := w.kube.CoreV1().Secrets(namespace).Delete(ctx, name, metav1.DeleteOptions{})
		if controller.IsNotFound(err) { // the reply was lost
			return nil
		}
		return err
	})
}

// TestReferencesUnderLoad changes workloads and Secrets concurrently, and breaks all connections halfway. In the end, the last reconcile
// of each workload must have seen the Secrets that it refers to, and nothing else is watched.
func TestReferencesUnderLoad(t *testing.T) {
	changes := 800 // of each writer
	if testing.Short() {
		changes = 200
	}
	c := start(t, apiservertest.Options{})
	kube, err := kubernetes.NewForConfigAndClient(c.Config(), httpClientFor(t, c.Config()))
	require.NoError(t, err)
	controllers := map[string]*referrers{}
	for name, mode := range watchModes {
		controllers[name] = newReferrers(t, c.Config(), mode, controller.WithName(name), controller.WithWorkers(4))
		controllers[name].run(t)
	}
	var targets []string
	for id := range referenceWriters {
		for number := range secretsEach {
			targets = append(targets, secretName(id, number))
		}
	}
	all := make([]*referenceWriter, referenceWriters)
	var group sync.WaitGroup
	for id := range all {
		w := &referenceWriter{
			writer: newWriter(c.client, 1, id, 0), kube: kube, targets: slices.Clone(targets),
			refers: map[cache.ObjectName][]string{}, values: map[string]string{},
		}
		all[id] = w
		group.Go(func() {
			for n := range changes {
				if id == 0 && n == changes/2 {
					c.Sever()
				}
				if !assert.NoError(t, w.change(t.Context())) {
					return
				}
			}
		})
	}
	group.Wait()

	want, watched := wantedReferences(all)
	began := time.Now()
	for name, r := range controllers {
		var missed []string
		eventually(t, func() bool { missed = r.missed(want); return len(missed) == 0 }, "%s missed changes: %v", name, &missed)
	}
	t.Logf("%d workloads refer to %d Secrets; all have been seen %v after the last change", len(want), watched, time.Since(began))
	assertWatches := func(named int) {
		for name, watches := range map[string]int{"cached": 1, "metadata": 1, "named": named} {
			open := func() bool { return int(controllers[name].watches.Load()) == watches }
			eventually(t, open, "%s does not have %d watches", name, watches)
		}
	}
	assertWatches(watched)
	for _, w := range all {
		for name := range maps.Clone(w.refers) {
			require.NoError(t, w.drop(t.Context(), name))
		}
	}
	assertWatches(0)
}

// wantedReferences returns what each workload must have seen, and to how many Secrets they refer.
func wantedReferences(all []*referenceWriter) (want map[cache.ObjectName]string, watched int) {
	values, referred := map[string]string{}, map[string]bool{}
	for _, w := range all {
		maps.Copy(values, w.values)
	}
	want = map[cache.ObjectName]string{}
	for _, w := range all {
		for name, secrets := range w.refers {
			var seen []string
			for _, secret := range secrets {
				referred[secret] = true
				if value, exists := values[secret]; exists {
					seen = append(seen, secret+"="+value)
				}
			}
			want[name] = strings.Join(seen, " ")
		}
	}
	return want, len(referred)
}

// TestResourceNames is https://github.com/openshift/lightspeed-operator/pull/1976: a role was narrowed to some names, for list and watch,
// too. The informers still asked for all objects, which was denied, so the operator ended before it had reconciled anything. Watches by
// name work with such a role.
func TestResourceNames(t *testing.T) {
	c := start(t, apiservertest.Options{RBAC: true})
	const user = "robot"
	w := &referenceWriter{writer: newWriter(c.client, 1, 0, 0), refers: map[cache.ObjectName][]string{}, values: map[string]string{}}
	var err error
	w.kube, err = kubernetes.NewForConfigAndClient(c.Config(), httpClientFor(t, c.Config()))
	require.NoError(t, err)
	subjects := []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: user}}
	verbs := []string{"get", "list", "watch"}
	create(t, w.kube.RbacV1().ClusterRoles(), &rbacv1.ClusterRole{
		ObjectMeta: metav1.ObjectMeta{Name: user},
		Rules:      []rbacv1.PolicyRule{{APIGroups: []string{fleetv1.GroupName}, Resources: []string{"workloads"}, Verbs: verbs}},
	})
	create(t, w.kube.RbacV1().ClusterRoleBindings(), &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: user}, Subjects: subjects,
		RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: user},
	})
	create(t, w.kube.RbacV1().Roles("shop"), &rbacv1.Role{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: user},
		Rules:      []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"secrets"}, ResourceNames: []string{"a", "b"}, Verbs: verbs}},
	})
	create(t, w.kube.RbacV1().RoleBindings("shop"), &rbacv1.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: user}, Subjects: subjects,
		RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: user},
	})
	web, db, other := cache.NewObjectName("shop", "web"), cache.NewObjectName("shop", "db"), cache.NewObjectName("shop", "other")
	for name, secret := range map[cache.ObjectName]string{web: "shop/a", db: "shop/b", other: "shop/c"} {
		require.NoError(t, w.refer(t.Context(), name, []string{secret}))
		require.NoError(t, w.set(t.Context(), secret, "1"))
	}
	asUser, err := kubernetes.NewForConfigAndClient(c.As(user), httpClientFor(t, c.As(user)))
	require.NoError(t, err)
	bound := func() bool {
		_, err := asUser.CoreV1().Secrets("shop").Get(t.Context(), "a", metav1.GetOptions{})
		return err == nil
	}
	eventually(t, bound, "the user does not get the role")

	for _, name := range []string{"cached", "metadata"} {
		// Not shorter: a busy server may need seconds for the answer that is expected.
		r := newReferrers(t, c.As(user), watchModes[name], controller.WithSyncTimeout(soon(time.Second)),
			controller.WithInformers(informer.WithNamespaces("shop")))
		require.ErrorContains(t, r.Run(within(t)), "forbidden", name)
		assert.Empty(t, r.seen, "nothing is reconciled")
	}
	r := newReferrers(t, c.As(user), controller.Named, controller.WithWorkers(4))
	r.run(t)
	sees := func(a, b string) {
		var missed []string
		want := map[cache.ObjectName]string{web: a, db: b, other: ""}
		eventually(t, func() bool { missed = r.missed(want); return len(missed) == 0 }, "%v", &missed)
	}
	sees("shop/a=1", "shop/b=1")
	require.NoError(t, w.set(t.Context(), "shop/a", "2"))
	require.NoError(t, w.forget(t.Context(), "shop/b"))
	sees("shop/a=2", "")
	require.NoError(t, w.set(t.Context(), "shop/b", "3"))
	sees("shop/a=2", "shop/b=3")
	assert.ErrorContains(t, r.failed(other), "forbidden", "it is not said to be missing")
}

// httpClientFor returns a client whose connections end with the test.
func httpClientFor(t *testing.T, config *rest.Config) *http.Client {
	t.Helper()
	httpClient, err := rest.HTTPClientFor(config)
	require.NoError(t, err)
	t.Cleanup(httpClient.CloseIdleConnections)
	return httpClient
}
