package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
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
	run, err := a.prepare(ctx, opts)
	if err != nil {
		return err
	}
	if err := run.apply(); err != nil {
		return err
	}
	a.printSummary(run, time.Since(start))
	return nil
}

func (a app) printSummary(run prepared, elapsed time.Duration) {
	api := run.API
	fmt.Fprintf(a.stdout, "%s, %s, %s in %s\n", count(len(api.Groups), "group"), count(len(api.Versions()), "version"),
		count(len(api.Kinds()), "kind"), diag.Relative(a.dir, run.dir))
	fmt.Fprintf(a.stdout, "%s written, %d unchanged, %d removed (%.2fs)\n", count(len(run.plan.Write), "file"),
		run.plan.Unchanged, len(run.plan.Remove), elapsed.Seconds())
	for _, over := range []struct {
		n   int
		why string
	}{
		{run.PassedOver, "without +genclient"},
		{run.Internal, "of internal versions"},
		{run.OptedOut, "that opted out of every generator"},
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
