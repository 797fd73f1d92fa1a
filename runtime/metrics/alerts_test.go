package metrics_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// rules has the fields of a PrometheusRule that refer to metrics.
type rules struct {
	Spec struct {
		Groups []struct {
			Rules []struct {
				Alert, Expr string
				Annotations struct{ Summary string }
			}
		}
	}
}

// TestAlerts checks every alert against the metrics of a process that does what the scaffolded command does. The page on operations
// explains each.
func TestAlerts(t *testing.T) {
	text, err := os.ReadFile("../../docs/dashboards/alerts.yaml")
	require.NoError(t, err)
	var file rules
	require.NoError(t, yaml.Unmarshal(text, &file))
	page, err := os.ReadFile("../../docs/operations.md")
	require.NoError(t, err)
	served := serveAll(t)

	require.Len(t, file.Spec.Groups, 1)
	require.NotEmpty(t, file.Spec.Groups[0].Rules)
	for _, rule := range file.Spec.Groups[0].Rules {
		t.Run(rule.Alert, func(t *testing.T) {
			assert.Regexp(t, ` [<>=]+ [0-9.]+$`, rule.Expr, "an alert needs a threshold")
			require.NotEmpty(t, rule.Annotations.Summary)
			legend := strings.ReplaceAll(rule.Annotations.Summary, "{{$labels.", "{{")
			assert.Empty(t, check(query{rule.Expr, legend}, served))
			assert.Contains(t, string(page), "\n| `"+rule.Alert+"` |")
		})
	}
}
