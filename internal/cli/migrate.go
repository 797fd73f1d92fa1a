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
	return &cobra.Command{
		Use:   "migrate FILE…",
		Short: "Translate scripts that call code-generator into a " + config.FileName,
		Long: `Migrate reads shell scripts that call the functions of kube_codegen.sh, generate-groups.sh, or client-gen, lister-gen,
informer-gen, deepcopy-gen and register-gen themselves, and prints a ` + config.FileName + ` that does the same. What it cannot
translate it lists on stderr. It runs nothing of the scripts, and writes nothing.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return config.UsageError{Err: errors.New("migrate needs the name of a script, such as hack/update-codegen.sh")}
			}
			return nil
		},
		RunE: func(_ *cobra.Command, files []string) error { return a.migrate(files) },
	}
}

func (a app) migrate(files []string) error {
	names := make([]string, len(files))
	for i, name := range files {
		if names[i] = name; !filepath.IsAbs(name) {
			names[i] = filepath.Join(a.dir, name)
		}
	}
	text, diags, err := migrate.Scripts(names)
	for _, d := range diags.Sorted(a.dir) {
		fmt.Fprintln(a.stderr, d)
	}
	fmt.Fprint(a.stdout, text)
	return err
}
