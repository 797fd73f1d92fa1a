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

// deployed has manifests of controllers on a server, and the module with their commands.
type deployed struct {
	server    *apiservertest.Server
	manifests manifests
	dir       string
}

// run runs an operator as its Deployment says, as a process on this machine, and lets it reconcile an object of each kind.
func (d *deployed) run(t *testing.T, path string, kinds ...string) {
	t.Helper()
	name := filepath.Base(path)
	binary := filepath.Join(t.TempDir(), name)
	command(t, d.dir, "go", "build", "-o", binary, path)
	deployments := only[appsv1.Deployment](t, d.manifests, "Deployment")
	i := slices.IndexFunc(deployments, func(one *appsv1.Deployment) bool { return one.Name == name })
	require.GreaterOrEqual(t, i, 0, "no Deployment %s", name)
	pod, namespace := deployments[i].Spec.Template.Spec, deployments[i].Namespace
	require.Len(t, pod.Containers, 1)
	container := pod.Containers[0]
	account := "system:serviceaccount:" + namespace + ":" + pod.ServiceAccountName
	kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
	require.NoError(t, apiservertest.WriteKubeconfig(d.server.As(account), kubeconfig))

	process := exec.Command(binary, withFreePorts(t, container)...)
	process.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig)
	for _, variable := range container.Env {
		process.Env = append(process.Env, variable.Name+"="+variable.Value)
	}
	controller := startCandidate(t, name, process, nil)
	controller.wait(t, leads)
	for _, probe := range []*corev1.Probe{container.LivenessProbe, container.ReadinessProbe} {
		require.NotNil(t, probe)
		assert.Equal(t, "probes", probe.HTTPGet.Port.String())
		eventually(t, func() bool {
			code, _ := controller.get(t, probe.HTTPGet.Path)
			return code == http.StatusOK
		}, "probe %s fails", probe.HTTPGet.Path)
	}
	for _, kind := range kinds {
		d.reconcile(t, controller, kind)
	}
	controller.signal(t, syscall.SIGTERM)
	code, _ := controller.end(t)
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

// reconcile creates an object of a kind, waits until it is reconciled, and deletes it.
func (d *deployed) reconcile(t *testing.T, controller *candidate, kind string) {
	t.Helper()
	crds := only[apiextensionsv1.CustomResourceDefinition](t, d.manifests, "CustomResourceDefinition")
	i := slices.IndexFunc(crds, func(one *apiextensionsv1.CustomResourceDefinition) bool { return one.Spec.Names.Singular == kind })
	require.GreaterOrEqual(t, i, 0, "no CustomResourceDefinition of %s", kind)
	spec := crds[i].Spec
	version := schema.GroupVersion{Group: spec.Group, Version: spec.Versions[0].Name}
	_, client := connect(t, d.server.Config())
	objects := client.Resource(version.WithResource(spec.Names.Plural)).Namespace("")
	if spec.Scope == apiextensionsv1.NamespaceScoped {
		objects = client.Resource(version.WithResource(spec.Names.Plural)).Namespace(metav1.NamespaceDefault)
	}
	sample := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{}}}
	sample.SetGroupVersionKind(version.WithKind(spec.Names.Kind))
	sample.SetName("sample")
	_, err := objects.Create(t.Context(), sample, metav1.CreateOptions{})
	require.NoError(t, err)
	success := regexp.MustCompile(`(?m)^controller_runtime_reconcile_total{controller="` + crds[i].Name + `",result="success"} [1-9]`)
	eventually(t, func() bool {
		_, metrics := controller.get(t, "/metrics")
		return success.MatchString(metrics)
	}, "nothing is reconciled")
	if spec.Versions[0].Subresources != nil {
		eventually(t, func() bool {
			stored, err := objects.Get(t.Context(), sample.GetName(), metav1.GetOptions{})
			require.NoError(t, err)
			conditions, _, err := unstructured.NestedSlice(stored.Object, "status", "conditions")
			require.NoError(t, err)
			return len(conditions) == 1 && conditions[0].(map[string]any)["reason"] == "Reconciled"
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
