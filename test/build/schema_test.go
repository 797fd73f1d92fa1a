package build_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/test/internal/doctest"
)

// withoutSchema is a test of a fake clientset whose apply configurations have no schema: it applies by what it can deduce.
const withoutSchema = `package m

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1ac "k8s.io/client-go/applyconfigurations/meta/v1"

	fleetv1 "example.com/m/api/v1"
	fleetv1ac "example.com/m/pkg/generated/applyconfiguration/api/v1"
	"example.com/m/pkg/generated/clientset/versioned/fake"
)

func TestApply(t *testing.T) {
	ctx := t.Context()
	old := &fleetv1.Robot{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "old"}}
	robots := fake.NewClientset(old).FleetV1().Robots("shop")
	for _, name := range []string{"old", "new"} {
		config := fleetv1ac.Robot(name, "shop").WithLabels(map[string]string{"a": "b"})
		applied, err := robots.Apply(ctx, config, metav1.ApplyOptions{FieldManager: "us"})
		require.NoError(t, err)
		assert.Equal(t, map[string]string{"a": "b"}, applied.Labels)
		status := fleetv1ac.RobotStatus().WithConditions(metav1ac.Condition().WithType("Ready").WithStatus("True"))
		_, err = robots.ApplyStatus(ctx, fleetv1ac.Robot(name, "shop").WithStatus(status), metav1.ApplyOptions{FieldManager: "us"})
		require.NoError(t, err)
	}
	list, err := robots.List(ctx, metav1.ListOptions{})
	require.NoError(t, err)
	require.Len(t, list.Items, 2)
	assert.Equal(t, "Ready", list.Items[1].Status.Conditions[0].Type)
	list.Items[0].Labels = nil
	updated, err := robots.Update(ctx, &list.Items[0], metav1.UpdateOptions{})
	require.NoError(t, err)
	assert.Empty(t, updated.Labels)
}
`

// TestWithoutSchema uses the fakes of repositories that have no schema, with the oldest and with the newest client-go.
func TestWithoutSchema(t *testing.T) {
	for _, target := range []model.Target{model.OldestTarget, model.DefaultTarget} {
		s := doctest.Session{T: t, Root: root, Dir: filepath.Join(t.TempDir(), "m"), Bin: bin(t)}
		requirementsOf(s, "testdata/targets/"+target.String(), "example.com/m")
		s.Write("api/v1/types.go", strings.Replace(types, "// +informergen:controller\n", "", 1))
		s.Write("m_test.go", withoutSchema)
		must(s, "informer-gen-lite --schema=false && go test -timeout=2m .")
		require.NotContains(t, readFile(s, "pkg/generated/applyconfiguration/api/v1/robot.go"), "func Extract")
	}
}
