package cli

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// targetClientGo is the version of k8s.io/client-go that the output is written for. A test holds it against go.mod.
const targetClientGo = "v0.37.2"

func (a app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of the program, and that of client-go that its output targets",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			info, _ := debug.ReadBuildInfo()
			fmt.Fprintf(a.stdout, "informer-gen-lite %s\nclient-go %s\n", versionOf(info), targetClientGo)
			return nil
		},
	}
}

// versionOf returns what is known of a build: the version of its module, and the commit it was made from.
func versionOf(info *debug.BuildInfo) string {
	if info == nil || info.Main.Version == "" {
		return "(unknown)"
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	version := info.Main.Version
	if revision := settings["vcs.revision"]; revision != "" {
		version += " (" + revision
		if settings["vcs.modified"] == "true" {
			version += ", modified"
		}
		version += ")"
	}
	return version + " " + info.GoVersion
}
