package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"runtime/debug"
	"slices"

	"github.com/spf13/cobra"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/generators/scaffold"
	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/output"
	"github.com/informer-gen-lite/informer-gen-lite/internal/pipeline"
	"github.com/informer-gen-lite/informer-gen-lite/internal/render"
)

func (a app) scaffoldCommand() *cobra.Command {
	var values config.Values
	cmd := &cobra.Command{
		Use:   "scaffold KIND...",
		Short: "Scaffold the handwritten part of controllers: reconciler, tests, command, manifests",
		Long: `Scaffold writes what a generated controller needs to run: a reconciler with tests, a command, and manifests with a
CustomResourceDefinition, roles and a Deployment, all below the working directory. These files are handwritten from then on:
existing files are never changed, but listed as kept. The test against a real API server is a separate module. KIND is a kind such
as Robot or, if ambiguous, group/version.Kind. Scaffold takes the flags of generate, and reads the packages in the
configuration file, or ./... without one.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, names []string) error {
			all, err := pipeline.CommandLineOptions(a.commandLine(cmd, &values, nil))
			if err != nil {
				return err
			}
			return a.scaffold(cmd.Context(), all, names)
		},
	}
	values.Register(cmd.Flags(), generators.Names())
	return cmd
}

// scaffold writes the files for kinds. Nothing is written unless everything succeeds for all of them.
func (a app) scaffold(ctx context.Context, all []pipeline.Options, names []string) error {
	info, _ := debug.ReadBuildInfo()
	toolVersion := releaseOf(info)
	if toolVersion == latest {
		toolVersion = "" // go mod tidy chooses
	}
	files, kinds, err := pipeline.Scaffold(ctx, all, a.dir, names, toolVersion)
	if err != nil {
		return err
	}
	var warnings diag.List
	for _, kind := range kinds {
		warnings = append(warnings, kind.API.Warnings...)
	}
	a.report.warn(a, warnings)
	var begun error
	for _, file := range files {
		outcome, err := pipeline.WriteOnce(ctx, a.dir, file)
		if err != nil {
			return errors.Join(err, begun)
		}
		if outcome == pipeline.Written {
			begun = output.ErrIncomplete
		}
		a.printScaffolded(file.Path, outcome)
	}
	a.printNextSteps(kinds, files, pipeline.GoGetTests(a.dir, files, kinds))
	return nil
}

// printScaffolded prints what happened to a file. It points out existing manifests with other contents, because manifests follow
// from the types.
func (a app) printScaffolded(name string, outcome pipeline.Outcome) {
	switch {
	case outcome == pipeline.Written:
		fmt.Fprintf(a.stdout, "written  %s\n", name)
	case outcome == pipeline.KeptOther && path.Ext(name) == ".yaml":
		fmt.Fprintf(a.stdout, "kept     %s  (differs from the current scaffold)\n", name)
	default:
		fmt.Fprintf(a.stdout, "kept     %s\n", name)
	}
}

// printNextSteps prints what to do before the files compile, and after that.
func (a app) printNextSteps(kinds []pipeline.Controlled, files []render.File, get pipeline.GoGet) {
	var steps []string
	for _, c := range kinds {
		if _, err := os.Stat(c.Wiring()); err != nil {
			steps = []string{"informer-gen-lite generate"}
		}
	}
	steps = append(steps, get.Line(a.dir))
	for _, c := range kinds {
		name := c.Kind.Lower()
		dir := "internal/controller/" + goname.Package(name)
		steps = append(steps, "go test ./"+dir)
		serverTest := scaffold.ServerTestIn(dir)
		if slices.ContainsFunc(files, func(file render.File) bool { return path.Dir(file.Path) == serverTest }) {
			steps = append(steps, "(cd "+serverTest+" && go mod tidy && go test ./...)")
		}
		steps = append(steps, "kubectl apply -R -f config", "go run ./cmd/"+name+"-controller")
	}
	fmt.Fprintf(a.stdout, "\nNext:\n\n")
	for i, step := range steps {
		if !slices.Contains(steps[:i], step) {
			fmt.Fprintf(a.stdout, "\t%s\n", step)
		}
	}
	if note := get.Note(); note != "" {
		fmt.Fprintf(a.stdout, "\n%s\n", note)
	}
}
