package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/output"
	"github.com/informer-gen-lite/informer-gen-lite/internal/front/cli/proposal"
	"github.com/informer-gen-lite/informer-gen-lite/internal/front/config"
)

func (a app) initCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "init",
		Short: "Write a commented " + option.FileName + " for this module, and print the go:generate line",
		Long: `Init looks for types with +genclient and for existing clients in the module of the working directory, and writes a matching
` + option.FileName + ` to the module root, with all other keys as comments. It never overwrites a file.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.init(cmd.Context()) },
	}
}

func (a app) init(ctx context.Context) error {
	owner, err := module.Owner(a.dir)
	if err != nil {
		return fmt.Errorf("no go.mod in %s or its parents: %s must be next to one", a.dir, option.FileName)
	}
	root := owner.Dir
	settings, apis, elsewhere, err := proposal.Make(ctx, root)
	if err != nil {
		return err
	}
	name := filepath.Join(root, option.FileName)
	shown := diag.Relative(a.dir, name)
	err = output.Create(name, []byte(config.Text(settings, a.house.Products.Names())))
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s already exists: remove it to create a new one", shown)
	} else if err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "%s written\n", shown)
	if settings[option.KindsKey] != nil {
		fmt.Fprintln(a.stdout, "No type has +genclient: clients are generated for all kinds with +kubebuilder:object:root=true.")
	} else if settings[option.PackagesKey] == nil {
		fmt.Fprintln(a.stdout, "No type has +genclient yet: set packages when one does.")
		a.report.warn(a, elsewhere.AsWarnings())
	}
	a.printGoGenerate(root, apis)
	return nil
}

// printGoGenerate prints the go:generate directive and where it belongs. It names a version, so that the program is built with
// its own go.mod: as a tool of the module it would raise the versions of shared requirements.
func (a app) printGoGenerate(root, apiRoot string) {
	info, _ := debug.ReadBuildInfo()
	fmt.Fprintf(a.stdout, "\nFor go generate ./..., add this line to %s:\n\n\t//go:generate go run "+
		"github.com/informer-gen-lite/informer-gen-lite/cmd/informer-gen-lite@%s\n",
		diag.Relative(a.dir, filepath.Join(root, filepath.FromSlash(apiRoot), "doc.go")), releaseOf(info))
	fmt.Fprintf(a.stdout, "\nIt does not change go.mod, whereas go get -tool would upgrade its k8s.io modules.\n")
}
