package metrics_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/metrics"
)

// dashboard has the fields of a dashboard that refer to metrics.
type dashboard struct {
	Templating struct {
		List []struct{ Name, Type, Definition string }
	}
	Panels []struct {
		ID          int
		Title, Type string
		Datasource  struct{ UID string }
		Targets     []struct{ RefID, Expr, LegendFormat string }
	}
}

// variables are the values of the dashboard's variables in this test. Those of Grafana begin with two underscores.
var variables = map[string]string{
	"job":             jobName,
	"controller":      strings.ReplaceAll(regexp.QuoteMeta(controllerName), `\`, `\\`),
	"__rate_interval": "5m",
}

// jobName is the label that Prometheus adds to everything that it scrapes here.
const jobName = "robots"

// TestDashboard checks every query of the dashboard against the metrics of a process that does what the scaffolded command does.
func TestDashboard(t *testing.T) {
	text, err := os.ReadFile("../../docs/dashboards/controllers.json")
	require.NoError(t, err)
	var board dashboard
	require.NoError(t, json.Unmarshal(text, &board))
	served := serveAll(t)

	defined := []string{"datasource"}
	for _, variable := range board.Templating.List {
		if variable.Type != "query" {
			continue
		}
		defined = append(defined, variable.Name)
		t.Run("variable "+variable.Name, func(t *testing.T) {
			parts := regexp.MustCompile(`^label_values\((.+), (\w+)\)$`).FindStringSubmatch(variable.Definition)
			require.NotNil(t, parts, variable.Definition)
			assert.Empty(t, check(query{parts[1], "{{" + parts[2] + "}}"}, served))
			assert.Contains(t, variables, variable.Name)
		})
	}
	for name := range variables {
		assert.True(t, strings.HasPrefix(name, "__") || slices.Contains(defined, name), "no variable %s", name)
	}

	ids := map[int]bool{}
	for _, panel := range board.Panels {
		assert.False(t, ids[panel.ID], "two panels have the ID %d", panel.ID)
		ids[panel.ID] = true
		if panel.Type == "row" {
			continue
		}
		t.Run(panel.Title, func(t *testing.T) {
			assert.Equal(t, "${datasource}", panel.Datasource.UID)
			assert.NotEmpty(t, panel.Targets)
			for _, target := range panel.Targets {
				assert.Empty(t, check(query{target.Expr, target.LegendFormat}, served), "query %s", target.RefID)
			}
		})
	}
}

// serveAll returns what is served after a reconcile, a request to an API server, and the start of leader election.
func serveAll(t *testing.T) []series {
	t.Helper()
	m := metrics.New()
	m.LongestRunning(controllerName, func() time.Duration { return 0 })
	runController(t, succeed, []string{"web"}, controller.WithMetrics(m), controller.WithWorkers(2))
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	kube, err := kubernetes.NewForConfig(&rest.Config{Host: server.URL})
	require.NoError(t, err)
	_, err = kube.CoreV1().ConfigMaps("shop").Get(t.Context(), "web", metav1.GetOptions{})
	require.True(t, apierrors.IsNotFound(err), "%v", err)
	_, err = leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Name: "robots",
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Namespace: "robots", Name: "robots"},
			Client:     kube.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: "robots-1"},
		},
		LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
		Callbacks: leaderelection.LeaderCallbacks{OnStartedLeading: func(context.Context) {}, OnStoppedLeading: func() {}},
	})
	require.NoError(t, err)

	served := scrape(t, m)
	for _, one := range served {
		one.labels["job"], one.labels["instance"] = jobName, "10.0.0.1:8080"
	}
	return served
}

// TestCheck tests check itself.
func TestCheck(t *testing.T) {
	served := []series{
		{name: "reconciles_total", labels: map[string]string{"controller": controllerName, "result": "error"}},
		{name: "time_bucket", labels: map[string]string{"controller": controllerName, "le": "+Inf"}},
	}
	tests := map[string]struct {
		query query
		want  []string
	}{
		"selector":        {query: query{`reconciles_total{controller=~"$controller", result!="success"}[$__rate_interval]`, "{{result}}"}},
		"aggregation":     {query: query{`sum by (controller) (rate(reconciles_total[5m])) / 2 > 0.5`, "{{controller}} errors"}},
		"quantile":        {query: query{`histogram_quantile(0.99, sum by (controller, le) (rate(time_bucket[5m])))`, "p99"}},
		"metric":          {query: query{`rate(reconcile_total{result="error"}[5m])`, ""}, want: []string{"no metric reconcile_total"}},
		"suffix":          {query: query{`rate(time[5m])`, ""}, want: []string{"no metric time"}},
		"second metric":   {query: query{`reconciles_total / times_total`, ""}, want: []string{"no metric times_total"}},
		"label":           {query: query{`reconciles_total{name!="web"}`, ""}, want: []string{"reconciles_total has no label name"}},
		"label of group":  {query: query{`sum(reconciles_total) by (outcome)`, ""}, want: []string{"reconciles_total has no label outcome"}},
		"label of legend": {query: query{`reconciles_total`, "{{code}}"}, want: []string{"reconciles_total has no label code"}},
		"lost in group":   {query: query{`sum by (result) (reconciles_total)`, "{{controller}}"}, want: []string{"legend: label controller is lost"}},
		"value":           {query: query{`reconciles_total{result="errors"}`, ""}, want: []string{"nothing matches reconciles_total"}},
		"part of a value": {query: query{`reconciles_total{result=~"err"}`, ""}, want: []string{"nothing matches reconciles_total"}},
		"function":        {query: query{`rates(reconciles_total[5m])`, ""}, want: []string{"no function rates"}},
		"variable":        {query: query{`reconciles_total{controller=~"$contoller"}`, ""}, want: []string{"no variable $contoller"}},
		"nothing":         {query: query{`1`, ""}, want: []string{"no metric in the query"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, check(test.query, served))
		})
	}
}
