package cli

import (
	"fmt"
	"io"
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
				return printTagsMarkdown(a.stdout)
			}
			return printTags(a.stdout)
		},
	}
	cmd.Flags().BoolVar(&markdown, "markdown", false, "print the list as Markdown, as in docs/tags.md")
	return cmd
}

// tagSection is a section of the reference: the markers of one level.
type tagSection struct {
	title, where string
	tags         []marker.Definition
}

// tagReference returns the reference of all markers.
func tagReference() []tagSection {
	return []tagSection{
		{"On a type", "In the doc comment of the type, or in the comment above it, separated by a blank line.", atLevel(marker.OnType)},
		{"On a package", "Anywhere in `doc.go`, or above the package clause of any other file.", atLevel(marker.OnPackage)},
		{"On a type or on a package", "In either place.", atLevel(marker.OnEither)},
		{"Markers of kubebuilder", "On a type, as for controller-gen. The markers above take precedence, but must agree on the resource and the scope.", kubebuilderTags},
	}
}

// kubebuilderTags are the controller-gen markers that affect clients.
var kubebuilderTags = []marker.Definition{
	{Name: "kubebuilder:resource", Syntax: ":path=plural,scope=Cluster|Namespaced", Example: "+kubebuilder:resource:path=chassis,scope=Cluster",
		Summary: "the resource (plural name) and the scope; clients do not depend on other arguments"},
	{Name: "kubebuilder:subresource:status", Example: "+kubebuilder:subresource:status",
		Summary: "UpdateStatus and ApplyStatus, if the type has a field `Status`; with `kinds: [roots]`, only if it has this marker"},
	{Name: "kubebuilder:subresource:scale", Syntax: ":…", Example: "+kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas",
		Summary: "shown by explain; to generate methods for the scale, use +genclient:method"},
	{Name: "kubebuilder:selectablefield", Syntax: ":JSONPath=path", Example: "+kubebuilder:selectablefield:JSONPath=.spec.nodeName",
		Summary: "a selectable field, which strict fakes then support without a CustomResourceDefinition"},
}

func atLevel(level marker.Level) []marker.Definition {
	var definitions []marker.Definition
	for _, d := range marker.Known {
		if d.Level == level {
			definitions = append(definitions, d)
		}
	}
	return definitions
}

func printTags(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, section := range tagReference() {
		fmt.Fprintf(table, "%s: %s\n", section.title, strings.ReplaceAll(section.where, "`", ""))
		for _, d := range section.tags {
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

const tagsIntroduction = `# Markers

<!-- Written by: informer-gen-lite tags --markdown -->

A marker is a comment line that begins with a plus sign. Leading spaces and tabs are ignored, block comments work like line comments,
and a ` + "`#`" + ` after a space begins a comment on the marker.

Misspelled markers and markers that contradict each other are errors. Markers without effect, for example in the wrong place, are
warnings. Markers of other programs are ignored.
`

const tagsConclusion = `
## Verbs

%s.

The verb of a method is create, update, get, list, patch or apply. Its input and result are types of the same package or,
written as import path, dot and name, of another package. Apply methods require apply configurations.

## Names

- Without ` + "`+groupName`" + `, the group is taken from the package's ` + "`SchemeGroupVersion` or `GroupVersion`" + ` variable, or else from the directory
  above the version.
- The version is taken from that variable, or else from the name of the directory or, if that does not look like a version (` + "`v1beta1`" + `), from
  the name of the package.
- Directories of the output have the names of the source directories. If there is no directory above the version, the group's first label
  is used. Groups that would share a directory use their Go names instead.
- Two groups with the same first label need a ` + "`+groupGoName`" + `; the error says so.
`

// printTagsMarkdown prints docs/tags.md.
func printTagsMarkdown(w io.Writer) error {
	var b strings.Builder
	b.WriteString(tagsIntroduction)
	for _, section := range tagReference() {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n| marker | effect | example |\n|---|---|---|\n", section.title, section.where)
		for _, d := range section.tags {
			syntax := strings.ReplaceAll(d.Name+d.Syntax, "|", `\|`) // else it would end the cell
			fmt.Fprintf(&b, "| `+%s` | %s | `%s` |\n", syntax, d.Summary, d.Example)
		}
	}
	fmt.Fprintf(&b, tagsConclusion, strings.Join(model.AllVerbs.Strings(), ", "))
	_, err := io.WriteString(w, b.String())
	return err
}
