package cli

import (
	_ "embed" // for markersPage
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/informer-gen-lite/informer-gen-lite/internal/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
)

func (a app) tagsCommand() *cobra.Command {
	var markdown bool
	cmd := &cobra.Command{
		Use:   "tags",
		Short: "List the supported markers",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if markdown {
				return printMarkersMarkdown(a.stdout)
			}
			return printMarkers(a.stdout)
		},
	}
	cmd.Flags().BoolVar(&markdown, "markdown", false, "print the list as Markdown, as in docs/tags.md")
	return cmd
}

// markerSection is a section of the reference: the markers of one level.
type markerSection struct {
	title, where string
	markers      []marker.Definition
}

// markerReference returns the reference of all markers.
func markerReference() []markerSection {
	return []markerSection{
		{"On a type", "In the doc comment of the type, or in the comment above it, separated by a blank line.",
			definitionsOf(marker.OnType)},
		{"On a package", "Anywhere in `doc.go`, or above the package clause of any other file.", definitionsOf(marker.OnPackage)},
		{"On a type or on a package", "In either place.", definitionsOf(marker.OnEither)},
		{"Markers of kubebuilder", "On a type, as for controller-gen. " +
			"The markers above take precedence, but must agree on the resource and the scope.", kubebuilderMarkers},
	}
}

// kubebuilderMarkers are the controller-gen markers that affect clients.
var kubebuilderMarkers = []marker.Definition{
	{Name: "kubebuilder:resource", Syntax: ":path=plural,scope=Cluster|Namespaced",
		Example: "+kubebuilder:resource:path=chassis,scope=Cluster",
		Summary: "the resource (plural name) and the scope; clients do not depend on other arguments"},
	{Name: "kubebuilder:subresource:status", Example: "+kubebuilder:subresource:status",
		Summary: "UpdateStatus and ApplyStatus, if the type has a field `Status`; with `kinds: [roots]`, only if it has this marker"},
	{Name: "kubebuilder:subresource:scale", Syntax: ":…",
		Example: "+kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas",
		Summary: "shown by explain; to generate methods for the scale, use +genclient:method"},
	{Name: "kubebuilder:selectablefield", Syntax: ":JSONPath=path", Example: "+kubebuilder:selectablefield:JSONPath=.spec.nodeName",
		Summary: "a selectable field, which strict fakes then support without a CustomResourceDefinition"},
}

func definitionsOf(level marker.Level) []marker.Definition {
	return slices.DeleteFunc(slices.Clone(marker.Known), func(d marker.Definition) bool { return d.Level != level })
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
		}
		fmt.Fprintln(table)
	}
	fmt.Fprintf(table, "Verbs: %s\n", strings.Join(model.AllVerbs.Strings(), ", "))
	return table.Flush()
}

// markersPage is docs/tags.md without the markers and verbs.
//
//go:embed tags.md
var markersPage string

// printMarkersMarkdown prints docs/tags.md.
func printMarkersMarkdown(w io.Writer) error {
	var b strings.Builder
	for _, section := range markerReference() {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n| marker | effect | example |\n|---|---|---|\n", section.title, section.where)
		for _, d := range section.markers {
			syntax := strings.ReplaceAll(d.Name+d.Syntax, "|", `\|`) // else it would end the cell
			fmt.Fprintf(&b, "| `+%s` | %s | `%s` |\n", syntax, d.Summary, d.Example)
		}
	}
	verbs := strings.Join(model.AllVerbs.Strings(), ", ")
	_, err := strings.NewReplacer("{{markers}}", b.String(), "{{verbs}}", verbs).WriteString(w, markersPage)
	return err
}
