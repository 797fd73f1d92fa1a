package scaffold

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/generators/scaffold"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/output"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
)

// Wing adds the command scaffold.
var Wing = run.Wing{Commands: commands}

func commands() []run.Command {
	return []run.Command{{
		Use:   "scaffold KIND...",
		Short: "Scaffold the handwritten part of controllers: reconciler, tests, command, manifests",
		Long: `Scaffold writes what generated controllers need to run: a reconciler with tests for each, one command that runs all, and
manifests with its Deployment and service account, all below the working directory. These files are handwritten from then on:
existing files are never changed, but listed as kept. CustomResourceDefinitions and roles are generated: scaffold adds their
directories to the configuration file. The test against a real API server is a separate module. KIND is a kind such as Robot or,
if ambiguous, group/version.Kind. Scaffold takes the flags of generate, and reads the packages in the configuration file, or
./... without one.`,
		Least: 1, Most: -1,
		Generates: true,
		Run:       scaffoldKinds,
	}}
}

// scaffoldKinds writes the files for kinds. Nothing is written unless everything succeeds for all of them.
func scaffoldKinds(ctx context.Context, call *run.Call) error {
	all, err := call.Config.Options()
	if err != nil {
		return err
	}
	scaffolded, err := Scaffold(ctx, call, all)
	if err != nil {
		return err
	}
	warnings := lists.FlatMap(scaffolded.Kinds, func(kind Controlled) diag.List { return kind.API.Warnings })
	edit, err := call.Config.WithManifests(map[string]string{
		option.CRDOutputDirKey: option.DefaultCRDs, option.RBACOutputDirKey: option.DefaultRoles,
	}, scaffolded.Operator)
	switch {
	case errors.Is(err, option.ErrFlowStyle):
		warnings.Warn(token.Position{Filename: edit.Name}, "add "+strings.Join(edit.Keys, " and "), "no manifests are generated: %w", err)
	case err != nil:
		return err
	case len(edit.Lacking) > 0:
		warnings.Warn(token.Position{Filename: edit.Name}, "add "+strings.Join(edit.Lacking, ", ")+" to "+option.ManifestsDeploymentsKey,
			"verify --manifests does not check all controllers")
	}
	call.Warn(warnings)
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
		fmt.Fprintf(call.Stdout, "written  %s  (%s)\n", filepath.ToSlash(diag.Relative(call.Dir, edit.Name)), strings.Join(edit.Keys, ", "))
	}
	for _, file := range scaffolded.Files {
		written, err := WriteOnce(ctx, call.Dir, file)
		if err != nil {
			return errors.Join(err, begun)
		}
		if written {
			begun = output.ErrIncomplete
			fmt.Fprintf(call.Stdout, "written  %s\n", file.Path)
		} else {
			fmt.Fprintf(call.Stdout, "kept     %s\n", file.Path)
			lacking = append(lacking, scaffolded.Lacking(call.Dir, file)...)
		}
	}
	call.Warn(lacking)
	printNextSteps(call, edit.Text != nil, scaffolded)
	return nil
}

// printNextSteps prints what to do before the files compile, and after that.
func printNextSteps(call *run.Call, generate bool, scaffolded Scaffolded) {
	for _, c := range scaffolded.Kinds {
		_, err := os.Stat(c.Wiring())
		generate = generate || err != nil
	}
	var steps []string
	if generate {
		steps = []string{"informer-gen-lite generate"}
	}
	get := scaffolded.GoGet(call.Dir)
	steps = append(steps, get.Line(call.Dir))
	for _, c := range scaffolded.Kinds {
		dir := "internal/controller/" + goname.Package(c.Kind.Lower())
		steps = append(steps, "go test ./"+dir)
		serverTest := scaffold.ServerTestIn(dir)
		if slices.ContainsFunc(scaffolded.Files, func(file render.File) bool { return path.Dir(file.Path) == serverTest }) {
			steps = append(steps, "(cd "+serverTest+" && go mod tidy && go test ./...)")
		}
	}
	steps = append(steps, "kubectl apply -k config", "go run ./cmd/"+scaffolded.Operator)
	fmt.Fprintf(call.Stdout, "\nNext:\n\n\t%s\n", strings.Join(steps, "\n\t"))
	if note := get.Note(); note != "" {
		fmt.Fprintf(call.Stdout, "\n%s\n", note)
	}
}
