package e2e

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/ptr"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
	"github.com/informer-gen-lite/informer-gen-lite/apiservertest/faults"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
)

// systemNamespace is the controller's namespace in examples/config.
const systemNamespace = "workload-system"

// unused are permissions of a role that the requests of this test do not show.
var unused = map[string]string{
	"patch events.events.k8s.io":                    "only events that repeat, about one version of an object, are counted in the first of them",
	"update workloads/finalizers.fleet.example.com": "an admission plugin asks whether it is allowed, without any request",
}

// TestRoles makes a controller do everything that it can do, and checks that its roles allow exactly that.
func TestRoles(t *testing.T) {
	// Not parallel: under the race detector, the servers of other tests delay requests for longer than the one-second timeout of
	// lease requests.
	seen := &permissions{by: map[string]map[string]bool{}}
	c := start(t, apiservertest.Options{Wrap: seen.wrap})
	world := startWorld(t, c)
	// Adding the finalizer causes a conflict, so that the object must be read again.
	conflict := c.Faults.Add(faults.Rule{
		Verbs: []string{"patch"}, Resource: "workloads", Times: 1, Do: faults.Fail(http.StatusConflict),
		Match: func(_ *request.RequestInfo, r *http.Request) bool { return isController(r) },
	})
	// The cache of revisions lags, so that the create request conflicts with a foreign revision.
	c.Faults.Add(faults.Rule{
		Verbs: []string{"watch"}, Resource: "workloadrevisions", Do: faults.Lag(time.Second),
		Match: func(_ *request.RequestInfo, r *http.Request) bool { return isController(r) },
	})
	controller := newTeam(t, c).join(t, "controller", "--leader-elect-namespace="+systemNamespace)
	live(t, c, world, seen)
	assert.Equal(t, 1, conflict.Hits())
	controller.signal(t, syscall.SIGTERM)
	code, _ := controller.end(t)
	assert.Zero(t, code)

	everywhere, inSystem := readRoles(t, "../../examples/config/rbac/role.yaml", "workload-controller")
	for what := range unused {
		assert.Contains(t, everywhere, what)
		delete(everywhere, what)
	}
	for what := range seen.of(systemNamespace) {
		assert.Contains(t, inSystem, what, "in its own namespace")
	}
	used := map[string]bool{}
	for where := range seen.by {
		if where != systemNamespace {
			maps.Copy(used, seen.of(where))
		}
	}
	for what := range unused {
		delete(used, what)
	}
	assert.Equal(t, slices.Sorted(maps.Keys(everywhere)), slices.Sorted(maps.Keys(used)), "what the ClusterRole allows, and what is done")
	assert.Equal(t, slices.Sorted(maps.Keys(inSystem)), slices.Sorted(maps.Keys(seen.of(systemNamespace))), "what the Role allows, and what is done")
}

// live exercises the life of a workload with every event that a controller must handle.
func live(t *testing.T, c *cluster, w *world, seen *permissions) {
	t.Helper()
	ctx := within(t)
	workloads, revisions := c.client.FleetV1().Workloads(namespace), c.client.FleetV1().WorkloadRevisions(namespace)
	deployments := w.kube.AppsV1().Deployments(namespace)
	wanted := map[cache.ObjectName]wish{}
	name := cache.ObjectName{Namespace: namespace, Name: "web"}
	change := func(wish wish) {
		config := `null`
		if wish.config != "" {
			config = `{"app.conf": "` + wish.config + `"}`
		}
		patch := `{"spec": {"revisionHistoryLimit": 0, "config": ` + config + `, "template": {"image": "` + wish.image + `"}}}`
		_, err := workloads.Patch(ctx, name.Name, types.MergePatchType, []byte(patch), metav1.PatchOptions{})
		require.NoError(t, err)
		wanted[name] = wish
	}

	// A foreign revision has the name of the first one; the controller inspects it.
	_, err := revisions.Create(ctx, revision("web-1"), metav1.CreateOptions{})
	require.NoError(t, err)
	first := wish{image: "image:1", config: "colour = blue", replicas: 2}
	created, err := workloads.Create(ctx, first.object(name), metav1.CreateOptions{})
	require.NoError(t, err)
	eventually(t, func() bool { return seen.of(namespace)["get workloadrevisions.fleet.example.com"] }, "the other revision is not looked into")
	wanted[name] = first
	require.NoError(t, revisions.Delete(ctx, "web-1", metav1.DeleteOptions{})) // for which the controller waits
	w.settles(t, wanted)

	// A deployment to release, and an update that removes the old revision and the config map.
	stray := &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "stray", OwnerReferences: []metav1.OwnerReference{
			*metav1.NewControllerRef(created, fleetv1.SchemeGroupVersion.WithKind("Workload")),
		}},
		Spec: appsv1.DeploymentSpec{
			Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "stray"}},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "stray"}},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "stray", Image: "stray"}}},
			},
			Replicas: ptr.To[int32](0),
		},
	}
	_, err = deployments.Create(ctx, stray, metav1.CreateOptions{})
	require.NoError(t, err)
	change(wish{image: "image:3", replicas: 2})
	w.settles(t, wanted)
	_, err = deployments.Get(ctx, "stray", metav1.GetOptions{})
	assert.True(t, apierrors.IsNotFound(err), "%v", err)

	require.NoError(t, workloads.Delete(ctx, name.Name, metav1.DeleteOptions{}))
	w.settles(t, nil)
}

func isController(r *http.Request) bool {
	return strings.HasPrefix(r.UserAgent(), "workload-controller/")
}

// permissions are those required by the controller's requests, as "verb resource.group", by namespace; "" for cluster-scoped
// requests.
type permissions struct {
	mu sync.Mutex
	by map[string]map[string]bool
}

// of returns the permissions required in a namespace.
func (p *permissions) of(namespace string) map[string]bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return maps.Clone(p.by[namespace])
}

func (p *permissions) wrap(api http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		info, ok := request.RequestInfoFrom(r.Context())
		if !ok || !isController(r) {
			api.ServeHTTP(w, r)
			return
		}
		p.need(info, info.Verb)
		if info.Verb == "patch" {
			w = &watchCode{w, func(code int) {
				if code == http.StatusCreated { // applied without an existing object
					p.need(info, "create")
				}
			}}
		}
		api.ServeHTTP(w, r)
	})
}

func (p *permissions) need(info *request.RequestInfo, verb string) {
	what := verb + " " + info.Path
	if info.IsResourceRequest {
		what = permission(verb, info.APIGroup, strings.TrimSuffix(info.Resource+"/"+info.Subresource, "/"))
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.by[info.Namespace] == nil {
		p.by[info.Namespace] = map[string]bool{}
	}
	p.by[info.Namespace][what] = true
}

func permission(verb, group, resource string) string {
	return strings.TrimSuffix(verb+" "+resource+"."+group, ".")
}

// watchCode records the status code of a response other than a stream.
type watchCode struct {
	http.ResponseWriter
	tell func(code int)
}

// WriteHeader implements http.ResponseWriter.
func (w *watchCode) WriteHeader(code int) {
	w.tell(code)
	w.ResponseWriter.WriteHeader(code)
}

// readRoles reads the permissions of a ClusterRole and a Role. The Role must belong to the controller's own namespace.
func readRoles(t *testing.T, path, name string) (everywhere, inSystem map[string]bool) {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	documents := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(text), 4096)
	for {
		var role rbacv1.ClusterRole // which has the fields of a Role
		err := documents.Decode(&role)
		if errors.Is(err, io.EOF) {
			return everywhere, inSystem
		}
		require.NoError(t, err)
		switch role.Name {
		case name:
			everywhere = allowed(role.Rules)
		case name + "-leases": // which is bound in the namespace of the controller alone
			inSystem = allowed(role.Rules)
		}
	}
}

func allowed(rules []rbacv1.PolicyRule) map[string]bool {
	all := map[string]bool{}
	for _, rule := range rules {
		for _, group := range rule.APIGroups {
			for _, resource := range rule.Resources {
				for _, verb := range rule.Verbs {
					all[permission(verb, group, resource)] = true
				}
			}
		}
	}
	return all
}
