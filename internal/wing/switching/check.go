package switching

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/regular"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/apicompare"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/proof"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/proof/manifests"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/proof/results"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/script"
)

// checkConfig compares the exported API of the checked-in code with the code that a configuration would generate. It writes
// nothing. The text is the content of a configuration file with the given absolute name, which need not exist.
func checkConfig(ctx context.Context, call *run.Call, name, text string) error {
	start := time.Now()
	all, err := call.Parse(true, run.ConfigFile{Name: name, Text: []byte(text)})
	if err != nil {
		return err
	}
	known := proof.Dependencies{}
	found, err := compare(ctx, call, known, all)
	for _, r := range found.runs {
		call.Report(r.API.Warnings)
	}
	if err != nil {
		return err
	}
	bad := printProof(call, found, time.Since(start))
	different := results.Check(ctx, call.Prose, found.runs, found.leftOver)
	if ctx.Err() != nil {
		return different
	}
	changed, err := manifests.Check(call.Prose, call.Dir, found.runs)
	if err != nil {
		return err
	}
	run.PrintGoGet(call.Prose, call.Dir, found.runs)
	printFiles(call, found.leftOver, "left over from types that are gone, have no +genclient, or are in no kind",
		"code-generator does not remove them. informer-gen-lite generate --adopt does.")
	printFiles(call, proof.Lost(found.runs, found.results), "no longer generated", "Are their types in the configuration? "+
		"code-generator keeps the files of deleted types, too: to find such\nleftovers, remove these files and run your scripts: "+
		"files that do not come back were left over. Commit the\nresult, and check again.")
	if bad != nil {
		if err := printOlder(ctx, call, known, all, found); err != nil {
			return err
		}
	}
	bad = errors.Join(bad, different)
	if changed > 0 {
		bad = errors.Join(bad, fmt.Errorf("%s would change", diag.Count(changed, "manifest")))
	}
	return bad
}

// comparison is how generated code compares with the checked-in code.
type comparison struct {
	runs    []run.Run
	results []apicompare.Result
	// leftOver are files that do not count, because code-generator would not write them either.
	leftOver []string
}

// compare generates in memory, type-checks the checked-in and the generated code, and compares them.
func compare(ctx context.Context, call *run.Call, known proof.Dependencies, all []run.Options) (found comparison, err error) {
	if found.runs, err = call.Prepare(ctx, all, false); err != nil {
		return found, err
	}
	found.leftOver = proof.LeftOver(found.runs)
	found.results, err = known.Compare(ctx, found.runs, found.leftOver)
	return found, err
}

// printProof prints how each package compares. It returns an error if some are incompatible.
func printProof(call *run.Call, found comparison, elapsed time.Duration) error {
	call.Flush()
	results := found.results
	isThere := func(r run.Run) bool { return !r.Plan.New() }
	isBroken := func(r apicompare.Result) bool { return r.Broken }
	if !slices.ContainsFunc(found.runs, isThere) && !slices.ContainsFunc(results, isBroken) {
		fmt.Fprintf(call.Prose, "nothing to compare: no generated code is checked in; %s would compile (%.2fs)\n",
			diag.Count(len(results), "package"), elapsed.Seconds())
		return nil
	}
	for _, result := range results {
		fmt.Fprintf(call.Prose, "%-14s  %s\n", result.Status(), result.Package)
		for _, line := range result.Lines(9) {
			fmt.Fprintf(call.Prose, "\t%s\n", line)
		}
	}
	fmt.Fprintf(call.Prose, "%s: %s (%.2fs)\n", diag.Count(len(results), "package"), apicompare.Figures(results), elapsed.Seconds())
	if bad := apicompare.Count(results, apicompare.Incompatible); bad > 0 {
		return fmt.Errorf("the exported API of %s would change incompatibly", diag.Count(bad, "package"))
	}
	return nil
}

// printFiles names files that the switch would remove, and explains them.
func printFiles(call *run.Call, files []string, what, explanation string) {
	if len(files) == 0 {
		return
	}
	verb := "are"
	if len(files) == 1 {
		verb = "is"
	}
	fmt.Fprintf(call.Prose, "\n%s %s %s:\n\n", diag.Count(len(files), "file"), verb, what)
	for _, file := range files {
		fmt.Fprintf(call.Prose, "\t%s\n", diag.Relative(call.Dir, file))
	}
	fmt.Fprintf(call.Prose, "\n%s\n", explanation)
}

// printOlder names the release of client-go whose output matches the checked-in code better, if there is one: then the clients
// come from an older code-generator than the client-go in use.
func printOlder(ctx context.Context, call *run.Call, known proof.Dependencies, all []run.Options, now comparison) error {
	target := now.runs[0].API.ClientGo.Target
	for i, r := range now.runs {
		if all[i].ClientGo != nil || r.API.ClientGo.Target != target {
			return nil // requested explicitly, or several outputs
		}
	}
	best, older := now.results, target
	for minor := target.Minor - 1; minor >= model.OldestTarget.Minor; minor-- {
		found, err := compareFor(ctx, call, known, all, model.Target{Minor: minor})
		if err != nil {
			return err
		}
		more := apicompare.Count(found.results, apicompare.Incompatible) - apicompare.Count(best, apicompare.Incompatible)
		if more > 0 {
			break
		} else if more < 0 {
			best, older = found.results, model.Target{Minor: minor}
		}
	}
	if older == target {
		return nil
	}
	var others strings.Builder
	for _, result := range best {
		if result.Status() == apicompare.Incompatible {
			fmt.Fprintf(&others, "incompatible    %s, which seems to be from another release: only your scripts can regenerate it\n", result.Package)
		}
	}
	fmt.Fprintf(call.Prose, "\nThese clients seem to come from code-generator %s, but client-go is %s. "+
		"Compared with the output for that release:\n%s\n%s\n"+
		"Either run your scripts with code-generator %s, commit the changes, and check again; or stay with\n"+
		"the older release for now: add client-go: %s to the configuration.\n",
		older, target, apicompare.Figures(best), others.String(), target, older)
	return nil
}

// compareFor compares like checkConfig, but for another release of client-go.
func compareFor(ctx context.Context, call *run.Call, known proof.Dependencies, all []run.Options, target model.Target) (comparison, error) {
	choice, err := module.ParseRelease(target.String())
	if err != nil {
		return comparison{}, err
	}
	all = slices.Clone(all)
	for i := range all {
		all[i].ClientGo = &choice
	}
	return compare(ctx, call, known, all) // the warnings are the same
}

// checkSwitch checks the existing configuration or, without one, the translation of the sources.
func checkSwitch(ctx context.Context, call *run.Call, source script.Source, manifests bool) error {
	owner, err := module.Owner(source.Dir)
	if err != nil && len(source.Files) > 0 {
		owner, err = module.Owner(filepath.Dir(source.Files[0]))
	}
	if err != nil {
		return err
	}
	name := filepath.Join(owner.Dir, option.FileName)
	if len(source.Files) == 0 {
		if text, err := regular.ReadFile(name); err == nil {
			return checkConfig(ctx, call, name, string(text))
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	text, err := translate(ctx, call, source, manifests)
	if err != nil {
		return err
	}
	if err := checkConfig(ctx, call, name, text); err != nil {
		return err
	}
	words := []string{"informer-gen-lite", "migrate"}
	if manifests {
		words = append(words, "--manifests")
	}
	words = append(words, lists.Map(source.Files, func(file string) string { return diag.Relative(call.Dir, file) })...)
	fmt.Fprintf(call.Prose, "\nTo switch:\n\n\t%s >%s\n\tinformer-gen-lite generate --adopt\n",
		strings.Join(words, " "), diag.Relative(call.Dir, name))
	return nil
}
