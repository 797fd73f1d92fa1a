// Package cli is the command line: it turns flags into options, runs the stages one after the other, and prints what
// came of it.
package cli

import (
	"errors"
	"fmt"
	"io"
	"os"

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

// Main runs the command with the given arguments, and returns its exit code.
func Main(args []string, stdout, stderr io.Writer) int {
	cmd := rootCommand()
	cmd.SetArgs(args)
	cmd.SetOut(stdout)
	cmd.SetErr(stderr)
	err := cmd.Execute()
	var usage usageError
	var diags diag.List
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "informer-gen-lite: %v\n\tsee informer-gen-lite --help\n", err)
		return exitUsage
	case errors.As(err, &diags):
		printDiagnostics(stderr, diags)
	default:
		fmt.Fprintf(stderr, "informer-gen-lite: %v\n", err)
	}
	return exitProblem
}

func printDiagnostics(w io.Writer, diags diag.List) {
	dir, _ := os.Getwd()
	for _, d := range diags.Sorted(dir) {
		fmt.Fprintln(w, d)
	}
}

func rootCommand() *cobra.Command {
	root := generateCommand()
	root.Use = "informer-gen-lite [generate] [packages]"
	root.SilenceErrors = true
	root.SilenceUsage = true
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.AddCommand(generateCommand())
	return root
}
