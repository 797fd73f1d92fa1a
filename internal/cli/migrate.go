package cli

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/migrate"
)

func (a app) migrateCommand() *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use:   "migrate [--check] FILE…",
		Short: "Translate scripts that call code-generator into a " + config.FileName,
		Long: `Migrate reads shell scripts that call the functions of kube_codegen.sh, generate-groups.sh, or client-gen, lister-gen,
informer-gen, deepcopy-gen and register-gen themselves, and prints a ` + config.FileName + ` that does the same. What it cannot
translate it lists on stderr. It runs nothing of the scripts, and writes nothing.

With --check it does not print the configuration, but what becomes of the exported Go API of the packages that the scripts
generate: for each that it stays equal, that it only gains symbols, or which symbols change incompatibly; exit code 1 then.
It generates in memory, as generate --adopt does, and compiles both sides. Without FILE it does so with the ` + config.FileName + ` that is
there.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 && !check {
				return config.UsageError{Err: errors.New("migrate needs the name of a script, such as hack/update-codegen.sh")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, files []string) error {
			if check {
				return a.checkScripts(cmd.Context(), files)
			}
			return a.migrate(files)
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "prove that the switch breaks no user of the generated packages, instead of printing")
	return cmd
}

func (a app) migrate(files []string) error {
	text, err := a.translate(a.absolute(files))
	fmt.Fprint(a.stdout, text)
	return err
}

// translate returns the configuration that does what scripts do, and lists on stderr what it cannot translate.
func (a app) translate(names []string) (string, error) {
	text, diags, err := migrate.Scripts(names)
	for _, d := range diags.Sorted(a.dir) {
		fmt.Fprintln(a.stderr, d)
	}
	return text, err
}

// absolute returns the absolute names of files that the command was given.
func (a app) absolute(files []string) []string {
	names := make([]string, len(files))
	for i, name := range files {
		if names[i] = name; !filepath.IsAbs(name) {
			names[i] = filepath.Join(a.dir, name)
		}
	}
	return names
}
