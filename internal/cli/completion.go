package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
)

// addCompletion gives the command its completion scripts for bash, zsh and fish, and the values of flags that have but a
// few.
func addCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, cmd := range append(root.Commands(), root) {
		for _, name := range []string{"only", "skip"} {
			if cmd.Flags().Lookup(name) != nil {
				_ = cmd.RegisterFlagCompletionFunc(name, completeGenerators) // fails for unknown flags only
			}
		}
		for _, shell := range cmd.Commands() {
			if cmd.Name() == "completion" && shell.Name() == "powershell" {
				cmd.RemoveCommand(shell)
				break
			}
		}
	}
	_ = root.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(outputFormats, cobra.ShellCompDirectiveNoFileComp))
}

// completeGenerators completes the last of a list of generators.
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
