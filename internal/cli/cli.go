// Package cli is the command line: it turns flags into options, runs the stages one after the other, and prints what
// came of it.
package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
)

// Exit codes of the command.
const (
	exitDone    = 0
	exitProblem = 1
	exitUsage   = 2
)

// usageError is a mistake in the command line, as opposed to one in the files that it names.
type usageError struct{ error }

// Main runs the command with the given arguments in the current directory, and returns its exit code.
func Main(args []string, stdout, stderr io.Writer) int {
	dir, err := os.Getwd()
	if err != nil {
		fmt.Fprintf(stderr, "informer-gen-lite: %v\n", err)
		return exitProblem
	}
	a := app{dir: dir, stdout: stdout, stderr: stderr}
	if cache, err := os.UserCacheDir(); err == nil {
		a.cacheDir = filepath.Join(cache, "informer-gen-lite")
	}
	return a.run(args)
}

// app is one run of the command.
type app struct {
	// dir is what paths are relative to.
	dir string
	// cacheDir holds what may be lost between runs; "" if nothing is to be kept.
	cacheDir       string
	stdout, stderr io.Writer
}

func (a app) run(args []string) int {
	cmd := a.rootCommand()
	cmd.SetArgs(append([]string{}, args...)) // of nil, cobra would make the arguments of the process
	cmd.SetOut(a.stdout)
	cmd.SetErr(a.stderr)
	err := cmd.Execute()
	var usage usageError
	var diags diag.List
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &usage):
		fmt.Fprintf(a.stderr, "informer-gen-lite: %v\n\tsee informer-gen-lite --help\n", err)
		return exitUsage
	case errors.As(err, &diags):
		for _, d := range diags.Sorted(a.dir) {
			fmt.Fprintln(a.stderr, d)
		}
	default:
		fmt.Fprintf(a.stderr, "informer-gen-lite: %v\n", err)
	}
	return exitProblem
}

func (a app) rootCommand() *cobra.Command {
	root := a.generateCommand()
	root.Use = "informer-gen-lite [generate] [packages]"
	root.SilenceErrors = true
	root.SilenceUsage = true
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.AddCommand(a.generateCommand(), a.verifyCommand())
	return root
}
