package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/pipeline"
	"github.com/informer-gen-lite/informer-gen-lite/internal/pipeline/importing"
	"github.com/informer-gen-lite/informer-gen-lite/internal/pipeline/importing/remote"
)

// importFlags are the flags of the command import.
type importFlags struct {
	into, group      string
	versions         []string
	recognize, force bool
	cluster          remote.Cluster
}

func (a app) importCommand() *cobra.Command {
	values := config.Default()
	var flags importFlags
	cmd := &cobra.Command{
		Use:   "import [FILE|DIR|-]",
		Short: "Write Go types for kinds of other projects, from their CustomResourceDefinitions",
		Long: `Import reads CustomResourceDefinitions from a file, from the YAML and JSON files in a directory, from the standard input (-) or,
with --from-cluster, from a cluster, and writes annotated Go types to one package for each version that servers serve. After that,
generate writes clients for them. The source is recorded in ` + config.FileName + `, and generate imports it again when it changes. A
source outside of the module is saved next to the types. Without a source, import repeats all imports in the configuration.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			given := a.commandLine(cmd, &values, nil)
			if given.Module == "" {
				return errors.New("no go.mod in " + a.dir + " or its parents: types are written to a module")
			}
			return a.importTypes(cmd, given, flags, args)
		},
	}
	cmd.Flags().StringVar(&flags.into, "into", "apis", "directory of the packages: DIR/GROUP/VERSION, with the first label of the group")
	cmd.Flags().StringSliceVar(&flags.versions, "versions", nil, "versions to write types for (default: all that servers serve)")
	cmd.Flags().BoolVar(&flags.recognize, "recognize", true, "use the types of Kubernetes for structures that are equal")
	cmd.Flags().BoolVar(&flags.force, "force", false, "replace imported files that were edited")
	cmd.Flags().StringVar(&flags.group, "from-cluster", "", "read the definitions of GROUP or GROUP/VERSION from a cluster")
	cmd.Flags().StringVar(&flags.cluster.Kubeconfig, "kubeconfig", "", "kubeconfig file for --from-cluster")
	cmd.Flags().StringVar(&flags.cluster.Context, "context", "", "context in the kubeconfig file")
	return cmd
}

// importTypes imports what the command line names, or repeats all imports.
func (a app) importTypes(cmd *cobra.Command, given config.CommandLine, flags importFlags, args []string) error {
	existing, err := given.Imports()
	if err != nil {
		return err
	}
	entries, texts := existing, map[string][]byte(nil)
	if len(args) > 0 || flags.group != "" {
		request, err := a.request(cmd, given, flags, args)
		if err != nil {
			return err
		}
		if entries, texts, err = request.Entries(existing); err != nil {
			return err
		}
	} else if len(existing) == 0 {
		return config.UsageError{Err: errors.New("nothing to import: name a file or directory, - for the standard input, or --from-cluster")}
	}
	all, err := pipeline.CommandLineOptions(given)
	if err != nil {
		return err
	}
	prepared, err := a.applyImports(cmd.Context(), given, importing.Merge(existing, entries), all, importing.Options{Texts: texts, Force: flags.force})
	if err != nil {
		return err
	}
	a.report.warn(a, prepared.Uncovered(all))
	fmt.Fprintf(a.prose(), "%s up to date\n\nNext:\n\n\tinformer-gen-lite generate\n", count(prepared.Files(), "file"))
	return nil
}

// request returns what the command line names.
func (a app) request(cmd *cobra.Command, given config.CommandLine, flags importFlags, args []string) (r importing.Request, err error) {
	r = importing.Request{Module: given.Module, Into: diag.Absolute(a.dir, flags.into), Cluster: flags.group, Versions: flags.versions}
	if cmd.Flags().Changed("recognize") {
		r.Plain = new(!flags.recognize)
	}
	switch {
	case len(args) > 0 && flags.group != "":
		return r, config.UsageError{Err: errors.New("name a file or --from-cluster, not both")}
	case flags.group != "":
		group, version, _ := strings.Cut(flags.group, "/")
		if version != "" && r.Versions == nil {
			r.Versions = []string{version}
		}
		r.Name = "cluster"
		r.Text, err = flags.cluster.Read(cmd.Context(), group, version)
	case args[0] == "-":
		r.Name = "standard input"
		r.Text, err = io.ReadAll(cmd.InOrStdin())
	default:
		r.From = diag.Absolute(a.dir, args[0])
		_, err = os.Stat(r.From)
	}
	return r, err
}

// applyImports imports entries, records them in the configuration, and prints which files it wrote.
func (a app) applyImports(
	ctx context.Context, given config.CommandLine, entries []config.Import, all []pipeline.Options, opts importing.Options,
) (*importing.Import, error) {
	prepared, err := prepareImports(ctx, given, entries, all, opts)
	if err != nil {
		return nil, err
	}
	a.report.warn(a, prepared.Warnings)
	written, removed, err := prepared.Write(ctx, given.Module, func(dir string) {
		fmt.Fprintln(a.stderr, "waiting for another run that is writing to "+dir)
	})
	if err != nil {
		return nil, err
	}
	for _, name := range written {
		fmt.Fprintf(a.prose(), "written  %s\n", filepath.ToSlash(diag.Relative(a.dir, name)))
	}
	for _, name := range removed {
		fmt.Fprintf(a.prose(), "removed  %s\n", filepath.ToSlash(diag.Relative(a.dir, name)))
	}
	return prepared, nil
}

// prepareImports imports entries in memory. The configuration file is among the files if it changes.
func prepareImports(
	ctx context.Context, given config.CommandLine, entries []config.Import, all []pipeline.Options, opts importing.Options,
) (*importing.Import, error) {
	var err error
	if opts.Header, err = pipeline.ReadBoilerplate(all[0]); err != nil {
		return nil, err
	}
	opts.Module = given.Module
	prepared, err := importing.Prepare(ctx, entries, opts)
	if err != nil {
		return nil, err
	}
	edit, err := given.WithImports(prepared.Entries, generators.Names())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", diag.Relative(given.Dir, edit.Name), err)
	}
	return prepared, prepared.Configure(edit)
}

// importAgain repeats the imports of a configuration, and returns the options of its outputs.
func (a app) importAgain(ctx context.Context, given config.CommandLine) ([]pipeline.Options, error) {
	all, err := pipeline.CommandLineOptions(given)
	if err != nil {
		return nil, err
	}
	entries, err := given.Imports()
	if err != nil || len(entries) == 0 {
		return all, err
	}
	_, err = a.applyImports(ctx, given, entries, all, importing.Options{})
	return all, err
}

// compareImports compares the types of all imports with their sources. It also returns the number of files that are up to date.
func (a app) compareImports(ctx context.Context, given config.CommandLine, all []pipeline.Options) (outOfDate, int, error) {
	entries, err := given.Imports()
	if err != nil || len(entries) == 0 {
		return nil, 0, err
	}
	prepared, err := prepareImports(ctx, given, entries, all, importing.Options{Force: true})
	if err != nil {
		return nil, 0, err
	}
	return prepared.Differences(), prepared.Unchanged(), nil
}
