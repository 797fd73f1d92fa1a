package cli

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/interrupt"
	"github.com/informer-gen-lite/informer-gen-lite/internal/migrate"
)

func (a app) migrateCommand() *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use:   "migrate [--check] [FILE…]",
		Short: "Translate calls of code-generator into a " + config.FileName,
		Long: `Migrate reads shell scripts, Makefiles and go:generate directives that call the functions of kube_codegen.sh,
generate-groups.sh, or client-gen, lister-gen, informer-gen, applyconfiguration-gen, deepcopy-gen and register-gen themselves,
and prints a ` + config.FileName + ` that does the same. Without FILE it looks for them in the module of the working directory;
- stands for the standard input, as in make -n generate | informer-gen-lite migrate -. What it cannot translate it lists on
stderr, and what generate cannot do without becomes an entry at which generate stops. It runs nothing, and writes nothing.

With --check it does not print the configuration, but what becomes of the exported Go API of the packages that the scripts
generate: for each that it stays equal, that it only gains symbols, or which symbols change incompatibly; exit code 1 then.
It generates in memory, as generate --adopt does, and compiles both sides. Without FILE it does so with the ` + config.FileName + ` that is
there, if any.`,
		RunE: func(cmd *cobra.Command, files []string) error {
			source := migrate.Source{Dir: a.dir, Files: a.absolute(files), Stdin: cmd.InOrStdin()}
			if check {
				return a.checkSwitch(cmd.Context(), source)
			}
			text, err := a.translate(cmd.Context(), source)
			fmt.Fprint(a.stdout, text)
			return err
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "prove that the switch breaks no user of the generated packages, instead of printing")
	return cmd
}

// translate returns the configuration that does what the sources do, and warns of what it cannot translate.
func (a app) translate(ctx context.Context, source migrate.Source) (string, error) {
	var diags diag.List
	text, err := interrupt.Do(ctx, func() (text string, err error) {
		text, diags, err = migrate.Configuration(source)
		return text, err
	})
	if ctx.Err() == nil { // else it may still be at work
		a.report.warn(a, diags.AsWarnings())
	}
	return text, err
}

// absolute returns the absolute names of files that the command was given, and - for the standard input.
func (a app) absolute(files []string) []string {
	names := make([]string, len(files))
	for i, name := range files {
		if names[i] = name; name != migrate.Stdin && !filepath.IsAbs(name) {
			names[i] = filepath.Join(a.dir, name)
		}
	}
	return names
}
