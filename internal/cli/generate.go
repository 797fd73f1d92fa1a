package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/lastrun"
	"github.com/informer-gen-lite/informer-gen-lite/internal/output"
	"github.com/informer-gen-lite/informer-gen-lite/internal/pipeline"
)

func (a app) generateCommand() *cobra.Command {
	var flags config.Flags
	var watch, timed bool
	cmd := &cobra.Command{
		Use:   "generate [packages]",
		Short: "Generate code for annotated API types: deep copies, registration, apply configurations, clientset, listers, informers, controllers",
		Long: `Generate reads the Go packages that match the patterns (default: those in the configuration file, or ./...). For every type with
+genclient, it writes

  - a clientset with a scheme, and a fake clientset for tests
  - apply configurations for server-side apply
  - listers, and informers with a shared informer factory
  - controllers, for types with +informergen:controller

to the output directory. In API packages, it writes deep copies and the registration of types in schemes, unless they are
handwritten. The packages need not compile yet. If there is an error, nothing is changed.`,
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
			return a.measured(timed).generateAgain(cmd.Context(), given)
		},
	}
	flags.Register(cmd.Flags())
	cmd.Flags().BoolVar(&watch, "watch", false, "keep running and generate again when an API file or another input changes")
	addTimings(cmd, &timed)
	return cmd
}

// found is the result of a run, apart from problems.
type found struct {
	Outputs  []summary
	Warnings diag.List
}

// lastRun returns the memory of runs with a command line, and the requested outputs.
func (a app) lastRun(given config.CommandLine) (*lastrun.Memory, []config.Options, error) {
	a.timings.At("looking for changes")
	return lastrun.Open(lastrun.Place{CacheDir: a.cacheDir, KeyFile: a.keyFile}, given)
}

// generateAgain generates, unless all files are as the last run left them.
func (a app) generateAgain(ctx context.Context, given config.CommandLine) error {
	start := time.Now()
	memory, all, err := a.lastRun(given)
	if err != nil {
		return err
	}
	var last found
	if !memory.Load(&last) {
		return a.generate(ctx, all, memory)
	}
	a.report.pending = last.Warnings
	a.report.flush(a)
	for _, s := range last.Outputs {
		s.print(a, &output.Plan{Unchanged: s.Files}, time.Since(start))
	}
	a.printGoGet(last.Outputs)
	a.timings.Print(a.stderr)
	return nil
}

// generate runs all stages for each output: load, resolve, generate, write. Nothing is written unless the earlier stages succeed
// for all outputs.
func (a app) generate(ctx context.Context, all []config.Options, memory *lastrun.Memory) error {
	start := time.Now()
	runs, err := a.prepare(ctx, all, true)
	if err != nil {
		return err
	}
	memory.Read(runs)
	if err := pipeline.Apply(ctx, runs); err != nil {
		return err
	}
	outputs := make([]summary, len(runs))
	for i, run := range runs {
		outputs[i] = a.summarize(run)
	}
	memory.Save(runs, found{outputs, a.report.pending})
	a.report.flush(a)
	for i, s := range outputs {
		s.print(a, runs[i].Plan, time.Since(start))
	}
	a.printGoGet(outputs)
	a.timings.Print(a.stderr)
	return nil
}

// prepare prepares the runs of all outputs and records their warnings. Slow stages are shown on a terminal.
func (a app) prepare(ctx context.Context, all []config.Options, writes bool) ([]pipeline.Run, error) {
	shown, stop := a.showProgress()
	defer stop()
	runs, err := pipeline.Prepare(ctx, all, pipeline.Settings{CacheDir: a.cacheDir, KeyFile: a.keyFile, Writes: writes, Observer: pipeline.Observer{
		Stage: func(name string) {
			shown.at(name)
			a.timings.At(name)
		},
		Waiting: func(dir string) {
			shown.say(a.stderr, "waiting for another run that is writing to "+dir)
		},
	}})
	for _, run := range runs {
		a.report.pending = append(a.report.pending, run.API.Warnings...)
	}
	return runs, err
}

// summary is the printed summary of one output.
type summary struct {
	// Dir is absolute.
	Dir                               string
	Groups, Versions, Kinds, Packages int
	// Files is the number of files of the output.
	Files int
	// ClientGo is the release of client-go, if it is newer than all known ones.
	ClientGo                       string
	PassedOver, Internal, OptedOut int
	Unregistered                   []string
	// GoGet is a command that adds missing modules, or "".
	GoGet string
}

func (a app) summarize(run pipeline.Run) summary {
	result := run.API.Resolved
	api := result.API
	s := summary{
		Dir: run.API.Place.Dir, Groups: len(api.Groups), Versions: len(api.Versions()), Kinds: len(api.Kinds()), Packages: len(api.Packages),
		Files:      run.Plan.Unchanged + len(run.Plan.Write),
		PassedOver: result.PassedOver, Internal: result.Internal, OptedOut: result.OptedOut, Unregistered: result.Unregistered,
	}
	if run.API.ClientGo.TooNew {
		s.ClientGo = run.API.ClientGo.String()
	}
	if get, lacks := run.GoGet(); lacks {
		s.GoGet = get.Line(a.dir)
	}
	return s
}

// print prints the summary of an output and the changes to its directory.
func (s summary) print(a app, done *output.Plan, elapsed time.Duration) {
	dir := diag.Relative(a.dir, s.Dir)
	if s.Groups == 0 {
		fmt.Fprintf(a.prose(), "no clients, only files in %s (listed in %s)\n", count(s.Packages, "API package"), dir)
	} else {
		fmt.Fprintf(a.prose(), "%s, %s, %s in %s\n", count(s.Groups, "group"), count(s.Versions, "version"), count(s.Kinds, "kind"), dir)
	}
	fmt.Fprintf(a.prose(), "%s written, %d unchanged, %d removed (%.2fs)\n", count(len(done.Write), "file"),
		done.Unchanged, len(done.Remove), elapsed.Seconds())
	if replaced := done.Upstreams(); replaced > 0 {
		fmt.Fprintf(a.prose(), "replaced %s of code-generator; to verify that the exported API is unchanged, restore them and run\n\tinformer-gen-lite migrate --check\n", count(replaced, "file"))
	}
	if s.ClientGo != "" {
		fmt.Fprintf(a.prose(), "generated for client-go %s\n", s.ClientGo)
	}
	for _, over := range []struct {
		n   int
		why string
	}{
		{s.PassedOver, "without +genclient"},
		{s.Internal, "of internal versions"},
		{s.OptedOut, "that opted out of every generator"},
	} {
		if over.n > 0 {
			fmt.Fprintf(a.prose(), "skipped %s %s\n", count(over.n, "package"), over.why)
		}
	}
	if len(s.Unregistered) > 0 {
		fmt.Fprintf(a.prose(), "did not register %s without deep copies: %s\n", count(len(s.Unregistered), "type"), strings.Join(s.Unregistered, ", "))
	}
}

// printGoGet prints the commands that add the modules required by the generated files, each once.
func (a app) printGoGet(outputs []summary) {
	printed := map[string]bool{"": true}
	for _, s := range outputs {
		if !printed[s.GoGet] {
			printed[s.GoGet] = true
			fmt.Fprintf(a.prose(), "go.mod does not have all modules that the generated code imports; to add them:\n\t%s\n", s.GoGet)
		}
	}
}

// commandLine returns the arguments of the command.
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
