package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/front/pipeline"
)

func (a app) explainCommand() *cobra.Command {
	var values option.Values
	var asJSON, asGraph bool
	cmd := &cobra.Command{
		Use:   "explain [packages]",
		Short: "Explain each group, version and kind, and what each fact is based on",
		Long: `Explain prints the resource, scope, verbs, subresources, custom methods and files of each group, version and kind, and for
each fact the marker, declaration or default that it is based on. It takes the flags of generate and writes nothing.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, patterns []string) error {
			all, err := pipeline.CommandLineOptions(a.commandLine(cmd, &values, patterns), a.house)
			if err != nil {
				return err
			}
			return a.explain(cmd.Context(), all, asJSON, asGraph)
		},
	}
	values.Register(cmd.Flags(), a.house.Products.Names())
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON instead of a table")
	cmd.Flags().BoolVar(&asGraph, "graph", false, "print kinds, and what they own and refer to, as a Mermaid flowchart instead of a table")
	cmd.MarkFlagsMutuallyExclusive("json", "graph")
	return cmd
}

// explainedVersion and the types below are the JSON form of what explain prints.
type explainedVersion struct {
	Group   string          `json:"group"`
	Version string          `json:"version"`
	Package string          `json:"package"`
	Facts   []explainedFact `json:"facts"`
	// Files are the files in the API package, relative to the output directory.
	Files []string        `json:"files,omitempty"`
	Kinds []explainedKind `json:"kinds"`
}

type explainedKind struct {
	Kind  string          `json:"kind"`
	Facts []explainedFact `json:"facts"`
	// Files are relative to the output directory.
	Files []string `json:"files"`
}

type explainedFact struct {
	Name    string `json:"name"`
	Value   string `json:"value"`
	Because string `json:"because"`
	// Position is file:line:column; empty for defaults.
	Position string `json:"position,omitempty"`
}

// explain prints the facts that generate would use.
func (a app) explain(ctx context.Context, all []run.Options, asJSON, asGraph bool) error {
	var versions []explainedVersion
	var kinds []*model.Kind
	var warnings diag.List
	for _, opts := range all {
		api, err := pipeline.Resolve(ctx, opts)
		if err != nil {
			return locate(err, a.dir, all)
		}
		warnings = append(warnings, api.Warnings...)
		result := api.Resolved
		files := opts.Generators.FilesOf(result.API, &api.Layout)
		inPackages := opts.Generators.FilesIn(result.API, &api.Layout)
		for _, v := range slices.Concat(result.API.Versions(), result.WithoutClients) {
			kinds = append(kinds, v.Kinds...)
			version := explainedVersion{Group: v.Group.Name, Version: v.Name, Package: v.Source.Path, Files: inPackages[v.Source.Path]}
			version.Facts = a.explainFacts(slices.Concat(result.Versions[v].Facts, resolve.Facts{
				{Name: "client-go", Value: api.ClientGo.Target.String(), Because: api.ClientGo.Because, Pos: api.ClientGo.Pos},
				{Name: "run-time library", Value: result.Runtime.String(), Because: result.Runtime.Because, Pos: result.Runtime.Pos},
			}))
			for _, kind := range v.Kinds {
				version.Kinds = append(version.Kinds, explainedKind{kind.Name, a.explainFacts(result.Kinds[kind].Facts), files[kind]})
			}
			versions = append(versions, version)
		}
	}
	a.report.warn(a, warnings)
	switch {
	case asGraph:
		fmt.Fprint(a.stdout, flowchart(kinds))
		return nil
	case asJSON:
		encoder := json.NewEncoder(a.stdout)
		encoder.SetIndent("", "  ")
		return encoder.Encode(versions)
	}
	return a.printExplanation(versions)
}

func (a app) explainFacts(facts resolve.Facts) []explainedFact {
	out := []explainedFact{}
	for _, f := range facts {
		position := ""
		if f.Pos.IsValid() {
			f.Pos.Filename = diag.Relative(a.dir, f.Pos.Filename)
			position = f.Pos.String()
		}
		out = append(out, explainedFact{f.Name, f.Value, f.Because, position})
	}
	return out
}

func (a app) printExplanation(versions []explainedVersion) error {
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	explain := func(facts []explainedFact, files []string) {
		for _, f := range facts {
			fmt.Fprintf(w, "  %s\t%s\t%s\n", f.Name, f.Value, strings.TrimSpace(f.Because+" "+f.Position))
		}
		for _, file := range files {
			fmt.Fprintf(w, "  file\t%s\n", file)
		}
	}
	for _, v := range versions {
		fmt.Fprintf(w, "%s\t%s\n", path.Join(v.Group, v.Version), v.Package)
		explain(v.Facts, v.Files)
		for _, k := range v.Kinds {
			fmt.Fprintf(w, "\n%s %s\n", path.Join(v.Group, v.Version), k.Kind)
			explain(k.Facts, k.Files)
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}

// ids makes identifiers, different ones for different names: kinds have no hyphens, and groups no underscores.
var ids = strings.NewReplacer("/", "_", ".", "_", "-", "__", "_", "___")

// labels escapes quotes, Markdown and HTML.
var labels = strings.NewReplacer(`"`, "#34;", "#", "#35;", "&", "#38;", "*", "#42;", "<", "#60;", ">", "#62;", "_", "#95;", "`", "#96;")

// flowchart returns a flowchart of kinds with their lookups, and of the kinds that they own or refer to, in the language of Mermaid, which
// forges render. The frame of a kind is double if it has a controller, and round if its client comes from elsewhere.
func flowchart(kinds []*model.Kind) string {
	lines, edges := map[string]string{"": "flowchart LR\n"}, "" // keys are full names of kinds, and what sorts before and after those
	node := func(name, start, end string) {
		group, kind, _ := strings.Cut(name, "/")
		lines[group+"/"] = "  subgraph " + ids.Replace("/"+group) + `["` + labels.Replace(group) + "\"]\n"
		lines[name] = "    " + ids.Replace(name) + start + labels.Replace(kind) + end + "\n"
		lines[group+"/~"] = "  end\n"
	}
	for _, k := range kinds {
		edge := func(arrow, label string, to model.Related) {
			node(to.FullName(), `(["`, `"])`)
			edges += "  " + ids.Replace(k.FullName()) + arrow + `|"` + labels.Replace(label) + `"| ` + ids.Replace(to.FullName()) + "\n"
		}
		c := cmp.Or(k.Controller, &model.Controller{})
		for _, o := range c.Owned {
			edge(" -->", "owns", o)
		}
		for _, r := range c.References {
			edge(" -.->", r.Text, r.To)
		}
	}
	for _, k := range kinds { // last, because related kinds may be among them
		start, end := `["`, `"]`
		if k.Controller != nil {
			start, end = `[["`, `"]]`
		}
		for _, index := range slices.Backward(k.Indexes) {
			end = "<br/>" + labels.Replace(index.Method) + end
		}
		node(k.FullName(), start, end)
	}
	var chart strings.Builder
	for _, name := range slices.Sorted(maps.Keys(lines)) {
		chart.WriteString(lines[name])
	}
	return chart.String() + edges
}
