package remote_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/pipeline/importing/remote"
)

// answers are those of a cluster with two kinds in a group, one of them in two versions, and an aggregated API.
var answers = map[string]string{
	"/apis/sea.example.com":         `{"versions":[{"version":"v1"},{"version":"v1beta1"}]}`,
	"/apis/sea.example.com/v1":      `{"resources":[{"name":"ships"},{"name":"ships/status"}]}`,
	"/apis/sea.example.com/v1beta1": `{"resources":[{"name":"ships"},{"name":"rafts"}]}`,
	"/apis/empty.example.com":       `{"versions":[{"version":"v1"}]}`,
	"/apis/empty.example.com/v1":    `{"resources":[]}`,
	"/apis/metrics.example.com":     `{"versions":[{"version":"v1"}]}`,
	"/apis/metrics.example.com/v1":  `{"resources":[{"name":"nodes"}]}`,
	"/apis/apiextensions.k8s.io/v1/customresourcedefinitions/ships.sea.example.com": `{"kind":"CustomResourceDefinition","metadata":{"name":"ships"}}`,
	"/apis/apiextensions.k8s.io/v1/customresourcedefinitions/rafts.sea.example.com": `{"kind":"CustomResourceDefinition","metadata":{"name":"rafts"}}`,
}

func TestRead(t *testing.T) {
	var requests []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests = append(requests, r.Method+" "+r.URL.Path)
		answer, ok := answers[r.URL.Path]
		if !ok {
			w.WriteHeader(http.StatusNotFound)
			answer = `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404,"message":"not there"}`
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, answer)
	}))
	defer server.Close()
	kubeconfig := filepath.Join(t.TempDir(), "config")
	require.NoError(t, os.WriteFile(kubeconfig, fmt.Appendf(nil, `apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: %q}}]
contexts: [{name: x, context: {cluster: c}}, {name: broken, context: {cluster: none}}]
current-context: broken
`, server.URL), 0o600))

	for name, test := range map[string]struct {
		context, group, version string
		want, fails             string
	}{
		"all versions":    {"x", "sea.example.com", "", "---\n" + answers["/apis/apiextensions.k8s.io/v1/customresourcedefinitions/rafts.sea.example.com"] + "\n---\n" + answers["/apis/apiextensions.k8s.io/v1/customresourcedefinitions/ships.sea.example.com"] + "\n", ""},
		"one version":     {"x", "sea.example.com", "v1", "---\n" + answers["/apis/apiextensions.k8s.io/v1/customresourcedefinitions/ships.sea.example.com"] + "\n", ""},
		"no such group":   {"x", "lake.example.com", "", "", "group lake.example.com: the server could not find"},
		"no such version": {"x", "sea.example.com", "v2", "", "version sea.example.com/v2: the server could not find"},
		"no kind":         {"x", "empty.example.com", "", "", "the cluster serves no kind of empty.example.com"},
		"aggregated":      {"x", "metrics.example.com", "", "", "nodes.metrics.example.com without a CustomResourceDefinition"},
		"current context": {"", "sea.example.com", "", "", "no cluster"},
	} {
		t.Run(name, func(t *testing.T) {
			requests = nil
			text, err := remote.Cluster{Kubeconfig: kubeconfig, Context: test.context}.Read(t.Context(), test.group, test.version)
			if test.fails != "" {
				assert.ErrorContains(t, err, test.fails)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, test.want, string(text))
			for _, request := range requests {
				assert.Contains(t, request, "GET ")
				assert.NotEqual(t, "GET /apis/apiextensions.k8s.io/v1/customresourcedefinitions", request, "definitions of others")
			}
		})
	}
}

func TestReadWithoutCluster(t *testing.T) {
	t.Setenv("KUBECONFIG", filepath.Join(t.TempDir(), "none"))
	t.Setenv("KUBERNETES_SERVICE_HOST", "")
	_, err := remote.Cluster{}.Read(t.Context(), "sea.example.com", "")
	assert.EqualError(t, err, "no cluster: set --kubeconfig or $KUBECONFIG")
}
