package cli

import (
	"bytes"
	"encoding/json"
	"go/token"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
)

var sampleDiagnostics = diag.List{
	{Pos: token.Position{Filename: "a,b.go", Line: 3, Column: 4}, Message: "100% wrong", Hint: "do this"},
	{Message: "no position"},
	{Warning: true, Pos: token.Position{Filename: "a.go", Line: 1, Column: 2}, Message: "odd"},
}

func TestReportFormats(t *testing.T) {
	for _, test := range []struct {
		name   string
		report *reporter
		want   string
	}{
		{"text", &reporter{format: "text"}, "a,b.go:3:4: 100% wrong\n\tdo this\nno position\na.go:1:2: warning: odd\n"},
		{"color", &reporter{format: "text", color: true}, "\x1b[1ma,b.go:3:4\x1b[22m: \x1b[31;1m100% wrong\x1b[0;22m\n\t\x1b[32mdo this\x1b[0m\n\x1b[31;1mno position\x1b[0;22m\n\x1b[1ma.go:1:2\x1b[22m: \x1b[33;1mwarning: odd\x1b[0;22m\n"},
		{"github", &reporter{format: "github"}, "::error file=a%2Cb.go,line=3,col=4::100%25 wrong%0Ado this\n::error::no position\n::warning file=a.go,line=1,col=2::odd\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var b bytes.Buffer
			require.NoError(t, test.report.print(&b, sampleDiagnostics))
			assert.Equal(t, test.want, b.String())
		})
	}
}

func TestReportJSON(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, (&reporter{format: "json"}).print(&b, sampleDiagnostics))
	var got []map[string]any
	require.NoError(t, json.Unmarshal(b.Bytes(), &got))
	assert.Equal(t, []map[string]any{
		{"file": "a,b.go", "line": 3.0, "column": 4.0, "message": "100% wrong", "hint": "do this", "severity": "error"},
		{"severity": "error", "message": "no position"},
		{"severity": "warning", "file": "a.go", "line": 1.0, "column": 2.0, "message": "odd"},
	}, got)
}

func TestOutputFlag(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "m")
	writeFile(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.26.0\n")
	writeFile(t, filepath.Join(dir, "v1", "types.go"), "// +groupName=fleet.example.com\n"+oneKind)

	code, _, stderr := run(t, dir, "--output", "xml")
	assert.Equal(t, exitUsage, code)
	assert.Contains(t, stderr, `unknown format "xml", must be one of text, json, github`)

	code, stdout, stderr := run(t, dir, "verify", "--only", "clientset", "--output", "github")
	assert.Equal(t, exitProblem, code)
	assert.Empty(t, stderr)
	assert.Contains(t, stdout, "::error file=pkg/generated/clientset/versioned/clientset.go::generated file is missing%0Arun informer-gen-lite generate\n")

	code, stdout, _ = run(t, dir, "--go-header-file", "nope", "--output", "json")
	assert.Equal(t, exitProblem, code)
	assert.Contains(t, stdout, `"message": "--go-header-file: open`)
}

func TestTags(t *testing.T) {
	code, stdout, _ := run(t, t.TempDir(), "tags")
	assert.Equal(t, exitDone, code)
	assert.Contains(t, stdout, "+genclient:onlyVerbs=verb,…")
	assert.Contains(t, stdout, "+kubebuilder:subresource:scale")

	const name = "../../docs/tags.md"
	code, stdout, _ = run(t, t.TempDir(), "tags", "--markdown")
	assert.Equal(t, exitDone, code)
	if *update {
		require.NoError(t, os.WriteFile(name, []byte(stdout), 0o644))
	}
	want, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, string(want), stdout, "docs/tags.md is out of date: go test ./internal/cli -update")
}

func TestExplain(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "m")
	writeFile(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.26.0\n\nrequire k8s.io/client-go v0.35.4\n")
	writeFile(t, filepath.Join(dir, "fleet", "v1", "types.go"), "// +groupName=fleet.example.com\n"+oneKind)
	code, stdout, stderr := run(t, dir, "explain")
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

	code, stdout, _ = run(t, dir, "explain", "--json")
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
	_, _, stderr := run(t, dir)
	assert.Empty(t, stderr)
}
