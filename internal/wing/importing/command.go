package importing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
)

// Wing imports types before packages are loaded, and adds the command import.
var Wing = run.Wing{Commands: commands, Before: again, Watched: watched}

const groupFlag = "group"

func commands() []run.Command {
	var r Request
	var recognize, force bool
	var note string
	return []run.Command{{
		Use:   "import [FILE|DIR|-]",
		Short: "Write Go types for kinds of other projects, from their CustomResourceDefinitions",
		Long: `Import reads CustomResourceDefinitions from a file, from the YAML and JSON files in a directory, or from the standard input (-),
and writes annotated Go types to one package for each version that servers serve. After that, generate writes clients for them. The
source is recorded in ` + option.FileName + `, and generate imports it again when it changes. A source outside of the module is saved
next to the types. Without a source, import repeats all imports in the configuration.

For kinds of a cluster, use kubectl:

  kubectl get crd ships.sea.example.com -o yaml | informer-gen-lite import -`,
		Most:   1,
		Config: "configuration file that records the import",
		Flags: func(flags *pflag.FlagSet) {
			flags.StringVar(&r.Into, "into", "",
				"directory of the packages: DIR/GROUP/VERSION, with the first label of the group (default: apis next to the configuration file)")
			flags.StringSliceVar(&r.Versions, "versions", nil, "versions to write types for (default: all that servers serve)")
			flags.BoolVar(&recognize, "recognize", true, "use the types of Kubernetes for structures that are equal")
			flags.BoolVar(&force, "force", false, "replace imported files that were edited")
			flags.StringSliceVar(&r.Groups, groupFlag, nil, "groups to write types for (default: all; the standard input must have one)")
			flags.BoolVar(&r.All, "all", false, "write types for all groups, also if the standard input has several")
			flags.StringSliceVar(&r.Omit, "omit", nil, "names of definitions to leave out, such as ships.sea.example.com")
			flags.StringVar(&note, "note", "", "text to record with the source, such as the command that prints it")
		},
		Run: func(ctx context.Context, call *run.Call) error {
			_, root := call.Config.Place()
			if root == "" {
				return errors.New("no go.mod in " + call.Dir + " or its parents: types are written to a module")
			}
			if r.All && call.Flags.Changed(groupFlag) {
				return option.UsageError{Err: errors.New("--group and --all exclude each other")}
			}
			for _, flag := range []string{groupFlag, "all", "note", "into", "versions", "recognize", "omit"} {
				if len(call.Args) == 0 && call.Flags.Changed(flag) {
					return option.UsageError{Err: fmt.Errorf("--%s is about a source: name a file or directory, or - for the standard input", flag)}
				}
			}
			r.Module, r.Dir, r.From, r.Stdin = root, call.Dir, strings.Join(call.Args, ""), call.Stdin
			if call.Flags.Changed("recognize") {
				r.Plain = new(!recognize)
			}
			if call.Flags.Changed("note") {
				r.Note = &note
			}
			return importTypes(ctx, call, r, force)
		},
	}}
}

// importTypes imports the source of a request or, without one, repeats all imports.
func importTypes(ctx context.Context, call *run.Call, r Request, force bool) error {
	existing, err := call.Config.Imports()
	if err != nil {
		return err
	}
	name, err := call.Config.File()
	if err != nil {
		return err
	}
	r.Default = filepath.Join(filepath.Dir(cmp.Or(name, filepath.Join(r.Module, option.FileName))), "apis")
	opts := Options{Config: call.Config, Module: r.Module, Force: force}
	entries := existing
	if r.From != "" {
		if entries, opts.Texts, err = r.Entries(existing); err != nil {
			return err
		}
	} else if len(existing) == 0 {
		return option.UsageError{Err: errors.New("nothing to import: name a file or directory, or - for the standard input")}
	}
	if opts.Outputs, err = call.Config.Options(); err != nil {
		return err
	}
	prepared, err := apply(ctx, call, entries, opts)
	if err != nil {
		return err
	}
	call.Warn(prepared.Uncovered())
	written, unchanged, removed := prepared.Count()
	next := run.GenerateCommand
	if given := call.Flags.Lookup(option.ConfigKey); given.Changed && given.Value.String() != "" {
		next += " --config " + module.Quote(given.Value.String())
	}
	fmt.Fprintf(call.Prose, "%s written, %d unchanged, %d removed\n\nNext:\n\n\t%s\n", diag.Count(written, "file"), unchanged, removed, next)
	return nil
}

// apply imports entries, records them in the configuration, and prints which files it wrote.
func apply(ctx context.Context, call *run.Call, entries []option.Import, opts Options) (*Import, error) {
	prepared, err := Prepare(ctx, entries, opts)
	if err != nil {
		return nil, err
	}
	call.Warn(prepared.Warnings)
	written, removed, err := prepared.Write(ctx, opts.Module, call.Waiting)
	for _, name := range written {
		fmt.Fprintf(call.Prose, "written  %s\n", Name(call.Dir, name))
	}
	for _, name := range removed {
		fmt.Fprintf(call.Prose, "removed  %s\n", Name(call.Dir, name))
	}
	return prepared, err
}

// again repeats the imports of a configuration, and also removes the files of former entries; or compares the types of all imports with
// their sources. Missing types are an error then: without them, other errors would be about undeclared names.
func again(ctx context.Context, call *run.Call, all []run.Options, writes bool) ([]run.Difference, int, error) {
	name, err := call.Config.File()
	_, root := call.Config.Place()
	if err != nil || name == "" || root == "" {
		return nil, 0, err
	}
	entries, err := call.Config.Imports()
	if err != nil {
		return nil, 0, err
	}
	opts := Options{Config: call.Config, Outputs: all, Module: root, Force: !writes}
	if writes {
		_, err := apply(ctx, call, entries, opts)
		return nil, 0, err
	}
	prepared, err := Prepare(ctx, entries, opts)
	if err != nil {
		return nil, 0, err
	}
	call.Report(prepared.Warnings)
	_, unchanged, _ := prepared.Count()
	return prepared.Differences(), unchanged, prepared.Missing().Err()
}

// watched returns the sources of imports.
func watched(call *run.Call) (names []string, err error) {
	entries, err := call.Config.Imports()
	return lists.Map(entries, func(entry option.Import) string { return entry.From }), err
}
