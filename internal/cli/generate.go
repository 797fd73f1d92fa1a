package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/pipeline"
)

func (a app) generateCommand() *cobra.Command {
	var flags config.Flags
	var watch, timed bool
	cmd := &cobra.Command{
		Use:   "generate [packages]",
		Short: "Generate clientset, listers, informers and registrations for annotated API types",
		Long: `Generate reads the Go packages that match the patterns (default ./...) and writes typed clients with their fake and
scheme, listers, and informers with their factory, for every type with a +genclient tag. Into API packages it writes what
makes them known to schemes, unless that is written by hand.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, patterns []string) error {
			given := a.commandLine(cmd, &flags, patterns)
			if watch {
				file, err := given.File()
				if err != nil {
					return err
				}
				return a.watch(cmd.Context(), file, given.Options)
			}
			all, err := given.Options()
			if err != nil {
				return err
			}
			return a.measured(timed).generate(cmd.Context(), all)
		},
	}
	flags.Register(cmd.Flags())
	cmd.Flags().BoolVar(&watch, "watch", false, "stay, and generate again whenever an API file changes")
	addTimings(cmd, &timed)
	return cmd
}

// generate runs the whole line for each output: load, resolve, generate, write. Nothing is written unless all of it went
// well for all of them.
func (a app) generate(ctx context.Context, all []config.Options) error {
	start := time.Now()
	runs, err := a.prepare(ctx, all, true)
	if err != nil {
		return err
	}
	for _, run := range runs {
		if err := run.Apply(ctx); err != nil {
			return err
		}
	}
	a.report.flush(a)
	for _, run := range runs {
		a.printSummary(run, time.Since(start))
	}
	a.printGoGet(runs)
	a.timings.print(a.stderr)
	return nil
}

// prepare prepares the runs of all outputs, and takes note of their warnings. Slow stages are shown if a person is watching.
func (a app) prepare(ctx context.Context, all []config.Options, writes bool) ([]pipeline.Run, error) {
	shown, stop := a.showProgress()
	defer stop()
	runs, err := pipeline.Prepare(ctx, all, pipeline.Settings{CacheDir: a.cacheDir, Writes: writes, Observer: pipeline.Observer{
		Stage: func(name string) {
			shown.at(name)
			a.timings.at(name)
		},
		Waiting: func(dir string) {
			shown.say(a.stderr, "waiting for another run that writes to "+diag.Relative(a.dir, dir))
		},
	}})
	for _, run := range runs {
		a.report.pending = append(a.report.pending, run.API.Warnings...)
	}
	return runs, err
}

func (a app) printSummary(run pipeline.Run, elapsed time.Duration) {
	result := run.API.Resolved
	api, dir := result.API, diag.Relative(a.dir, run.API.Place.Dir)
	if len(api.Groups) == 0 {
		fmt.Fprintf(a.prose(), "%s with files in API packages only, listed in %s\n", count(len(api.Packages), "package"), dir)
	} else {
		fmt.Fprintf(a.prose(), "%s, %s, %s in %s\n", count(len(api.Groups), "group"), count(len(api.Versions()), "version"),
			count(len(api.Kinds()), "kind"), dir)
	}
	fmt.Fprintf(a.prose(), "%s written, %d unchanged, %d removed (%.2fs)\n", count(len(run.Plan.Write), "file"),
		run.Plan.Unchanged, len(run.Plan.Remove), elapsed.Seconds())
	if n := run.Plan.Upstreams(); n > 0 {
		fmt.Fprintf(a.prose(), "%s of code-generator replaced; to prove that no exported API has changed, restore them and run\n\tinformer-gen-lite migrate --check\n", count(n, "file"))
	}
	if run.API.ClientGo.TooNew {
		fmt.Fprintf(a.prose(), "made for client-go %s\n", run.API.ClientGo)
	}
	for _, over := range []struct {
		n   int
		why string
	}{
		{result.PassedOver, "without +genclient"},
		{result.Internal, "of internal versions"},
		{result.OptedOut, "that opted out of every generator"},
	} {
		if over.n > 0 {
			fmt.Fprintf(a.prose(), "%s %s passed over\n", count(over.n, "package"), over.why)
		}
	}
	if len(result.Unregistered) > 0 {
		fmt.Fprintf(a.prose(), "%s without deep copies not registered: %s\n", count(len(result.Unregistered), "type"), strings.Join(result.Unregistered, ", "))
	}
}

// printGoGet prints the commands that add modules which the generated files need, each once.
func (a app) printGoGet(runs []pipeline.Run) {
	printed := map[string]bool{}
	for _, run := range runs {
		get, lacks := run.GoGet()
		if command := a.shell(get); lacks && !printed[command] {
			printed[command] = true
			fmt.Fprintf(a.prose(), "go.mod lacks modules that the generated code needs; to add them:\n\t%s\n", command)
		}
	}
}

// shell returns a command as a line for the shell, to be run in the working directory.
func (a app) shell(get pipeline.GoGet) string {
	args := get.Args
	vendor := []string{"mod", "vendor"}
	if rel := filepath.ToSlash(diag.Relative(a.dir, get.Module)); rel != "." {
		args = append([]string{"-C", rel}, args...)
		vendor = append([]string{"-C", rel}, vendor...)
	}
	line := "go " + strings.Join(args, " ")
	if get.Vendored {
		line += " && go " + strings.Join(vendor, " ")
	}
	return line
}

// commandLine returns what the command was given.
func (a app) commandLine(cmd *cobra.Command, flags *config.Flags, packages []string) config.CommandLine {
	return config.CommandLine{Dir: a.dir, Given: cmd.Flags(), Flags: flags, Packages: packages}
}

// count returns a number with its noun.
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
