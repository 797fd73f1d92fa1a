package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/pipeline"
	"github.com/informer-gen-lite/informer-gen-lite/internal/pipeline/importing"
)

func (a app) importCommand() *cobra.Command {
	values := config.Default()
	var r importing.Request
	var recognize, force bool
	var note string
	cmd := &cobra.Command{
		Use:   "import [FILE|DIR|-]",
		Short: "Write Go types for kinds of other projects, from their CustomResourceDefinitions",
		Long: `Import reads CustomResourceDefinitions from a file, from the YAML and JSON files in a directory, or from the standard input (-),
and writes annotated Go types to one package for each version that servers serve. After that, generate writes clients for them. The
source is recorded in ` + config.FileName + `, and generate imports it again when it changes. A source outside of the module is saved
next to the types. Without a source, import repeats all imports in the configuration.

For kinds of a cluster, use kubectl:

  kubectl get crd ships.sea.example.com -o yaml | informer-gen-lite import -`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			given := a.commandLine(cmd, &values, nil)
			given.Creates = true
			if given.Module == "" {
				return errors.New("no go.mod in " + a.dir + " or its parents: types are written to a module")
			}
			if r.All && cmd.Flags().Changed(groupFlag) {
				return config.UsageError{Err: errors.New("--group and --all exclude each other")}
			}
			for _, flag := range []string{groupFlag, "all", "note", "into", "versions", "recognize", "omit"} {
				if len(args) == 0 && cmd.Flags().Changed(flag) {
					return config.UsageError{Err: fmt.Errorf("--%s is about a source: name a file or directory, or - for the standard input", flag)}
				}
			}
			r.Module, r.Dir, r.From, r.Stdin = given.Module, a.dir, strings.Join(args, ""), cmd.InOrStdin()
			if cmd.Flags().Changed("recognize") {
				r.Plain = new(!recognize)
			}
			if cmd.Flags().Changed("note") {
				r.Note = &note
			}
			return a.importTypes(cmd.Context(), given, r, force)
		},
	}
	cmd.Flags().StringVar(&values.ConfigFile, "config", values.ConfigFile, "configuration file that records the import")
	cmd.Flags().StringVar(&r.Into, "into", "",
		"directory of the packages: DIR/GROUP/VERSION, with the first label of the group (default: apis next to the configuration file)")
	cmd.Flags().StringSliceVar(&r.Versions, "versions", nil, "versions to write types for (default: all that servers serve)")
	cmd.Flags().BoolVar(&recognize, "recognize", true, "use the types of Kubernetes for structures that are equal")
	cmd.Flags().BoolVar(&force, "force", false, "replace imported files that were edited")
	cmd.Flags().StringSliceVar(&r.Groups, groupFlag, nil, "groups to write types for (default: all; the standard input must have one)")
	cmd.Flags().BoolVar(&r.All, "all", false, "write types for all groups, also if the standard input has several")
	cmd.Flags().StringSliceVar(&r.Omit, "omit", nil, "names of definitions to leave out, such as ships.sea.example.com")
	cmd.Flags().StringVar(&note, "note", "", "text to record with the source, such as the command that prints it")
	return cmd
}

const groupFlag = "group"

// importTypes imports the source of a request or, without one, repeats all imports.
func (a app) importTypes(ctx context.Context, given config.CommandLine, r importing.Request, force bool) error {
	existing, err := given.Imports()
	if err != nil {
		return err
	}
	name, err := given.File()
	if err != nil {
		return err
	}
	r.Default = filepath.Join(filepath.Dir(cmp.Or(name, filepath.Join(given.Module, config.FileName))), "apis")
	opts := importing.Options{Given: given, Force: force}
	entries := existing
	if r.From != "" {
		if entries, opts.Texts, err = r.Entries(existing); err != nil {
			return err
		}
	} else if len(existing) == 0 {
		return config.UsageError{Err: errors.New("nothing to import: name a file or directory, or - for the standard input")}
	}
	if opts.Outputs, err = pipeline.CommandLineOptions(given); err != nil {
		return err
	}
	prepared, err := a.applyImports(ctx, entries, opts)
	if err != nil {
		return err
	}
	a.report.warn(a, prepared.Uncovered())
	written, unchanged, removed := prepared.Count()
	next := generateCommand
	if name := given.Values.ConfigFile; given.Given.Changed("config") && name != "" {
		next += " --config " + module.Quote(name)
	}
	fmt.Fprintf(a.prose(), "%s written, %d unchanged, %d removed\n\nNext:\n\n\t%s\n", count(written, "file"), unchanged, removed, next)
	return nil
}

// applyImports imports entries, records them in the configuration, and prints which files it wrote.
func (a app) applyImports(ctx context.Context, entries []config.Import, opts importing.Options) (*importing.Import, error) {
	prepared, err := importing.Prepare(ctx, entries, opts)
	if err != nil {
		return nil, err
	}
	a.report.warn(a, prepared.Warnings)
	written, removed, err := prepared.Write(ctx, opts.Given.Module, a.waiting)
	for _, name := range written {
		fmt.Fprintf(a.prose(), "written  %s\n", importing.Name(a.dir, name))
	}
	for _, name := range removed {
		fmt.Fprintf(a.prose(), "removed  %s\n", importing.Name(a.dir, name))
	}
	return prepared, err
}

func (a app) waiting(dir string) {
	fmt.Fprintln(a.stderr, "waiting for another run that is writing to "+dir)
}

// importAgain repeats the imports of a configuration, and returns the options of its outputs. It also removes what former entries had.
func (a app) importAgain(ctx context.Context, given config.CommandLine) ([]pipeline.Options, error) {
	all, err := pipeline.CommandLineOptions(given)
	if err != nil {
		return nil, err
	}
	entries, configured, err := importsOf(given)
	if err == nil && configured {
		_, err = a.applyImports(ctx, entries, importing.Options{Given: given, Outputs: all})
	}
	return all, err
}

// importsOf returns the imports of a command line, and whether it has a configuration.
func importsOf(given config.CommandLine) (entries []config.Import, configured bool, err error) {
	name, err := given.File()
	if err == nil {
		entries, err = given.Imports()
	}
	return entries, name != "" && given.Module != "", err
}

// compareImports compares the types of all imports with their sources. It also returns the number of files that are up to date. Types that
// are missing are an error: without them, other errors would be about what is not there.
func (a app) compareImports(ctx context.Context, given config.CommandLine, all []pipeline.Options) (outOfDate, int, error) {
	entries, configured, err := importsOf(given)
	if err != nil || !configured {
		return nil, 0, err
	}
	prepared, err := importing.Prepare(ctx, entries, importing.Options{Given: given, Outputs: all, Force: true})
	if err != nil {
		return nil, 0, err
	}
	a.report.pending = append(a.report.pending, prepared.Warnings...)
	_, unchanged, _ := prepared.Count()
	return prepared.Differences(), unchanged, prepared.Missing().Err()
}
