package cli

import (
	_ "embed" // for markersPage
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

func (a app) markersCommand() *cobra.Command {
	var markdown bool
	cmd := &cobra.Command{
		Use:     "markers",
		Aliases: []string{"tags"}, // code-generator says tags
		Short:   "List the supported markers",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if markdown {
				return printMarkersMarkdown(a.stdout)
			}
			return printMarkers(a.stdout)
		},
	}
	cmd.Flags().BoolVar(&markdown, "markdown", false, "print the list as Markdown, as in docs/markers.md")
	return cmd
}

// markerSection is a section of the reference: the markers of one level.
type markerSection struct {
	title, where string
	markers      []marker.Declaration
}

// markerReference returns the reference of all markers.
func markerReference() []markerSection {
	return []markerSection{
		{"On a type", "In the doc comment of the type, or in the comment above it, separated by a blank line.",
			declarationsOf(marker.OnType)},
		{"On a package", "Anywhere in `doc.go`, or above the package clause of any other file.", declarationsOf(marker.OnPackage)},
		{"On a type or on a package", "In either place.", declarationsOf(marker.OnEither)},
		{"For defaults and conversions", "On a package, a type, a field or a function.", declarationsOf(marker.OnAny)},
		{"Markers of kubebuilder", "On a type, as for controller-gen. " +
			"The markers above take precedence, but must agree on the resource and the scope.", marker.Kubebuilder},
	}
}

func declarationsOf(level marker.Level) []marker.Declaration {
	return slices.DeleteFunc(slices.Clone(marker.Known), func(d marker.Declaration) bool { return d.Level != level })
}

func printMarkers(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, section := range markerReference() {
		fmt.Fprintf(table, "%s: %s\n", section.title, strings.ReplaceAll(section.where, "`", ""))
		for _, d := range section.markers {
			fmt.Fprintf(table, "  +%s%s\n  \t%s\n", d.Name, d.Syntax, d.Summary)
			if example := strings.TrimPrefix(d.Example, "+"); example != d.Name {
				fmt.Fprintf(table, "  \t%s\n", d.Example)
			}
			fmt.Fprintf(table, "  \t%s, since %s\n", d.Stability, since(d))
		}
		fmt.Fprintln(table)
	}
	fmt.Fprintf(table, "Verbs: %s\n", strings.Join(model.AllVerbs.Strings(), ", "))
	return table.Flush()
}

// since returns the release that introduced a marker, and the oldest release of client-go if the marker does not work with all.
func since(d marker.Declaration) string {
	if d.ClientGo == model.OldestTarget {
		return d.Since
	}
	return d.Since + " with client-go " + d.ClientGo.String()
}

// markersPage is docs/markers.md without the markers and verbs.
//
//go:embed markers.md
var markersPage string

// printMarkersMarkdown prints docs/markers.md.
func printMarkersMarkdown(w io.Writer) error {
	var b strings.Builder
	for _, section := range markerReference() {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n| marker | effect | example | stability | since |\n|---|---|---|---|---|\n",
			section.title, section.where)
		for _, d := range section.markers {
			syntax := strings.ReplaceAll(d.Name+d.Syntax, "|", `\|`) // else it would end the cell
			fmt.Fprintf(&b, "| `+%s` | %s | `%s` | %s | %s |\n", syntax, d.Summary, d.Example, d.Stability, since(d))
		}
	}
	verbs := strings.Join(model.AllVerbs.Strings(), ", ")
	_, err := strings.NewReplacer("{{markers}}", b.String(), "{{verbs}}", verbs).WriteString(w, markersPage)
	return err
}
