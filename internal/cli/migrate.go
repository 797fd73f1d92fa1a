package cli

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/informer-gen-lite/informer-gen-lite/internal/cli/builders"
	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/interrupt"
	"github.com/informer-gen-lite/informer-gen-lite/internal/migrate"
	"github.com/informer-gen-lite/informer-gen-lite/internal/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/pipeline"
	"github.com/informer-gen-lite/informer-gen-lite/internal/proof"
	proofs "github.com/informer-gen-lite/informer-gen-lite/internal/proof/manifests"
	"github.com/informer-gen-lite/informer-gen-lite/internal/resolve"
)

func (a app) migrateCommand() *cobra.Command {
	var check, manifests, leave bool
	cmd := &cobra.Command{
		Use:   "migrate [--check] [--manifests] [FILE…] | --scheme-builder [packages]",
		Short: "Translate scripts that call code-generator or controller-gen into a " + config.FileName,
		Long: `Migrate reads shell scripts, Makefiles and go:generate directives that call the functions of kube_codegen.sh,
generate-groups.sh, or client-gen, lister-gen, informer-gen, applyconfiguration-gen, deepcopy-gen and register-gen, or the
generator object of controller-gen, and prints an equivalent ` + config.FileName + `. Without FILE, it looks for them in the module of the
working directory. FILE - is the standard input, as in make -n generate | informer-gen-lite migrate -. Arguments that it cannot
translate are listed on stderr. Packages and directories that it cannot determine become placeholders, and the exit code is 1.
Migrate does not run the scripts, and writes no files.

With --manifests, it also translates calls of controller-gen with crd or rbac, for CustomResourceDefinitions and roles. It generates them in
memory: a call is only translated if the checked-in files stay the same, except for comments above them and the version annotation,
or if the repository has none for these kinds. The other calls are listed with the reason.

With --check, it compares the exported Go API of the checked-in packages and of those to be generated, instead of printing the
configuration: each package is equal, has additions only, or is incompatible. It exits with 1 if a package is incompatible. It
generates in memory, like generate --adopt, and compiles both sides. Without FILE, it uses the existing ` + config.FileName + `, if any.

With --scheme-builder, it edits API packages (default: ./...): their scheme.Builder of controller-runtime is replaced by the generated
registration, and what uses it in the repository is adapted. All files change, or none.`,
		RunE: func(cmd *cobra.Command, files []string) error {
			if leave {
				return a.leaveBuilders(cmd.Context(), files)
			}
			for i, name := range files {
				if name != migrate.Stdin {
					files[i] = diag.Absolute(a.dir, name)
				}
			}
			source := migrate.Source{Dir: a.dir, Files: files, Stdin: cmd.InOrStdin()}
			if check {
				return a.checkSwitch(cmd.Context(), source, manifests)
			}
			text, err := a.translate(cmd.Context(), source, manifests)
			fmt.Fprint(a.stdout, text)
			return err
		},
	}
	cmd.Flags().BoolVar(&check, "check", false,
		"check that the exported API of the generated packages stays compatible, instead of printing the configuration")
	cmd.Flags().BoolVar(&leave, "scheme-builder", false,
		"replace controller-runtime's scheme.Builder in API packages by the generated registration, instead of reading scripts")
	cmd.Flags().BoolVar(&manifests, "manifests", false,
		"also translate calls of controller-gen for CustomResourceDefinitions and roles, if the checked-in files stay the same")
	cmd.MarkFlagsMutuallyExclusive("check", "scheme-builder")
	cmd.MarkFlagsMutuallyExclusive("manifests", "scheme-builder")
	return cmd
}

// leaveBuilders replaces controller-runtime's scheme.Builder in the packages that match the patterns.
func (a app) leaveBuilders(ctx context.Context, patterns []string) error {
	change, err := builders.Plan(ctx, a.dir, patterns, a.prepare)
	if err == nil {
		a.report.warn(a, change.Left)
		err = change.Apply(ctx)
	}
	if err == nil {
		change.Print(a.prose(), a.dir)
	}
	return err
}

// translate returns a configuration equivalent to the sources, and warns about the parts that it cannot translate.
func (a app) translate(ctx context.Context, source migrate.Source, manifests bool) (string, error) {
	var diags diag.List
	if manifests {
		var proof proofs.Proof
		source.Prove = func(dir, text string) error { return proof.Check(ctx, dir, text) }
	}
	text, err := interrupt.Do(ctx, func() (text string, err error) {
		var groups diag.List
		source.Kept = func(dir, text string) (kept []map[string]any) {
			kept, groups = proof.KeptNames(ctx, dir, text)
			groups = slices.DeleteFunc(groups, func(d diag.Diagnostic) bool { return !errors.Is(d.Cause, resolve.ErrOtherGroup) })
			return kept
		}
		text, diags, err = migrate.Configuration(source)
		diags = append(diags, groups...)
		return text, err
	})
	if ctx.Err() == nil { // otherwise it may still be running
		a.report.warn(a, diags.AsWarnings())
	}
	var failed diag.List
	isNothing := func(d diag.Diagnostic) bool { return errors.Is(d.Cause, migrate.ErrNothing) }
	if errors.As(err, &failed) && len(source.Files) == 0 && slices.ContainsFunc(failed, isNothing) {
		err = slices.Concat(failed, a.withoutScripts(ctx))
	}
	return text, err
}

// withoutScripts says what generate would do in a module that has neither scripts nor a configuration.
func (a app) withoutScripts(ctx context.Context) (diags diag.List) {
	owner, err := module.Owner(a.dir)
	if err != nil {
		return nil
	}
	if _, err := os.Stat(filepath.Join(owner.Dir, config.FileName)); err == nil {
		return nil
	}
	all, err := pipeline.AllOptions([]config.Output{{Values: config.Default(), Dir: a.dir}})
	if err != nil {
		return nil
	}
	runs, err := a.prepare(ctx, all, false)
	a.report.pending = nil // the warnings of a run that nobody asked for
	const command = "informer-gen-lite ./... would "
	if problems := (diag.List)(nil); errors.As(err, &problems) && len(problems) > 0 {
		first := problems.First(a.dir)
		first.Message = command + "fail: " + first.Message
		return diag.List{first}
	}
	for _, run := range runs {
		api := run.API.Resolved.API
		diags.Add(token.Position{}, "%swrite %s for %s to %s and to API packages", command, count(len(run.Files), "file"),
			count(len(api.Kinds()), "kind"), diag.Relative(a.dir, run.API.Place.Dir))
	}
	return diags
}
