package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
)

// addCompletion adds completion scripts for bash, zsh and fish, and completes the values of flags with few values.
func addCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, cmd := range append(root.Commands(), root) {
		markPaths(cmd.Flags())
		for _, name := range []string{"only", "skip"} {
			if cmd.Flags().Lookup(name) != nil {
				_ = cmd.RegisterFlagCompletionFunc(name, completeGenerators) // fails for unknown flags only
			}
		}
		if cmd.Name() == "completion" {
			partCompletion(cmd)
		}
	}
	_ = root.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(outputFormats, cobra.ShellCompDirectiveNoFileComp))
}

// markPaths makes completion offer files and directories for flags that are paths.
func markPaths(flags *pflag.FlagSet) {
	for _, path := range config.PathFlags() {
		switch {
		case flags.Lookup(path.Name) == nil: // this command does not generate
		case path.Dir:
			_ = cobra.MarkFlagDirname(flags, path.Name) // fails for unknown flags only
		default:
			_ = cobra.MarkFlagFilename(flags, path.Name, path.Extensions...)
		}
	}
}

// partCompletion removes the shells without scripts, and makes a shell name mandatory.
func partCompletion(cmd *cobra.Command) {
	var shells []string
	for _, shell := range cmd.Commands() {
		if shell.Name() == "powershell" {
			cmd.RemoveCommand(shell)
		} else {
			shells = append(shells, shell.Name())
		}
	}
	cmd.RunE = func(*cobra.Command, []string) error {
		return config.UsageError{Err: fmt.Errorf("completion needs a shell: %s", strings.Join(shells, ", "))}
	}
}

// completeGenerators completes the last element of a list of generators.
func completeGenerators(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	before := typed[:strings.LastIndex(typed, ",")+1]
	var completions []cobra.Completion
	for _, name := range generators.Names() {
		if !slices.Contains(strings.Split(before, ","), name) {
			completions = append(completions, before+name)
		}
	}
	return completions, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}
