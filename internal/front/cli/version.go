package cli

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
	modpath "golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
)

func (a app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, the supported releases of client-go, and the release for this module",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			info, _ := debug.ReadBuildInfo()
			fmt.Fprintf(a.stdout, "informer-gen-lite %s\nclient-go %s to %s\n", versionOf(info), model.OldestTarget, model.NewestTarget)
			owner, err := module.Owner(a.dir)
			if err != nil {
				return nil // outside of modules there is nothing to generate for
			}
			choice, err := module.ReleaseOf(cmd.Context(), owner.Dir)
			if err != nil {
				return err
			}
			fmt.Fprintf(a.stdout, "here %s\n", choice)
			return nil
		},
	}
}

// latest is the version of builds that are not releases, as the go command spells it.
const latest = "latest"

// releaseOf returns the version to install this build with: the version of its module if that is a release, else latest.
func releaseOf(info *debug.BuildInfo) string {
	if info == nil || !semver.IsValid(info.Main.Version) || semver.Build(info.Main.Version) != "" ||
		modpath.IsPseudoVersion(info.Main.Version) {
		return latest
	}
	return info.Main.Version
}

// versionOf describes a build: the version of its module and its commit.
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
