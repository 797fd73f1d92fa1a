package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
)

// TestImportFromKubectl imports kinds of a cluster as docs/import.md says, for a user who may get some definitions by name, and nothing
// else. The saved definitions are a source for the next import.
func TestImportFromKubectl(t *testing.T) {
	if _, err := exec.LookPath("kubectl"); err != nil {
		t.Skip("there is no kubectl on the PATH")
	}
	c := start(t, apiservertest.Options{RBAC: true})
	kube, err := kubernetes.NewForConfigAndClient(c.Config(), httpClientFor(t, c.Config()))
	require.NoError(t, err)
	const user = "importer"
	create(t, kube.RbacV1().ClusterRoles(), &rbacv1.ClusterRole{
		ObjectMeta: metav1.ObjectMeta{Name: user},
		Rules: []rbacv1.PolicyRule{{
			APIGroups: []string{"apiextensions.k8s.io"}, Resources: []string{"customresourcedefinitions"}, Verbs: []string{"get"},
			ResourceNames: []string{"tunnels.edge-network.example.com", "trafficclasses.edge-network.example.com", "relays.edge-network.example.com"},
		}},
	})
	create(t, kube.RbacV1().ClusterRoleBindings(), &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: user}, Subjects: []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: user}},
		RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: user},
	})
	dir := t.TempDir()
	tool, kubeconfig := filepath.Join(dir, "bin", "informer-gen-lite"), filepath.Join(dir, "kubeconfig")
	command(t, "../..", "go", "build", "-o", tool, "./cmd/informer-gen-lite")
	require.NoError(t, apiservertest.WriteKubeconfig(c.As(user), kubeconfig))
	module := filepath.Join(dir, "m")
	write(t, filepath.Join(module, "go.mod"), "module example.com/m\n\ngo 1.26.0\n")

	command(t, module, "sh", "-c", "export KUBECONFIG="+kubeconfig+"; kubectl api-resources --api-group=edge-network.example.com -o name | "+
		"xargs kubectl get crd -o yaml | "+tool+" import - --note prod")
	configuration, err := os.ReadFile(filepath.Join(module, ".informer-gen.yaml"))
	require.NoError(t, err)
	assert.Contains(t, string(configuration), "- from: apis/edge-network/edge-network.example.com.yaml\n  into: apis\n  note: prod\n")
	saved, err := os.ReadFile(filepath.Join(module, "apis/edge-network/edge-network.example.com.yaml"))
	require.NoError(t, err)
	assert.NotContains(t, string(saved), "managedFields")
	assert.NotContains(t, string(saved), "acceptedNames", "the status")
	assert.Contains(t, command(t, module, tool, "import"), "0 files written")
	assert.Contains(t, command(t, module, tool), "3 kinds")
	command(t, module, tool, "verify")
}
