package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/output"
	"github.com/informer-gen-lite/informer-gen-lite/internal/render"
	"github.com/informer-gen-lite/informer-gen-lite/internal/resolve"
)

func (a app) generateCommand() *cobra.Command {
	var flags generateFlags
	cmd := &cobra.Command{
		Use:   "generate [packages]",
		Short: "Generate clientset, listers and informers for annotated API types",
		Long: `Generate reads the Go packages that match the patterns (default ./...) and writes typed clients with their fake and
scheme, listers, and informers with their factory, for every type with a +genclient tag.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, patterns []string) error {
			opts, err := flags.options(a.dir, patterns)
			if err != nil {
				return usageError{err}
			}
			return a.generate(cmd.Context(), opts)
		},
	}
	flags.register(cmd.Flags())
	return cmd
}

// generate runs the whole line: load, resolve, generate, write. Nothing is written unless all of it went well.
func (a app) generate(ctx context.Context, opts options) error {
	start := time.Now()
	boilerplate, err := opts.readBoilerplate()
	if err != nil {
		return err
	}
	loaded, diags, err := load.Packages(ctx, opts.load)
	if err != nil {
		return err
	}
	resolved, problems := resolve.API(loaded, opts.resolve)
	if diags = append(diags, problems...); len(diags) == 0 {
		diags = resolved.Nothing
	}
	if err := diags.Err(); err != nil {
		return err
	}
	place, err := locate(opts, loaded)
	if err != nil {
		return err
	}
	owned, other := opts.directories()
	tree, err := output.Scan(place.dir, append(owned, other...))
	if err != nil {
		return err
	}
	layout := opts.layout
	layout.Root = place.importPath
	layout.Handwritten = tree.Handwritten()
	memory := output.OpenMemory(tree, a.cacheDir)
	files, err := generators.Run(ctx, resolved.API, generators.Options{
		Layout: &layout, Generators: opts.generators, Boilerplate: boilerplate, Cache: memory,
	})
	if err != nil {
		return inDirectory(place.dir, err)
	}
	if len(files) == 0 {
		return fmt.Errorf("nothing to generate: no generator that was selected has anything to do for %s", count(len(resolved.API.Kinds()), "kind"))
	}
	plan, err := tree.Plan(files, owned, other)
	if err != nil {
		return err
	}
	if err := plan.Apply(); err != nil {
		return err
	}
	memory.Save()
	a.printSummary(place.dir, resolved, plan, time.Since(start))
	return nil
}

// inDirectory completes the positions of diagnostics that are relative to a directory.
func inDirectory(dir string, err error) error {
	var diags diag.List
	if !errors.As(err, &diags) {
		return err
	}
	for i := range diags {
		diags[i].Pos.Filename = filepath.Join(dir, filepath.FromSlash(diags[i].Pos.Filename))
	}
	return diags
}

func (o options) readBoilerplate() ([]byte, error) {
	if o.headerFile == "" {
		return nil, nil
	}
	name := o.headerFile
	if !filepath.IsAbs(name) {
		name = filepath.Join(o.load.Dir, name)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("--go-header-file: %w", err)
	}
	return text, render.CheckBoilerplate(name, text)
}

// directories returns the directories of the selected generators, and those of the others.
func (o options) directories() (owned, other []string) {
	selected := map[string]bool{}
	for _, g := range o.generators {
		selected[g.Name()] = true
	}
	for _, g := range generators.All {
		if dir := g.Dir(&o.layout); selected[g.Name()] {
			owned = append(owned, dir)
		} else {
			other = append(other, dir)
		}
	}
	return owned, other
}

func (a app) printSummary(dir string, resolved resolve.Result, plan *output.Plan, elapsed time.Duration) {
	api := resolved.API
	fmt.Fprintf(a.stdout, "%s, %s, %s in %s\n", count(len(api.Groups), "group"), count(len(api.Versions()), "version"),
		count(len(api.Kinds()), "kind"), diag.Relative(a.dir, dir))
	fmt.Fprintf(a.stdout, "%s written, %d unchanged, %d removed (%.2fs)\n", count(len(plan.Write), "file"), plan.Unchanged,
		len(plan.Remove), elapsed.Seconds())
	for _, over := range []struct {
		n   int
		why string
	}{
		{resolved.PassedOver, "without +genclient"},
		{resolved.Internal, "of internal versions"},
		{resolved.OptedOut, "that opted out of every generator"},
	} {
		if over.n > 0 {
			fmt.Fprintf(a.stdout, "%s %s passed over\n", count(over.n, "package"), over.why)
		}
	}
}

func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
