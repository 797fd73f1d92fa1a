package cli

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/front/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/front/pipeline"
)

// wingCommand returns a command of a wing.
func (a app) wingCommand(c run.Command) *cobra.Command {
	values := option.Default()
	cmd := &cobra.Command{
		Use: c.Use, Short: c.Short, Long: c.Long, Args: cobra.MaximumNArgs(c.Most),
		RunE: func(cmd *cobra.Command, args []string) error {
			call := a.call(cmd, &values, nil)
			call.Args = args
			if c.Config != "" {
				created := call.Config.(configuration)
				created.Creates = true
				call.Config = created
			}
			return c.Run(cmd.Context(), call)
		},
	}
	if c.Most < 0 {
		cmd.Args = cobra.MinimumNArgs(c.Least)
	}
	if c.Generates {
		values.Register(cmd.Flags(), a.house.Products.Names())
	}
	if c.Config != "" {
		cmd.Flags().StringVar(&values.ConfigFile, option.ConfigKey, values.ConfigFile, c.Config)
	}
	if c.Flags != nil {
		c.Flags(cmd.Flags())
	}
	for _, pair := range c.Excludes {
		cmd.MarkFlagsMutuallyExclusive(pair[0], pair[1])
	}
	return cmd
}

// call returns the call of a command. Packages are the patterns on the command line.
func (a app) call(cmd *cobra.Command, values *option.Values, packages []string) *run.Call {
	info, _ := debug.ReadBuildInfo()
	release := releaseOf(info)
	if release == latest {
		release = ""
	}
	return &run.Call{
		Front: front{a}, Products: a.house.Products, Release: release, Dir: a.dir,
		Flags: cmd.Flags(), Config: configuration{a.commandLine(cmd, values, packages), a.house},
		Stdin: cmd.InOrStdin(), Stdout: a.stdout, Prose: a.prose(),
	}
}

// before has the wings work before packages are loaded, and returns the options of all outputs. If the command does not write, it also
// returns what the wings would write, and the number of files that are up to date.
func (a app) before(ctx context.Context, call *run.Call, writes bool) (all []run.Options, differences outOfDate, unchanged int, err error) {
	if all, err = call.Config.Options(); err != nil {
		return nil, nil, 0, err
	}
	for _, wing := range a.house.Wings {
		if wing.Before == nil {
			continue
		}
		found, same, err := wing.Before(ctx, call, all, writes)
		if err != nil {
			return nil, nil, 0, err
		}
		differences, unchanged = append(differences, found...), unchanged+same
	}
	return all, differences, unchanged, nil
}

// configuration is what wings see of a command line.
type configuration struct {
	config.CommandLine

	house run.House
}

func (c configuration) Place() (dir, module string) { return c.Dir, c.Module }

func (c configuration) Options() ([]run.Options, error) {
	return pipeline.CommandLineOptions(c.CommandLine, c.house)
}

func (c configuration) WithImports(entries []option.Import) (option.Edit, error) {
	return c.CommandLine.WithImports(entries, c.house.Products.Names())
}

func (c configuration) WithManifests(directories map[string]string, operator string) (option.Edit, error) {
	return c.With(directories, operator, c.house.Products.Names())
}

func (c configuration) At(dir, module string) run.Configuration {
	c.Dir, c.Module = dir, module
	return c
}

// front is what wings may ask of a run of the command.
type front struct{ app app }

func (f front) Parse(adopt bool, files ...run.ConfigFile) ([]run.Options, error) {
	return pipeline.Configured(files, adopt, f.app.house)
}

func (f front) Read(ctx context.Context, opts run.Options) (*run.API, diag.List, error) {
	return pipeline.Read(ctx, opts)
}

func (f front) Resolve(ctx context.Context, opts run.Options) (*run.API, error) {
	return pipeline.Resolve(ctx, opts)
}

func (f front) Prepare(ctx context.Context, all []run.Options, writes bool) ([]run.Run, error) {
	return f.app.prepare(ctx, all, writes)
}

func (f front) Apply(ctx context.Context, runs []run.Run) error { return pipeline.Apply(ctx, runs) }

func (f front) Report(diags diag.List) { f.app.report.pending = append(f.app.report.pending, diags...) }

func (f front) Warn(diags diag.List) { f.app.report.warn(f.app, diags) }

func (f front) Flush() { f.app.report.flush(f.app) }

func (f front) Waiting(dir string) {
	fmt.Fprintln(f.app.stderr, "waiting for another run that is writing to "+dir)
}
