package cli

import (
	"bytes"
	"encoding/json"
	"go/token"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
)

var sampleDiagnostics = diag.List{
	{Pos: token.Position{Filename: "a,b.go", Line: 3, Column: 4}, Message: "100% wrong", Hint: "do this"},
	{Message: "no position"},
	{Warning: true, Pos: token.Position{Filename: "a.go", Line: 1, Column: 2}, Message: "odd"},
}

func TestReportFormats(t *testing.T) {
	for _, test := range []struct {
		name   string
		format string
		color  bool
		want   string
	}{
		{"text", "text", false, "a,b.go:3:4: 100% wrong\n\tdo this\nno position\na.go:1:2: warning: odd\n"},
		{"color", "text", true, "\x1b[1ma,b.go:3:4\x1b[22m: \x1b[31;1m100% wrong\x1b[0;22m\n\t\x1b[32mdo this\x1b[0m\n\x1b[31;1mno position\x1b[0;22m\n\x1b[1ma.go:1:2\x1b[22m: \x1b[33;1mwarning: odd\x1b[0;22m\n"},
		{"github", "github", false, "::error file=a%2Cb.go,line=3,col=4::100%25 wrong%0Ado this\n::error::no position\n::warning file=a.go,line=1,col=2::odd\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var b bytes.Buffer
			require.NoError(t, printDiagnostics(&b, test.format, test.color, sampleDiagnostics))
			assert.Equal(t, test.want, b.String())
		})
	}
}

func TestReportJSON(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, printDiagnostics(&b, "json", false, sampleDiagnostics))
	var got []map[string]any
	require.NoError(t, json.Unmarshal(b.Bytes(), &got))
	assert.Equal(t, []map[string]any{
		{"file": "a,b.go", "line": 3.0, "column": 4.0, "message": "100% wrong", "hint": "do this", "severity": "error"},
		{"severity": "error", "message": "no position"},
		{"severity": "warning", "file": "a.go", "line": 1.0, "column": 2.0, "message": "odd"},
	}, got)
}
