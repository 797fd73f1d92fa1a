// Package cli implements the command line: commands, their arguments, and all output.
//
// Packages config and pipeline, and the wings, do the work and return errors, diagnostics and results. Only this package decides about
// output formats and exit codes, so the library behaves like the command.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/output"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/spelling"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/heap"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/interrupt"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/progress"
	"github.com/informer-gen-lite/informer-gen-lite/internal/front/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/front/wings"
)

// Exit codes of the command.
const (
	exitDone        = 0
	exitProblem     = 1
	exitUsage       = 2
	exitInterrupted = 130 // as shells report commands ended by SIGINT
)

// Main runs the command with the given arguments in the current directory, and returns its exit code.
func Main(args []string, stdout, stderr io.Writer) int {
	heap.Pace(48 << 20) // with this budget, a run on k8s.io/api stays below 120 MiB
	dir, err := os.Getwd()
	if err != nil {
		fmt.Fprintf(stderr, "informer-gen-lite: %v\n", err)
		return exitProblem
	}
	file, isFile := stderr.(*os.File)
	a := app{dir: dir, stdout: stdout, stderr: stderr, terminal: isFile && isatty.IsTerminal(file.Fd())}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second interrupt ends the process at once
	return a.run(ctx, args)
}

// app is one run of the command.
type app struct {
	// dir is the base of relative paths.
	dir            string
	stdout, stderr io.Writer
	// stdin is the input; nil for the standard input of the process.
	stdin io.Reader
	// report prints diagnostics in the requested format.
	report *reporter
	// terminal is true if stderr is a terminal.
	terminal bool
	// house has the products and the wings. Tests have more than are listed.
	house run.House
	// args are the arguments of the command.
	args []string
}

func (a app) run(ctx context.Context, args []string) int {
	_, noColor := os.LookupEnv("NO_COLOR")
	a.report = &reporter{format: "text", color: a.terminal && !noColor}
	a.args = args
	a.house = run.House{Products: slices.Concat(generators.All, a.house.Products), Wings: slices.Concat(wings.All, a.house.Wings)}
	if a.terminal {
		line := progress.New(a.stderr, progress.Patience)
		defer line.Stop()
		a.stdout, a.stderr = line.Above(a.stdout), line.Above(a.stderr)
		ctx = progress.With(ctx, line)
		line.At("loading")
	}
	cmd := a.rootCommand()
	cmd.SetArgs(append([]string{}, args...)) // with nil, cobra would use the arguments of the process
	ctx, cancel := interrupt.Context(ctx)
	defer cancel()
	err := cmd.ExecuteContext(ctx)
	switch {
	case err == nil:
		return exitDone
	case ctx.Err() != nil:
		a.report.fail(a, interrupted(err))
		return exitInterrupted
	case errors.As(err, new(option.UsageError)):
		fmt.Fprintf(a.stderr, "informer-gen-lite: %v\n\tsee informer-gen-lite --help\n", err)
		return exitUsage
	}
	a.report.fail(a, err)
	return exitProblem
}

// interrupted returns the error to report for an interrupted run. Other errors may be misleading, such as packages that were not found.
func interrupted(err error) error {
	if errors.Is(err, errWatching) {
		return errors.New("interrupted")
	} else if errors.Is(err, output.ErrIncomplete) {
		return errors.New("interrupted after some files were replaced: run again to finish")
	}
	return errors.New("interrupted, nothing was changed")
}

func (a app) rootCommand() *cobra.Command {
	root := a.generateCommand()
	root.Use = "informer-gen-lite [generate] [packages]"
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetIn(a.stdin)
	root.SilenceErrors = true
	root.SilenceUsage = true
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
			if instead := config.Removed(cmd.Name(), unknown.GetSpecifiedName()); instead != "" {
				err = fmt.Errorf("--%s was removed: %s", unknown.GetSpecifiedName(), instead)
			}
		}
		return option.UsageError{Err: err}
	})
	known := strings.Join(formats, ", ")
	root.PersistentFlags().StringVar(&a.report.format, "output", "text", "format of diagnostics: "+known)
	root.PersistentPreRunE = func(*cobra.Command, []string) error {
		if format := a.report.format; !slices.Contains(formats, format) {
			return option.UsageError{Err: fmt.Errorf("--output: unknown format %q, must be one of %s", format, known)}
		}
		return nil
	}
	root.AddCommand(a.generateCommand(), a.verifyCommand(), a.explainCommand(), a.markersCommand(), a.initCommand(), a.versionCommand())
	for _, wing := range a.house.Wings {
		if wing.Commands == nil {
			continue
		}
		for _, c := range wing.Commands() {
			root.AddCommand(a.wingCommand(c))
		}
	}
	addCompletion(root, a.house.Products.Names())
	for _, cmd := range root.Commands() {
		if check := cmd.Args; check != nil {
			cmd.Args = func(cmd *cobra.Command, args []string) error {
				if err := check(cmd, args); err != nil {
					return option.UsageError{Err: err}
				}
				return nil
			}
		}
	}
	generate := root.RunE
	root.RunE = func(cmd *cobra.Command, patterns []string) error {
		return suggestCommand(generate(cmd, patterns), patterns, root.Commands())
	}
	return root
}

// suggestCommand adds a hint if the first argument was treated as a package, matches none, and resembles the name of a command.
// Import paths with a dot or a slash are never meant as commands.
func suggestCommand(err error, patterns []string, commands []*cobra.Command) error {
	var diags diag.List
	if len(patterns) == 0 || strings.ContainsAny(patterns[0], "./") || !errors.As(err, &diags) {
		return err
	}
	nearest := spelling.Nearest(patterns[0], lists.Map(commands, (*cobra.Command).Name))
	for i, d := range diags {
		if unmatched, ok := errors.AsType[*load.Unmatched](d.Cause); nearest != "" && ok && unmatched.Pattern == patterns[0] {
			diags[i].Hint = "did you mean the command " + nearest + "?"
		}
	}
	return diags
}
