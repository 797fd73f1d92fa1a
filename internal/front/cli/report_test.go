package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOutputFlag(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "m")
	writeFile(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.26.0\n")
	writeFile(t, filepath.Join(dir, "v1", "types.go"), "// +groupName=fleet.example.com\n"+oneKind)

	code, _, stderr := execute(t, dir, "--output", "xml")
	assert.Equal(t, exitUsage, code)
	assert.Contains(t, stderr, `unknown format "xml", must be one of text, json, github`)

	code, stdout, stderr := execute(t, dir, "verify", "--only", "clientset", "--output", "github")
	assert.Equal(t, exitProblem, code)
	assert.Empty(t, stderr)
	assert.Contains(t, stdout, "::error file=pkg/generated/clientset/versioned/clientset.go::generated file is missing%0Arun informer-gen-lite generate\n")

	code, stdout, _ = execute(t, dir, "--go-header-file", "nope", "--output", "json")
	assert.Equal(t, exitProblem, code)
	assert.Contains(t, stdout, `"message": "--go-header-file: open`)
}

func TestMarkers(t *testing.T) {
	code, stdout, _ := execute(t, t.TempDir(), "markers")
	assert.Equal(t, exitDone, code)
	assert.Contains(t, stdout, "+genclient:onlyVerbs=verb,…")
	assert.Contains(t, stdout, "+kubebuilder:subresource:scale")

	code, tags, _ := execute(t, t.TempDir(), "tags")
	assert.Equal(t, exitDone, code)
	assert.Equal(t, stdout, tags, "an alias")

	const name = "../../../docs/markers.md"
	code, stdout, _ = execute(t, t.TempDir(), "markers", "--markdown")
	assert.Equal(t, exitDone, code)
	if *update {
		require.NoError(t, os.WriteFile(name, []byte(stdout), 0o644))
	}
	want, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, string(want), stdout, "docs/markers.md is out of date: go test ./internal/front/cli -update")
}

func TestExplain(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "m")
	writeFile(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.26.0\n\nrequire k8s.io/client-go v0.35.4\n")
	writeFile(t, filepath.Join(dir, "fleet", "v1", "types.go"), "// +groupName=fleet.example.com\n"+oneKind)
	code, stdout, stderr := execute(t, dir, "explain")
	require.Equal(t, exitDone, code, stderr)
	assert.Equal(t, `fleet.example.com/v1  example.com/m/fleet/v1
  group               fleet.example.com  +groupName fleet/v1/types.go:1:4
  version             v1                 directory or package name fleet/v1/types.go:2:1
  Go name             Fleet              first label of the group
  client-go           v0.35              k8s.io/client-go v0.35.4 go.mod:5:1
  run-time library    no                 default

fleet.example.com/v1 Robot
  resource  robots      default
  scope     Namespaced  default
  status    no          no field Status fleet/v1/types.go:6:6
  verbs     get         +genclient:onlyVerbs fleet/v1/types.go:5:4
  file      clientset/versioned/typed/fleet/v1/robot.go
  file      clientset/versioned/typed/fleet/v1/fake/fake_robot.go

`, stdout)

	code, stdout, _ = execute(t, dir, "explain", "--json")
	require.Equal(t, exitDone, code)
	var versions []explainedVersion
	require.NoError(t, json.Unmarshal([]byte(stdout), &versions))
	require.Len(t, versions, 1)
	require.Len(t, versions[0].Kinds, 1)
	assert.Equal(t, explainedFact{"verbs", "get", "+genclient:onlyVerbs", "fleet/v1/types.go:5:4"}, versions[0].Kinds[0].Facts[3])
}

// TestNoProgress has a short run without a terminal.
func TestNoProgress(t *testing.T) {
	dir := configured(t, "")
	writeFile(t, dir+"/v1/types.go", "// +groupName=fleet.example.com\n"+oneKind)
	_, _, stderr := execute(t, dir)
	assert.Empty(t, stderr)
}
