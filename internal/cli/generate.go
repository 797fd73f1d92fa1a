package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/generators/clientset"
	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/pipeline"
	"github.com/informer-gen-lite/informer-gen-lite/internal/progress"
)

func (a app) generateCommand() *cobra.Command {
	var values config.Values
	var watch bool
	cmd := &cobra.Command{
		Use: "generate [packages]",
		Short: "Generate code for annotated API types: deep copies, registration, apply configurations, clientset, listers, " +
			"informers, controllers",
		Long: `Generate reads the Go packages that match the patterns (default: those in the configuration file, or ./...). For every type
with +genclient, it writes

  - a clientset with a scheme, and a fake clientset for tests
  - apply configurations for server-side apply
  - listers, and informers with a shared informer factory
  - controllers, for types with +informergen:controller

to the output directory. In API packages, it writes deep copies and the registration of types in schemes, unless they are
handwritten. The packages need not compile yet. If there is an error, nothing is changed.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, patterns []string) error {
			given := a.commandLine(cmd, &values, patterns)
			if watch {
				return a.watch(cmd.Context(), given)
			}
			all, err := a.importAgain(cmd.Context(), given)
			if err != nil {
				return err
			}
			_, err = a.generate(cmd.Context(), all)
			return err
		},
	}
	values.Register(cmd.Flags(), generators.Names())
	cmd.Flags().BoolVar(&watch, "watch", false, "keep running and generate again when an API file or another input changes")
	return cmd
}

// generate runs all stages for each output: load, resolve, generate, write. Nothing is written unless the earlier stages succeed
// for all outputs.
func (a app) generate(ctx context.Context, all []pipeline.Options) ([]pipeline.Run, error) {
	start := time.Now()
	runs, err := a.prepare(ctx, all, true)
	if err != nil {
		return runs, err
	}
	if err := pipeline.Apply(ctx, runs); err != nil {
		return runs, err
	}
	for _, run := range runs {
		a.report.pending = append(a.report.pending, run.Plan.Ignored(ctx, configFile(a.dir, run.API.Options))...)
	}
	a.report.flush(a)
	for _, run := range runs {
		a.summarize(run, time.Since(start))
	}
	a.printReplaced(runs)
	a.printGoGet(runs)
	a.offerLibrary(runs)
	return runs, nil
}

// prepare prepares the runs of all outputs and records their warnings. Slow stages are shown on a terminal.
func (a app) prepare(ctx context.Context, all []pipeline.Options, writes bool) ([]pipeline.Run, error) {
	settings := pipeline.Settings{Writes: writes, Observer: pipeline.Observer{
		Stage: func(name string) { progress.From(ctx).At(name) },
		Waiting: func(dir string) {
			fmt.Fprintln(a.stderr, "waiting for another run that is writing to "+dir)
		},
	}}
	runs, err := pipeline.Prepare(ctx, all, settings)
	for _, run := range runs {
		a.report.pending = append(a.report.pending, run.API.Warnings...)
	}
	return runs, locate(err, a.dir, all)
}

// summarize prints what a run generated, and the changes to its directory.
func (a app) summarize(run pipeline.Run, elapsed time.Duration) {
	result, done := run.API.Resolved, run.Plan
	dir := diag.Relative(a.dir, run.API.Place.Dir)
	switch api := result.API; {
	case len(api.Groups) == 0 && len(api.Packages) == 0:
		fmt.Fprintf(a.prose(), "no Go code; manifests only (their checksums in %s)\n", dir)
	case len(api.Groups) == 0:
		fmt.Fprintf(a.prose(), "no clients; files in %s (manifest in %s)\n", count(len(api.Packages), "API package"), dir)
	default:
		fmt.Fprintf(a.prose(), "%s, %s, %s in %s\n", count(len(api.Groups), "group"), count(len(api.Versions()), "version"),
			count(len(api.Kinds()), "kind"), dir)
	}
	fmt.Fprintf(a.prose(), "%s written, %d unchanged, %d removed (%.2fs)\n", count(len(done.Write), "file"),
		done.Unchanged, len(done.Remove), elapsed.Seconds())
	for _, name := range done.Manifests() {
		state := map[bool]string{true: "removed", false: "new"}[slices.Contains(done.Remove, name)]
		fmt.Fprintf(a.prose(), "%-7s %s\n", state, filepath.ToSlash(diag.Relative(a.dir, run.API.Place.File(name))))
	}
	a.printFakes(run)
	for _, over := range []struct {
		n   int
		why string
	}{
		{result.PassedOver, "without +genclient"},
		{result.Internal, "of internal versions"},
		{result.OptedOut, "that opted out of every generator"},
	} {
		if over.n > 0 {
			fmt.Fprintf(a.prose(), "skipped %s %s\n", count(over.n, "package"), over.why)
		}
	}
	if programs := result.OtherPrograms; len(programs) > 0 {
		fmt.Fprintf(a.prose(), "markers in the packages still need %s\n", strings.Join(programs, ", "))
	}
	if types := result.Unregistered; len(types) > 0 {
		fmt.Fprintf(a.prose(), "did not register %s without deep copies: %s\n", count(len(types), "type"), strings.Join(types, ", "))
	}
}

// printFakes says that the clientset of a run has no fakes, unless the user has asked for that.
func (a app) printFakes(run pipeline.Run) {
	layout, options := run.API.Layout, run.API.Options
	if !layout.NoFakes || !options.Selects(clientset.Generator.Name) {
		return
	}
	if !slices.Contains(options.Values.Skip, config.Fake) {
		fakes := diag.Relative(a.dir, run.API.Place.File(layout.Clientset+"/fake"))
		fmt.Fprintf(a.prose(), "no fakes, as before; to add them, run:\n\tmkdir %s\n\t%s\n", module.Quote(fakes), generateCommand)
	}
	if len(run.API.Resolved.API.WithControllers()) > 0 {
		fmt.Fprintln(a.prose(), "tests of controllers need fakes")
	}
}

// printReplaced says how many files of code-generator the runs replaced.
func (a app) printReplaced(runs []pipeline.Run) {
	replaced := 0
	for _, run := range runs {
		replaced += run.Plan.UpstreamFiles()
	}
	if replaced > 0 {
		fmt.Fprintf(a.prose(), "replaced %s of code-generator; to verify that the exported API is unchanged, restore them and run\n"+
			"\tinformer-gen-lite migrate --check\n", count(replaced, "file"))
	}
}

// printGoGet prints the commands that add what the generated files import to go.mod and the vendor directory, each once.
func (a app) printGoGet(runs []pipeline.Run) {
	var printed []string
	for _, run := range runs {
		get, lacks := run.GoGet()
		if line := get.Line(a.dir); lacks && !slices.Contains(printed, line) {
			printed = append(printed, line)
			missing := "modules missing from go.mod"
			if get.Args == nil {
				missing = "packages missing from the vendor directory"
			}
			fmt.Fprintf(a.prose(), "generated code imports %s; run:\n\t%s\n", missing, line)
			if note := get.Note(); note != "" {
				fmt.Fprintln(a.prose(), note)
			}
		}
	}
}

// offerLibrary says what the run-time library would add to a new tree, unless an option or marker decides about the library. The
// commands write the decision into the configuration file, so that verify makes the same decision.
func (a app) offerLibrary(runs []pipeline.Run) {
	owner, err := module.Owner(a.dir)
	if err != nil || len(runs) != 1 || !runs[0].MayUseRuntime() || !runs[0].Plan.New() || runs[0].API.Options.Values.Adopt {
		return
	}
	file := filepath.Join(owner.Dir, config.FileName)
	isConfig := func(arg string) bool { return strings.HasPrefix(arg, "--config") }
	if text, err := os.ReadFile(file); err == nil && !bytes.HasSuffix(text, []byte("\n")) || slices.ContainsFunc(a.args, isConfig) {
		return
	}
	command := []string{"informer-gen-lite"}
	for _, arg := range a.args {
		command = append(command, module.Quote(arg))
	}
	fmt.Fprintf(a.prose(), "the run-time library would add strict fakes, and informers for several namespaces; to use it, run:\n"+
		"\techo '%s: true' >> %s\n\t%s\n", config.RuntimeKey, module.Quote(diag.Relative(a.dir, file)), strings.Join(command, " "))
}

// commandLine returns the arguments of the command. The module is that of the configuration file, if they have one.
func (a app) commandLine(cmd *cobra.Command, values *config.Values, packages []string) config.CommandLine {
	dir := a.dir
	if cmd.Flags().Changed("config") && values.ConfigFile != "" {
		dir = filepath.Dir(diag.Absolute(a.dir, values.ConfigFile))
	}
	owner, _ := module.Owner(dir) // the zero value outside of modules
	return config.CommandLine{Dir: a.dir, Module: owner.Dir, Given: cmd.Flags(), Values: values, Packages: packages}
}

// count returns a number with its noun.
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
