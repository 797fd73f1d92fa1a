package cli

import (
	"context"
	"fmt"

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
		Short: "Translate scripts that call code-generator into a " + config.FileName,
		Long: `Migrate reads shell scripts, Makefiles and go:generate directives that call the functions of kube_codegen.sh,
generate-groups.sh, or client-gen, lister-gen, informer-gen, applyconfiguration-gen, deepcopy-gen and register-gen, and
prints an equivalent ` + config.FileName + `. Without FILE, it looks for them in the module of the working directory. FILE - is the standard
input, as in make -n generate | informer-gen-lite migrate -. Arguments that it cannot translate are listed on stderr. Required
values that it cannot determine become placeholders, which generate rejects. Migrate does not run the scripts, and writes no files.

With --check, it compares the exported Go API of the checked-in packages and of those to be generated, instead of printing the
configuration: each package is equal, has additions only, or is incompatible. It exits with 1 if a package is incompatible. It
generates in memory, like generate --adopt, and compiles both sides. Without FILE, it uses the existing ` + config.FileName + `, if any.`,
		RunE: func(cmd *cobra.Command, files []string) error {
			for i, name := range files {
				if name != migrate.Stdin {
					files[i] = diag.Absolute(a.dir, name)
				}
			}
			source := migrate.Source{Dir: a.dir, Files: files, Stdin: cmd.InOrStdin()}
			if check {
				return a.checkSwitch(cmd.Context(), source)
			}
			text, err := a.translate(cmd.Context(), source)
			fmt.Fprint(a.stdout, text)
			return err
		},
	}
	cmd.Flags().BoolVar(&check, "check", false,
		"check that the exported API of the generated packages stays compatible, instead of printing the configuration")
	return cmd
}

// translate returns a configuration equivalent to the sources, and warns about the parts that it cannot translate.
func (a app) translate(ctx context.Context, source migrate.Source) (string, error) {
	var diags diag.List
	text, err := interrupt.Do(ctx, func() (text string, err error) {
		text, diags, err = migrate.Configuration(source)
		return text, err
	})
	if ctx.Err() == nil { // otherwise it may still be running
		a.report.warn(a, diags.AsWarnings())
	}
	return text, err
}
