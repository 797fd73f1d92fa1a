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
		Front: a.front(), Products: a.house.Products, Release: release, Dir: a.dir,
		Flags: cmd.Flags(), Config: configuration{a.commandLine(cmd, values, packages), a.house},
		Stdin: cmd.InOrStdin(), Stdout: a.stdout, Prose: a.prose(),
	}
}

// before has the wings work before packages are loaded, and returns the options of all outputs. If the command does not write, it also
// returns the differences that the wings would write, and the number of files that are up to date.
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
func (a app) front() run.Front {
	return run.Front{
		Parse: func(adopt bool, files ...run.ConfigFile) ([]run.Options, error) {
			return pipeline.Configured(files, adopt, a.house)
		},
		Read: pipeline.Read, Resolve: pipeline.Resolve, Prepare: a.prepare, Apply: pipeline.Apply,
		Report:  func(diags diag.List) { a.report.pending = append(a.report.pending, diags...) },
		Warn:    func(diags diag.List) { a.report.warn(a, diags) },
		Flush:   func() { a.report.flush(a) },
		Waiting: a.waiting,
	}
}

func (a app) waiting(dir string) {
	fmt.Fprintln(a.stderr, "waiting for another run that is writing to "+dir)
}
