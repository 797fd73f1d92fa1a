package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
)

// addCompletion adds completion scripts for bash, zsh and fish, and completes the values of flags.
func addCompletion(root *cobra.Command, generators []string) {
	root.InitDefaultCompletionCmd()
	for _, cmd := range append(root.Commands(), root) {
		completeValues(cmd, generators)
		if cmd.Name() == "completion" {
			partCompletion(cmd)
		}
	}
	_ = root.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(formats, cobra.ShellCompDirectiveNoFileComp))
}

// completeValues makes completion offer the allowed values of options, files, and directories.
func completeValues(cmd *cobra.Command, generators []string) {
	for _, o := range option.Options {
		if cmd.Flags().Lookup(o.Flag) == nil {
			continue // this command does not generate
		}
		// The functions fail for unknown flags only.
		switch o.Kind {
		case option.Directory:
			_ = cmd.MarkFlagDirname(o.Flag)
		case option.File, option.Files:
			_ = cmd.MarkFlagFilename(o.Flag, o.Extensions...)
		case option.Choice:
			_ = cmd.RegisterFlagCompletionFunc(o.Flag, cobra.FixedCompletions(o.Values, cobra.ShellCompDirectiveNoFileComp))
		case option.Choices:
			_ = cmd.RegisterFlagCompletionFunc(o.Flag, completeList(o.Values))
		case option.Generators:
			_ = cmd.RegisterFlagCompletionFunc(o.Flag, completeList(generators))
		default:
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
		return option.UsageError{Err: fmt.Errorf("completion needs a shell: %s", strings.Join(shells, ", "))}
	}
}

// completeList completes the last element of a list of the values.
func completeList(values []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		before := typed[:strings.LastIndex(typed, ",")+1]
		isNew := func(value string) bool { return !slices.Contains(strings.Split(before, ","), value) }
		completions := lists.Map(lists.Filter(values, isNew), func(value string) cobra.Completion { return before + value })
		return completions, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}
