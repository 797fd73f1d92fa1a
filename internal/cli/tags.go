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
		Short: "List the tags that are read",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if markdown {
				return printTagsMarkdown(a.stdout)
			}
			return printTags(a.stdout)
		},
	}
	cmd.Flags().BoolVar(&markdown, "markdown", false, "print docs/tags.md")
	return cmd
}

// places names the places of markers, in the order of the reference.
var places = []struct {
	place        marker.Place
	title, where string
}{
	{marker.OnType, "On a type", "In the doc comment of the type, or in the comment block above it that a blank line separates from it."},
	{marker.OnPackage, "On a package", "Anywhere in `doc.go`, or above the package clause of any other file."},
}

func inPlace(place marker.Place) []marker.Definition {
	var definitions []marker.Definition
	for _, d := range marker.Known {
		if d.Place == place {
			definitions = append(definitions, d)
		}
	}
	return definitions
}

func printTags(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, p := range places {
		fmt.Fprintf(table, "%s: %s\n", p.title, strings.ReplaceAll(p.where, "`", ""))
		for _, d := range inPlace(p.place) {
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

const tagsIntroduction = `# Tags

<!-- Written by: informer-gen-lite tags --markdown -->

A tag is a comment line that begins with a plus sign. Spaces and tabs before it make no difference, block comments work
like line comments, and a ` + "`#`" + ` after a space begins a comment on the tag.

A misspelt tag, one that stands where it has no meaning, and one that contradicts another are errors. Tags of other
programs are left alone.
`

const tagsConclusion = `
## Verbs

%s.

A method's verb is one of create, update, get, list, patch, apply. Its input and result are a type of the same package, or
one of another, written as import path, dot and name. Apply methods need apply configurations.

## Markers of kubebuilder

Where the tags above are silent, these are read, as controller-gen reads them: ` + "`+kubebuilder:resource:path=…`" + ` for the
resource, ` + "`scope=Cluster`" + ` for the scope, ` + "`+kubebuilder:subresource:status`" + ` for the status. Where both speak, they have to
agree.

## Names

- Without ` + "`+groupName`" + ` the group is what the package's ` + "`SchemeGroupVersion` or `GroupVersion`" + ` variable says, else the folder
  above the version.
- The version is the folder's name if it looks like one (` + "`v1beta1`" + `), else what that variable says, else the name of the
  package.
- Folders of the output are named after those of the source. Where the folder above the version is ` + "`api`, `apis`" + ` or missing,
  it is the group's first label. Groups that would share a folder take their Go names instead.
- Two groups with one first label need a ` + "`+groupGoName`" + `; the error says so.
`

// printTagsMarkdown prints docs/tags.md.
func printTagsMarkdown(w io.Writer) error {
	var b strings.Builder
	b.WriteString(tagsIntroduction)
	for _, p := range places {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n| tag | effect | example |\n|---|---|---|\n", p.title, p.where)
		for _, d := range inPlace(p.place) {
			fmt.Fprintf(&b, "| `+%s%s` | %s | `%s` |\n", d.Name, d.Syntax, d.Summary, d.Example)
		}
	}
	fmt.Fprintf(&b, tagsConclusion, strings.Join(model.AllVerbs.Strings(), ", "))
	_, err := io.WriteString(w, b.String())
	return err
}
