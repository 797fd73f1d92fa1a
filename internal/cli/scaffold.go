package cli

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/generators/scaffold"
	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/output"
	"github.com/informer-gen-lite/informer-gen-lite/internal/pipeline"
	"github.com/informer-gen-lite/informer-gen-lite/internal/pipeline/scaffolding"
	"github.com/informer-gen-lite/informer-gen-lite/internal/render"
)

func (a app) scaffoldCommand() *cobra.Command {
	var values config.Values
	cmd := &cobra.Command{
		Use:   "scaffold KIND...",
		Short: "Scaffold the handwritten part of controllers: reconciler, tests, command, manifests",
		Long: `Scaffold writes what generated controllers need to run: a reconciler with tests for each, one command that runs all, and
manifests with its Deployment and service account, all below the working directory. These files are handwritten from then on:
existing files are never changed, but listed as kept. CustomResourceDefinitions and roles are generated: scaffold adds their
directories to the configuration file. The test against a real API server is a separate module. KIND is a kind such as Robot or,
if ambiguous, group/version.Kind. Scaffold takes the flags of generate, and reads the packages in the configuration file, or
./... without one.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, names []string) error {
			given := a.commandLine(cmd, &values, nil)
			all, err := pipeline.CommandLineOptions(given)
			if err != nil {
				return err
			}
			return a.scaffold(cmd.Context(), given, all, names)
		},
	}
	values.Register(cmd.Flags(), generators.Names())
	return cmd
}

// scaffold writes the files for kinds. Nothing is written unless everything succeeds for all of them.
func (a app) scaffold(ctx context.Context, given config.CommandLine, all []pipeline.Options, names []string) error {
	info, _ := debug.ReadBuildInfo()
	toolVersion := releaseOf(info)
	if toolVersion == latest {
		toolVersion = "" // go mod tidy chooses
	}
	var warnings diag.List
	scaffolded, err := scaffolding.Scaffold(ctx, all, a.dir, names, toolVersion)
	if err != nil {
		return err
	}
	for _, kind := range scaffolded.Kinds {
		warnings = append(warnings, kind.API.Warnings...)
	}
	edit, err := given.With(map[string]string{
		config.CRDOutputDirKey: config.DefaultCRDs, config.RBACOutputDirKey: config.DefaultRoles,
	}, scaffolded.Operator, generators.Names())
	switch {
	case errors.Is(err, config.ErrFlowStyle):
		warnings.Warn(token.Position{Filename: edit.Name}, "add "+strings.Join(edit.Keys, " and "), "no manifests are generated: %w", err)
	case err != nil:
		return err
	case len(edit.Lacking) > 0:
		warnings.Warn(token.Position{Filename: edit.Name}, "add "+strings.Join(edit.Lacking, ", ")+" to "+config.ManifestsDeploymentsKey,
			"verify --manifests does not check all controllers")
	}
	a.report.warn(a, warnings)
	var begun error
	var lacking diag.List
	if edit.Text != nil {
		_, err := output.Replace(ctx, map[string][]byte{edit.Name: edit.Text})
		if errors.Is(err, fs.ErrNotExist) {
			err = output.Create(edit.Name, edit.Text)
		}
		if err != nil {
			return err
		}
		begun = output.ErrIncomplete
		fmt.Fprintf(a.stdout, "written  %s  (%s)\n", filepath.ToSlash(diag.Relative(a.dir, edit.Name)), strings.Join(edit.Keys, ", "))
	}
	for _, file := range scaffolded.Files {
		written, err := scaffolding.WriteOnce(ctx, a.dir, file)
		if err != nil {
			return errors.Join(err, begun)
		}
		if written {
			begun = output.ErrIncomplete
			fmt.Fprintf(a.stdout, "written  %s\n", file.Path)
		} else {
			fmt.Fprintf(a.stdout, "kept     %s\n", file.Path)
			lacking = append(lacking, scaffolded.Lacking(a.dir, file)...)
		}
	}
	a.report.warn(a, lacking)
	a.printNextSteps(edit.Text != nil, scaffolded)
	return nil
}

// printNextSteps prints what to do before the files compile, and after that.
func (a app) printNextSteps(generate bool, scaffolded scaffolding.Scaffolded) {
	for _, c := range scaffolded.Kinds {
		_, err := os.Stat(c.Wiring())
		generate = generate || err != nil
	}
	var steps []string
	if generate {
		steps = []string{"informer-gen-lite generate"}
	}
	get := scaffolded.GoGet(a.dir)
	steps = append(steps, get.Line(a.dir))
	for _, c := range scaffolded.Kinds {
		dir := "internal/controller/" + goname.Package(c.Kind.Lower())
		steps = append(steps, "go test ./"+dir)
		serverTest := scaffold.ServerTestIn(dir)
		if slices.ContainsFunc(scaffolded.Files, func(file render.File) bool { return path.Dir(file.Path) == serverTest }) {
			steps = append(steps, "(cd "+serverTest+" && go mod tidy && go test ./...)")
		}
	}
	steps = append(steps, "kubectl apply -k config", "go run ./cmd/"+scaffolded.Operator)
	fmt.Fprintf(a.stdout, "\nNext:\n\n\t%s\n", strings.Join(steps, "\n\t"))
	if note := get.Note(); note != "" {
		fmt.Fprintf(a.stdout, "\n%s\n", note)
	}
}
