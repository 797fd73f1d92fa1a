package e2e

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
)

// TestExamplesAsDeployed applies the manifests of the examples, and runs the replicas of their operator with the arguments and the rights that
// the manifests give them.
func TestExamplesAsDeployed(t *testing.T) {
	server := apiservertest.Start(t, apiservertest.Options{RBAC: true, AnyNamespace: true, ReadyDeployments: true})
	d := &deployed{server: server, dir: "../../examples", manifests: readKustomization(t, "../../examples/config")}
	d.manifests.apply(t, server.Config())
	client, _ := connect(t, server.Config())
	_, err := client.FleetV1().Regions().Create(t.Context(), region("north"), metav1.CreateOptions{})
	require.NoError(t, err)
	d.run(t, "./cmd/"+program,
		sample{"region", map[string]any{"country": "SE", "endpoint": "https://south.example.com"}, "Counted"},
		sample{"workload", map[string]any{"regionName": "north", "template": map[string]any{"image": "image:1"}}, "Recorded"})
}

// TestMissingDefinition runs the operator on a server without its kinds. It says so, and goes on when they come.
func TestMissingDefinition(t *testing.T) {
	t.Parallel()
	server := apiservertest.Start(t, apiservertest.Options{})
	operator := newTeam(t, server.Kubeconfig()).launch(t, "operator")
	waits := operator.wait(t, "Waiting for caches")
	assert.Contains(t, waits.Reasons, "workloads.fleet.example.com")
	code, _ := operator.get(t, "/readyz")
	assert.Equal(t, http.StatusServiceUnavailable, code)
	code, _ = operator.get(t, "/healthz")
	assert.Equal(t, http.StatusOK, code)
	names, err := filepath.Glob(filepath.Join(crdDir, "*.yaml"))
	require.NoError(t, err)
	readManifests(t, names...).apply(t, server.Config())
	operator.wait(t, leads)
}

// deployed has manifests of controllers on a server, and the module with their commands.
type deployed struct {
	server    *apiservertest.Server
	manifests manifests
	dir       string
}

// run runs the replicas of an operator as its Deployment says, as processes on this machine. They reconcile an object of each kind, also
// after the leader has ended.
func (d *deployed) run(t *testing.T, path string, samples ...sample) {
	t.Helper()
	name := filepath.Base(path)
	binary := filepath.Join(t.TempDir(), name)
	command(t, d.dir, "go", "build", "-o", binary, path)
	deployments := only[appsv1.Deployment](t, d.manifests, "Deployment")
	i := slices.IndexFunc(deployments, func(one *appsv1.Deployment) bool { return one.Name == name })
	require.GreaterOrEqual(t, i, 0, "no Deployment %s", name)
	pod, namespace := deployments[i].Spec.Template.Spec, deployments[i].Namespace
	require.Len(t, pod.Containers, 1)
	require.EqualValues(t, 2, *deployments[i].Spec.Replicas)
	container := pod.Containers[0]
	account := "system:serviceaccount:" + namespace + ":" + pod.ServiceAccountName
	kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
	require.NoError(t, apiservertest.WriteKubeconfig(d.server.As(account), kubeconfig))
	launch := func(replica string) *candidate {
		process := exec.Command(binary, withFreePorts(t, container)...)
		process.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig)
		for _, variable := range container.Env {
			process.Env = append(process.Env, variable.Name+"="+variable.Value)
		}
		c := startCandidate(t, replica, process, nil)
		c.wait(t, isReady)
		return c
	}
	leader := launch("leader")
	leader.wait(t, leads)
	standby := launch("standby")
	for _, replica := range []*candidate{leader, standby} {
		for _, probe := range []*corev1.Probe{container.LivenessProbe, container.ReadinessProbe} {
			require.NotNil(t, probe)
			assert.Equal(t, "probes", probe.HTTPGet.Port.String())
			code, text := replica.get(t, probe.HTTPGet.Path)
			assert.Equal(t, http.StatusOK, code, "%s: %s", probe.HTTPGet.Path, text)
		}
	}
	for _, one := range samples {
		d.reconcile(t, leader, one)
	}
	assert.Empty(t, standby.lines(leads))
	leader.signal(t, syscall.SIGTERM)
	code, _ := leader.end(t)
	assert.Zero(t, code)
	standby.wait(t, leads)
	for _, one := range samples {
		d.reconcile(t, standby, one)
	}
	standby.signal(t, syscall.SIGTERM)
	code, _ = standby.end(t)
	assert.Zero(t, code)
	assertNoneForbidden(t, d.server, name, account)
}

// withFreePorts returns the arguments of a container, in which its ports are free ones: unlike a pod, the process has no address of its own.
func withFreePorts(t *testing.T, container corev1.Container) (args []string) {
	t.Helper()
	args = append(slices.Clone(container.Args), "--debug-address=127.0.0.1:0")
	flags := map[string]string{"probes": "--probe-address", "metrics": "--metrics-address"}
	for _, port := range container.Ports {
		i := slices.Index(args, fmt.Sprintf("%s=:%d", flags[port.Name], port.ContainerPort))
		require.GreaterOrEqual(t, i, 0, "no argument for port %s: %v", port.Name, args)
		args[i] = flags[port.Name] + "=127.0.0.1:0"
	}
	return args
}

// sample is an object of a kind, with the reason of its condition after a reconcile.
type sample struct {
	kind   string
	spec   map[string]any
	reason string
}

// scaffolded is a sample of a kind with a scaffolded controller.
func scaffolded(kind string) sample { return sample{kind, map[string]any{}, "Reconciled"} }

// reconcile creates a sample, waits until it is reconciled, and deletes it.
func (d *deployed) reconcile(t *testing.T, controller *candidate, wanted sample) {
	t.Helper()
	crds := only[apiextensionsv1.CustomResourceDefinition](t, d.manifests, "CustomResourceDefinition")
	i := slices.IndexFunc(crds, func(one *apiextensionsv1.CustomResourceDefinition) bool {
		return one.Spec.Names.Singular == wanted.kind
	})
	require.GreaterOrEqual(t, i, 0, "no CustomResourceDefinition of %s", wanted.kind)
	spec := crds[i].Spec
	version := schema.GroupVersion{Group: spec.Group, Version: spec.Versions[0].Name}
	_, client := connect(t, d.server.Config())
	objects := client.Resource(version.WithResource(spec.Names.Plural)).Namespace("")
	if spec.Scope == apiextensionsv1.NamespaceScoped {
		objects = client.Resource(version.WithResource(spec.Names.Plural)).Namespace(metav1.NamespaceDefault)
	}
	sample := &unstructured.Unstructured{Object: map[string]any{"spec": wanted.spec}}
	sample.SetGroupVersionKind(version.WithKind(spec.Names.Kind))
	sample.SetName("sample")
	sample, err := objects.Create(t.Context(), sample, metav1.CreateOptions{})
	require.NoError(t, err)
	success := regexp.MustCompile(`(?m)^controller_runtime_reconcile_total{controller="` + crds[i].Name + `",result="success"} [1-9]`)
	eventually(t, func() bool {
		_, metrics := controller.get(t, "/metrics")
		return success.MatchString(metrics)
	}, "nothing is reconciled")
	page := "/debug/controllers?object=" + strings.TrimPrefix(sample.GetNamespace()+"/sample", "/") + "&controller=" + crds[i].Name
	eventually(t, func() bool {
		_, text := controller.get(t, page)
		return strings.Contains(text, "success")
	}, "the page does not know the reconcile")
	if spec.Versions[0].Subresources != nil {
		eventually(t, func() bool {
			stored, err := objects.Get(t.Context(), sample.GetName(), metav1.GetOptions{})
			require.NoError(t, err)
			conditions, _, err := unstructured.NestedSlice(stored.Object, "status", "conditions")
			require.NoError(t, err)
			return slices.ContainsFunc(conditions, func(one any) bool { return one.(map[string]any)["reason"] == wanted.reason })
		}, "its status is not written")
	}
	require.NoError(t, objects.Delete(t.Context(), sample.GetName(), metav1.DeleteOptions{}))
	eventually(t, func() bool {
		_, err := objects.Get(t.Context(), sample.GetName(), metav1.GetOptions{})
		return apierrors.IsNotFound(err)
	}, "its finalizer stays")
}

// assertNoneForbidden checks that a program, which runs as a user, was not denied anything.
func assertNoneForbidden(t *testing.T, server *apiservertest.Server, program, user string) {
	t.Helper()
	requests, err := server.Requests()
	require.NoError(t, err)
	seen := 0
	for _, r := range requests {
		if r.User == user && strings.HasPrefix(r.UserAgent, program+"/") {
			seen++
			assert.NotEqual(t, http.StatusForbidden, r.Code, r)
		}
	}
	assert.Positive(t, seen)
}
