// Package form formats diagnostics: for people, for programs, and for GitHub.
package form

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/fatih/color"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
)

// All are the formats.
var All = []string{"text", "json", "github"}

// Diagnostic is the JSON form of a diagnostic.
type Diagnostic struct {
	// Severity is error or warning.
	Severity string `json:"severity"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	Column   int    `json:"column,omitempty"`
	Message  string `json:"message"`
	Hint     string `json:"hint,omitempty"`
}

// Print writes diagnostics, which are sorted and relative to the working directory, in one of the formats. Text may be colored.
func Print(w io.Writer, format string, colored bool, diags diag.List) error {
	switch format {
	case "json":
		out := make([]Diagnostic, len(diags))
		for i, d := range diags {
			out[i] = Diagnostic{severity(d), d.Pos.Filename, d.Pos.Line, d.Pos.Column, d.Message, d.Hint}
		}
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		return encoder.Encode(out)
	case "github":
		for _, d := range diags {
			fmt.Fprintln(w, githubAnnotation(d))
		}
	default:
		for _, d := range diags {
			fmt.Fprintln(w, text(d, colored))
		}
	}
	return nil
}

// severity returns the machine-readable severity of a diagnostic.
func severity(d diag.Diagnostic) string {
	if d.Warning {
		return "warning"
	}
	return "error"
}

// text formats the diagnostic like Diagnostic.String, with important words in color.
func text(d diag.Diagnostic, colored bool) string {
	if !colored {
		return d.String()
	}
	paint := func(s string, attributes ...color.Attribute) string {
		c := color.New(attributes...)
		c.EnableColor()
		return c.Sprint(s)
	}
	out := paint(d.Message, color.FgRed, color.Bold)
	if d.Warning {
		out = paint("warning: "+d.Message, color.FgYellow, color.Bold)
	}
	if d.Pos.Filename != "" {
		out = paint(d.Pos.String(), color.Bold) + ": " + out
	}
	if d.Hint != "" {
		out += "\n\t" + paint(d.Hint, color.FgGreen)
	}
	return out
}

// githubAnnotation returns the workflow command that makes GitHub show the diagnostic next to its line
// (https://docs.github.com/actions/reference/workflow-commands-for-github-actions).
func githubAnnotation(d diag.Diagnostic) string {
	var properties []string
	if d.Pos.Filename != "" {
		properties = append(properties, "file="+strings.NewReplacer(":", "%3A", ",", "%2C").Replace(escapeData(d.Pos.Filename)))
	}
	if d.Pos.Line > 0 {
		properties = append(properties, fmt.Sprintf("line=%d,col=%d", d.Pos.Line, d.Pos.Column))
	}
	message := d.Message
	if d.Hint != "" {
		message += "\n" + d.Hint
	}
	return strings.TrimSuffix("::"+severity(d)+" "+strings.Join(properties, ","), " ") + "::" + escapeData(message)
}

func escapeData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}
