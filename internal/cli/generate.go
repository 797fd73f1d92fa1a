package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/internal/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/output"
	"github.com/informer-gen-lite/informer-gen-lite/internal/render"
	"github.com/informer-gen-lite/informer-gen-lite/internal/resolve"
)

func generateCommand() *cobra.Command {
	var flags generateFlags
	cmd := &cobra.Command{
		Use:   "generate [packages]",
		Short: "Generate clientset, listers and informers for annotated API types",
		Long: `Generate reads the Go packages that match the patterns (default ./...) and writes typed clients with their fake and
scheme, listers, and informers with their factory, for every type with a +genclient tag.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, patterns []string) error {
			dir, err := os.Getwd()
			if err != nil {
				return err
			}
			opts, err := flags.options(dir, patterns)
			if err != nil {
				return usageError{err}
			}
			return generate(cmd.Context(), opts, cmd.OutOrStdout())
		},
	}
	flags.register(cmd.Flags())
	return cmd
}

// generate runs the whole line: load, resolve, generate, write. Nothing is written unless all of it went well.
func generate(ctx context.Context, opts options, stdout io.Writer) error {
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
	files, err := generators.Run(ctx, resolved.API, &layout, opts.generators, boilerplate)
	if err != nil {
		return err
	}
	plan, err := tree.Plan(files, owned, other)
	if err != nil {
		return err
	}
	if err := plan.Apply(); err != nil {
		return err
	}
	printSummary(stdout, place.dir, resolved, plan, time.Since(start))
	return nil
}

func (o options) readBoilerplate() ([]byte, error) {
	if o.headerFile == "" {
		return nil, nil
	}
	text, err := os.ReadFile(o.headerFile)
	if err != nil {
		return nil, fmt.Errorf("--go-header-file: %w", err)
	}
	return text, render.CheckBoilerplate(o.headerFile, text)
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

func printSummary(w io.Writer, dir string, resolved resolve.Result, plan *output.Plan, elapsed time.Duration) {
	api := resolved.API
	fmt.Fprintf(w, "%s, %s, %s in %s\n", count(len(api.Groups), "group"), count(len(api.Versions()), "version"),
		count(len(api.Kinds()), "kind"), shortPath(dir))
	fmt.Fprintf(w, "%s written, %d unchanged, %d removed (%.2fs)\n", count(len(plan.Write), "file"), plan.Unchanged,
		len(plan.Remove), elapsed.Seconds())
	if resolved.PassedOver > 0 {
		fmt.Fprintf(w, "%s without +genclient passed over\n", count(resolved.PassedOver, "package"))
	}
	if resolved.Internal > 0 {
		fmt.Fprintf(w, "%s of internal versions passed over\n", count(resolved.Internal, "package"))
	}
}

func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

func shortPath(dir string) string {
	if cwd, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(cwd, dir); err == nil && len(rel) < len(dir) {
			return rel
		}
	}
	return dir
}
