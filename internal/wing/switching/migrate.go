// Package switching has the way from code-generator and controller-gen to this tool.
package switching

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/interrupt"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/builders"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/proof"
	proofs "github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/proof/manifests"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/script"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/script/tools"
)

// Wing adds the command migrate.
var Wing = run.Wing{Commands: commands}

func commands() []run.Command {
	var check, manifests, leave bool
	return []run.Command{{
		Use:   "migrate [--check] [--manifests] [FILE…] | --scheme-builder [packages]",
		Short: "Translate scripts that call code-generator or controller-gen into a " + option.FileName,
		Long: `Migrate reads shell scripts, Makefiles and go:generate directives that call the functions of kube_codegen.sh,
generate-groups.sh, or client-gen, lister-gen, informer-gen, applyconfiguration-gen, deepcopy-gen and register-gen, or the
generator object of controller-gen, and prints an equivalent ` + option.FileName + `. Without FILE, it looks for them in the module of the
working directory. FILE - is the standard input, as in make -n generate | informer-gen-lite migrate -. Arguments that it cannot
translate are listed on stderr. Packages and directories that it cannot determine become placeholders, and the exit code is 1.
Migrate does not run the scripts, and writes no files.

With --manifests, it also translates calls of controller-gen with crd or rbac, for CustomResourceDefinitions and roles. It generates them in
memory: a call is only translated if the checked-in files stay the same, except for comments above them and the version annotation,
or if the repository has none for these kinds. The other calls are listed with the reason.

With --check, it compares the exported Go API of the checked-in packages and of those to be generated, instead of printing the
configuration: each package is equal, has additions only, or is incompatible. Defaults and conversions whose code would change are called
with random objects, before and after. It exits with 1 if a package is incompatible, or if a result differs. It generates in memory, like
generate --adopt, and compiles both sides. Without FILE, it uses the existing ` + option.FileName + `, if any.

With --scheme-builder, it edits API packages (default: ./...): their scheme.Builder of controller-runtime is replaced by the generated
registration, and what uses it in the repository is adapted. All files change, or none.`,
		Most: -1,
		Flags: func(flags *pflag.FlagSet) {
			flags.BoolVar(&check, "check", false,
				"check that the exported API of the generated packages stays compatible, instead of printing the configuration")
			flags.BoolVar(&leave, "scheme-builder", false,
				"replace controller-runtime's scheme.Builder in API packages by the generated registration, instead of reading scripts")
			flags.BoolVar(&manifests, "manifests", false,
				"also translate calls of controller-gen for CustomResourceDefinitions and roles, if the checked-in files stay the same")
		},
		Excludes: [][2]string{{"check", "scheme-builder"}, {"manifests", "scheme-builder"}},
		Run: func(ctx context.Context, call *run.Call) error {
			if leave {
				return leaveBuilders(ctx, call, call.Args)
			}
			files := slices.Clone(call.Args)
			for i, name := range files {
				if name != script.Stdin {
					files[i] = diag.Absolute(call.Dir, name)
				}
			}
			source := script.Source{Products: call.Products, Dir: call.Dir, Files: files, Stdin: call.Stdin}
			if check {
				return checkSwitch(ctx, call, source, manifests)
			}
			text, err := translate(ctx, call, source, manifests)
			fmt.Fprint(call.Stdout, text)
			return err
		},
	}}
}

// leaveBuilders replaces controller-runtime's scheme.Builder in the packages that match the patterns.
func leaveBuilders(ctx context.Context, call *run.Call, patterns []string) error {
	change, err := builders.Plan(ctx, call.Dir, patterns, call.Front)
	if err == nil {
		call.Warn(change.Left)
		err = change.Apply(ctx)
	}
	if err == nil {
		change.Print(call.Prose, call.Dir)
	}
	return err
}

// translate returns a configuration equivalent to the sources, and warns about the parts that it cannot translate.
func translate(ctx context.Context, call *run.Call, source script.Source, manifests bool) (string, error) {
	var diags diag.List
	if manifests {
		proof := proofs.Proof{Front: call.Front}
		source.Prove = func(dir, text string) error { return proof.Check(ctx, dir, text) }
	}
	text, err := interrupt.Do(ctx, func() (text string, err error) {
		var groups diag.List
		source.Kept = func(dir, text string) (kept []map[string]any) {
			kept, groups = proof.KeptNames(ctx, call.Front, dir, text)
			groups = slices.DeleteFunc(groups, func(d diag.Diagnostic) bool { return !errors.Is(d.Cause, resolve.ErrOtherGroup) })
			return kept
		}
		text, diags, err = script.Configuration(source)
		if diags = append(diags, groups...); err == nil && !tools.Stays(diags) {
			diags = append(diags, leaving(source.Dir)...)
		}
		return text, err
	})
	if ctx.Err() == nil { // otherwise it may still be running
		call.Warn(diags.AsWarnings())
	}
	var failed diag.List
	isNothing := func(d diag.Diagnostic) bool { return errors.Is(d.Cause, script.ErrNothing) }
	if errors.As(err, &failed) && len(source.Files) == 0 && slices.ContainsFunc(failed, isNothing) {
		err = slices.Concat(failed, withoutScripts(ctx, call))
	}
	return text, err
}

// withoutScripts says what generate would do in a module that has neither scripts nor a configuration.
func withoutScripts(ctx context.Context, call *run.Call) (diags diag.List) {
	owner, err := module.Owner(call.Dir)
	if err != nil {
		return nil
	}
	if _, err := os.Stat(filepath.Join(owner.Dir, option.FileName)); err == nil {
		return nil
	}
	all, err := call.Config.At(call.Dir, "").Options()
	if err != nil {
		return nil
	}
	runs, err := call.Prepare(ctx, all, false)
	const command = "informer-gen-lite ./... would "
	if problems := (diag.List)(nil); errors.As(err, &problems) && len(problems) > 0 {
		first := problems.First(call.Dir)
		first.Message = command + "fail: " + first.Message
		return diag.List{first}
	}
	for _, r := range runs {
		api := r.API.Resolved.API
		diags.Add(token.Position{}, "%swrite %s for %s to %s and to API packages", command, diag.Count(len(r.Files), "file"),
			diag.Count(len(api.Kinds()), "kind"), diag.Relative(call.Dir, r.API.Place.Dir))
	}
	return diags
}
