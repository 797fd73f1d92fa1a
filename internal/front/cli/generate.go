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

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/product"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/progress"
	"github.com/informer-gen-lite/informer-gen-lite/internal/front/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/front/pipeline"
)

func (a app) generateCommand() *cobra.Command {
	var values option.Values
	var watch bool
	cmd := &cobra.Command{
		Use: "generate [packages]",
		Short: "Generate code for annotated API types: deep copies, defaults, conversions, registration, apply configurations, clientset, " +
			"listers, informers, controllers",
		Long: `Generate reads the Go packages that match the patterns (default: those in the configuration file, or ./...). For every type
with +genclient, it writes

  - a clientset with a scheme, and a fake clientset for tests
  - apply configurations for server-side apply
  - listers, and informers with a shared informer factory
  - controllers, for types with +informergen:controller

to the output directory. In API packages, it writes deep copies, defaults, conversions and the registration of types in schemes,
unless they are handwritten. The packages need not compile yet. If there is an error, nothing is changed.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, patterns []string) error {
			call := a.call(cmd, &values, patterns)
			if watch {
				return a.watch(cmd.Context(), call)
			}
			all, _, _, err := a.before(cmd.Context(), call, true)
			if err != nil {
				return err
			}
			_, err = a.generate(cmd.Context(), all)
			return err
		},
	}
	values.Register(cmd.Flags(), a.house.Products.Names())
	cmd.Flags().BoolVar(&watch, "watch", false, "keep running and generate again when an API file or another input changes")
	return cmd
}

// generate runs all stages for each output: load, resolve, generate, write. Nothing is written unless the earlier stages succeed
// for all outputs.
func (a app) generate(ctx context.Context, all []run.Options) ([]run.Run, error) {
	start := time.Now()
	runs, err := a.prepare(ctx, all, true)
	a.reportOdd(runs)
	if err != nil {
		return runs, err
	}
	if err := pipeline.Apply(ctx, runs); err != nil {
		return runs, err
	}
	for _, r := range runs {
		a.report.pending = append(a.report.pending, r.Plan.Ignored(ctx, configFile(a.dir, r.API.Options))...)
	}
	a.report.flush(a)
	for _, r := range runs {
		a.summarize(r, time.Since(start))
	}
	a.printReplaced(runs)
	run.PrintGoGet(a.prose(), a.dir, runs)
	a.offerLibrary(runs)
	return runs, nil
}

// prepare prepares the runs of all outputs. Slow stages are shown on a terminal.
func (a app) prepare(ctx context.Context, all []run.Options, writes bool) ([]run.Run, error) {
	settings := run.Settings{Writes: writes, Observer: run.Observer{
		Stage:   func(name string) { progress.From(ctx).At(name) },
		Waiting: a.waiting,
	}}
	runs, err := pipeline.Prepare(ctx, all, settings)
	return runs, locate(err, a.dir, all)
}

// reportOdd reports the warnings of runs.
func (a app) reportOdd(runs []run.Run) {
	for _, r := range runs {
		a.report.pending = append(a.report.pending, r.API.Warnings...)
	}
}

// summarize prints the result of a run, and the changes to its directory.
func (a app) summarize(r run.Run, elapsed time.Duration) {
	result, done := r.API.Resolved, r.Plan
	dir := diag.Relative(a.dir, r.API.Place.Dir)
	switch api := result.API; {
	case len(api.Groups) == 0 && len(api.Packages) == 0:
		fmt.Fprintf(a.prose(), "no Go code; manifests only (their checksums in %s)\n", dir)
	case len(api.Groups) == 0:
		fmt.Fprintf(a.prose(), "no clients; files in %s (manifest in %s)\n", diag.Count(len(api.Packages), "API package"), dir)
	default:
		fmt.Fprintf(a.prose(), "%s, %s, %s in %s\n", diag.Count(len(api.Groups), "group"), diag.Count(len(api.Versions()), "version"),
			diag.Count(len(api.Kinds()), "kind"), dir)
	}
	fmt.Fprintf(a.prose(), "%s written, %d unchanged, %d removed (%.2fs)\n", diag.Count(len(done.Write), "file"),
		done.Unchanged, len(done.Remove), elapsed.Seconds())
	for _, name := range done.Manifests() {
		state := map[bool]string{true: "removed", false: "new"}[slices.Contains(done.Remove, name)]
		fmt.Fprintf(a.prose(), "%-7s %s\n", state, filepath.ToSlash(diag.Relative(a.dir, r.API.Place.File(name))))
	}
	a.printFakes(r)
	for _, over := range []struct {
		n   int
		why string
	}{
		{result.PassedOver, "without +genclient"},
		{result.Internal, "of internal versions"},
		{result.OptedOut, "that opted out of every generator"},
	} {
		if over.n > 0 {
			fmt.Fprintf(a.prose(), "skipped %s %s\n", diag.Count(over.n, "package"), over.why)
		}
	}
	if programs := result.OtherPrograms; len(programs) > 0 {
		fmt.Fprintf(a.prose(), "markers in the packages still need %s\n", strings.Join(programs, ", "))
	}
	if functions := result.API.InImports(); len(functions) > 0 {
		fmt.Fprintf(a.prose(), "conversions found in imported packages: %s\n", strings.Join(functions, ", "))
	}
	if types := result.Unregistered; len(types) > 0 {
		fmt.Fprintf(a.prose(), "did not register %s without deep copies: %s\n", diag.Count(len(types), "type"), strings.Join(types, ", "))
	}
}

// printFakes says that the clientset of a run has no fakes, unless the user has asked for that.
func (a app) printFakes(r run.Run) {
	layout, options := r.API.Layout, r.API.Options
	if !layout.NoFakes || !options.Generators.Has(product.Clientset) {
		return
	}
	if !slices.Contains(options.Values.Skip, option.Fake) {
		fakes := diag.Relative(a.dir, r.API.Place.File(layout.Clientset+"/fake"))
		fmt.Fprintf(a.prose(), "no fakes, as before; to add them, run:\n\tmkdir %s\n\t%s\n", module.Quote(fakes), run.GenerateCommand)
	}
	if len(r.API.Resolved.API.WithControllers()) > 0 {
		fmt.Fprintln(a.prose(), "tests of controllers need fakes")
	}
}

// printReplaced says how many files of code-generator the runs replaced.
func (a app) printReplaced(runs []run.Run) {
	replaced := 0
	for _, r := range runs {
		replaced += r.Plan.UpstreamFiles()
	}
	if replaced > 0 {
		fmt.Fprintf(a.prose(), "replaced %s of code-generator; to verify that the exported API is unchanged, restore them and run\n"+
			"\tinformer-gen-lite migrate --check\n", diag.Count(replaced, "file"))
	}
}

// offerLibrary prints the benefits of the run-time library for a new tree, unless an option or marker decides about the library. The
// commands write the decision into the configuration file, so that verify makes the same decision.
func (a app) offerLibrary(runs []run.Run) {
	owner, err := module.Owner(a.dir)
	if err != nil || len(runs) != 1 || !runs[0].MayUseRuntime() || !runs[0].Plan.New() || runs[0].API.Options.Values.Adopt {
		return
	}
	file := filepath.Join(owner.Dir, option.FileName)
	isConfig := func(arg string) bool { return strings.HasPrefix(arg, "--config") }
	if text, err := os.ReadFile(file); err == nil && !bytes.HasSuffix(text, []byte("\n")) || slices.ContainsFunc(a.args, isConfig) {
		return
	}
	command := append([]string{"informer-gen-lite"}, lists.Map(a.args, module.Quote)...)
	fmt.Fprintf(a.prose(), "the run-time library would add strict fakes, and informers for several namespaces; to use it, run:\n"+
		"\techo '%s: true' >> %s\n\t%s\n", option.RuntimeKey, module.Quote(diag.Relative(a.dir, file)), strings.Join(command, " "))
}

// commandLine returns the arguments of the command. Its module is the module of the configuration file, if the arguments name one.
func (a app) commandLine(cmd *cobra.Command, values *option.Values, packages []string) config.CommandLine {
	dir := a.dir
	if cmd.Flags().Changed("config") && values.ConfigFile != "" {
		dir = filepath.Dir(diag.Absolute(a.dir, values.ConfigFile))
	}
	owner, _ := module.Owner(dir) // the zero value outside of modules
	return config.CommandLine{Dir: a.dir, Module: owner.Dir, Given: cmd.Flags(), Values: values, Packages: packages}
}
