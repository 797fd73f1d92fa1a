package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
)

func (a app) generateCommand(report *reporter) *cobra.Command {
	var flags generateFlags
	var watch bool
	cmd := &cobra.Command{
		Use:   "generate [packages]",
		Short: "Generate clientset, listers, informers and registrations for annotated API types",
		Long: `Generate reads the Go packages that match the patterns (default ./...) and writes typed clients with their fake and
scheme, listers, and informers with their factory, for every type with a +genclient tag. Beside the types it writes what
makes them known to schemes, unless that is written by hand.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, patterns []string) error {
			load := func() ([]options, error) { return a.loadOptions(cmd.Flags(), &flags, patterns) }
			if watch {
				config, err := a.findConfig(cmd.Flags(), flags.config)
				if err != nil {
					return err
				}
				return a.watch(cmd.Context(), config, load, report)
			}
			all, err := load()
			if err != nil {
				return err
			}
			return a.generate(cmd.Context(), all)
		},
	}
	flags.register(cmd.Flags())
	cmd.Flags().BoolVar(&watch, "watch", false, "stay, and generate again whenever an API file changes")
	return cmd
}

// generate runs the whole line for each output: load, resolve, generate, write. Nothing is written unless all of it went
// well for all of them.
func (a app) generate(ctx context.Context, all []options) error {
	start := time.Now()
	for i := range all {
		all[i].writes = true
	}
	runs, err := a.prepareAll(ctx, all)
	if err != nil {
		return err
	}
	for _, run := range runs {
		if err := a.apply(ctx, &run); err != nil {
			return err
		}
		a.printSummary(run, time.Since(start))
	}
	return nil
}

// prepareAll prepares the runs of all outputs. The problems of all of them are returned together, along with the runs
// that have none.
func (a app) prepareAll(ctx context.Context, all []options) ([]prepared, error) {
	var runs []prepared
	var problems diag.List
	if a.terminal {
		var stop func()
		a.progress, stop = startProgress(a.stderr, time.After(patience))
		defer stop()
	}
	for _, opts := range all {
		run, err := a.prepare(ctx, opts)
		var diags diag.List
		switch {
		case errors.As(err, &diags):
			problems = append(problems, diags...)
		case err != nil:
			return runs, err
		default:
			runs = append(runs, run)
		}
	}
	return runs, append(problems, disagreements(runs)...).Err()
}

func (a app) printSummary(run prepared, elapsed time.Duration) {
	api := run.API
	if len(api.Groups) == 0 {
		fmt.Fprintf(a.stdout, "%s with files beside their types only, listed in %s\n", count(len(api.Packages), "package"), diag.Relative(a.dir, run.dir))
	} else {
		fmt.Fprintf(a.stdout, "%s, %s, %s in %s\n", count(len(api.Groups), "group"), count(len(api.Versions()), "version"),
			count(len(api.Kinds()), "kind"), diag.Relative(a.dir, run.dir))
	}
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
