package traps

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype/gotypetest"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
)

// report returns the warnings of a trap for the package example.com/m/api of an archive, in a module that requires a release of Go and
// generates definitions.
func report(t *testing.T, trap, goVersion, archive string) []string {
	t.Helper()
	loaded := gotypetest.Load(t, archive, "./api")
	loaded.Packages[0].Module.GoVersion = goVersion
	opts := resolve.Options{Defines: true}
	resolved, diags := resolve.API(t.Context(), loaded, opts)
	require.False(t, diags.Failed(), diags.Error())
	api := &run.API{Loaded: loaded, Resolved: resolved, Options: run.Options{Resolve: opts}}
	found := lists.Filter(Report(t.Context(), api, nil), func(d diag.Diagnostic) bool { return d.Trap == trap })
	return lists.Map(found, func(d diag.Diagnostic) string {
		return diag.Line(d.Pos) + ": " + d.Message
	})
}

// kind is a package with a kind. Its tags are as in most projects.
const kind = `
-- meta/meta.go --
package meta

type TypeMeta struct{}
type ObjectMeta struct{}
-- api/types.go --
package api

import "example.com/m/meta"

type Robot struct {
	meta.TypeMeta   ` + "`json:\",inline\"`" + `
	meta.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `
	Spec            RobotSpec ` + "`json:\"spec,omitempty\"`" + `
}

type RobotList struct{}
-- api/spec.go --
package api

import "time"

type RobotSpec struct {`

// withFields returns the archive with fields, one a line, whose tags are in single quotes. The first one is in line 6.
func withFields(fields ...string) string {
	return kind + "\n\t" + strings.ReplaceAll(strings.Join(fields, "\n\t"), "'", "`") + "\n}\n\nvar _ time.Time\n"
}

func TestJSONv2(t *testing.T) {
	archive := withFields(`Arms int32 'json:"arms,omitempty"'`) + "-- api/v2.go --\npackage api\n\nimport _ \"encoding/json/v2\"\n"
	const arms = "spec.go:6: RobotSpec.Arms with encoding/json/v2, which v2.go imports, is not omitted if it is zero"
	assert.Equal(t, []string{arms}, report(t, option.JSONv2, "1.26.0", archive))

	const importers = "-- store/store.go --\npackage store\n\nimport (\n\t_ \"encoding/json/v2\"\n\n\t_ \"example.com/m/api\"\n)\n" +
		"-- other/other.go --\npackage other\n\nimport _ \"encoding/json/v2\"\n"
	for field, want := range map[string]string{
		`A int32 'json:"a,omitempty"'`:                    "is not omitted if it is zero",
		`A bool 'json:"a,omitempty"'`:                     "is not omitted if it is zero",
		`A float64 'json:"a,omitempty"'`:                  "is not omitted if it is zero",
		`A int32 'json:"a,omitempty,omitzero"'`:           "",
		`A *int32 'json:"a,omitempty"'`:                   "",
		`A int32 'json:"a"'`:                              "",
		`A string 'json:"a,omitempty"'`:                   "",
		`A []string 'json:"a,omitempty"'`:                 "",
		`A string 'json:"a,string"'`:                      "cannot be encoded",
		`A int64 'json:"a,string"'`:                       "",
		`A time.Duration 'json:"a"'`:                      "cannot be encoded",
		`A *time.Duration 'json:"a,omitempty"'`:           "cannot be encoded",
		`A [4]byte 'json:"a"'`:                            "is a string in base64 instead of an array",
		`A []byte 'json:"a"'`:                             "",
		`A struct{B int 'json:"b"'} 'json:"a"'`:           "",
		`A map[string]int 'json:"a,omitempty"'`:           "",
		`A time.Time 'json:"a,omitempty"'`:                "",
		`A meta.Unknown 'json:"a,omitempty"'`:             "",
		`A, b bool 'json:",omitempty"'`:                   "is not omitted if it is zero",
		`A bool 'json:"-"'`:                               "",
		`A bool 'yaml:"a,omitempty"'`:                     "",
		`A struct{B bool 'json:",omitempty"'} 'json:"a"'`: "is not omitted if it is zero",
	} {
		name := "A"
		if strings.Contains(field, "B bool") {
			name = "B"
		}
		var wanted []string
		if want != "" {
			wanted = []string{"spec.go:6: RobotSpec." + name + " with encoding/json/v2, which store/store.go imports, " + want}
		}
		assert.Equal(t, wanted, report(t, option.JSONv2, "1.27.0", withFields(field)+importers), field)
		assert.Empty(t, report(t, option.JSONv2, "1.26.0", withFields(field)+importers), field)
		assert.Empty(t, report(t, option.JSONv2, "1.27.0", withFields(field)), field)
	}
}

func TestGoFix(t *testing.T) {
	const metadata = "types.go:7: Robot.ObjectMeta is required in the definition once go fix has removed omitempty, because the field is a struct"
	assert.Equal(t, []string{metadata + " (1 more in this package: types.go:8)"}, report(t, option.GoFix, "1.27.0", withFields()))
	assert.Empty(t, report(t, option.GoFix, "1.26.9", withFields()))
	assert.Empty(t, report(t, option.GoFix, "1.27.0", withFields("// +kubebuilder:validation:MinLength=1", `A string 'json:"a"'`)))
	for _, field := range []string{
		`A *RobotSpec 'json:"a,omitempty"'`, `A struct{} 'json:"a"'`, `A struct{} 'json:"a,omitempty,omitzero"'`, `A int 'json:"a,omitempty"'`,
		"// +optional\n\t" + `A struct{} 'json:"a,omitempty"'`, "// +required\n\t" + `A struct{} 'json:"a,omitempty"'`,
	} {
		assert.Equal(t, []string{metadata + " (1 more in this package: types.go:8)"}, report(t, option.GoFix, "1.27", withFields(field)), field)
	}
	more := []string{`A, B, C struct{} 'json:",omitempty"'`}
	assert.Equal(t, []string{strings.Replace(metadata, "types.go:7: Robot.ObjectMeta", "spec.go:6: RobotSpec.A", 1) +
		" (4 more in this package: spec.go:6, spec.go:6, types.go:7, …)"}, report(t, option.GoFix, "1.28", withFields(more...)))
}

// TestReference compares the table of the reference with the traps, and with the names that the option takes.
func TestReference(t *testing.T) {
	text, err := os.ReadFile("../../../docs/usage.md")
	require.NoError(t, err)
	_, section, ok := strings.Cut(string(text), "\n### Warnings of traps\n")
	require.True(t, ok)
	section, _, _ = strings.Cut(section, "\n#")
	var documented []string
	for _, match := range regexp.MustCompile("(?m)^\\| `([a-z0-9-]+)` \\|").FindAllStringSubmatch(section, -1) {
		documented = append(documented, match[1])
	}
	names := lists.Map(All, func(trap Trap) string { return trap.Name })
	assert.Equal(t, names, documented)
	assert.Equal(t, names, option.Lookup("warnings-off").Values)
}

// TestIsBoolean has the texts that YAML 1.1 takes for booleans, and others that look like them.
func TestIsBoolean(t *testing.T) {
	for word := range strings.FieldsSeq("y Y yes Yes YES n N no No NO true True TRUE false False FALSE on On ON off Off OFF") {
		assert.True(t, isBoolean(word), word)
	}
	for _, word := range []string{"", "0", "1", "nO", "yEs", "null", "~", "enabled", "- y", "[", "a: b", "y z"} {
		assert.False(t, isBoolean(word), word)
	}
}
