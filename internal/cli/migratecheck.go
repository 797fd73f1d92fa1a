package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/informer-gen-lite/informer-gen-lite/internal/apicompare"
	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/migrate"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/pipeline"
	"github.com/informer-gen-lite/informer-gen-lite/internal/proof"
	"github.com/informer-gen-lite/informer-gen-lite/internal/proof/manifests"
	"github.com/informer-gen-lite/informer-gen-lite/internal/regular"
)

// checkConfig compares the exported API of the checked-in code with the code that a configuration would generate. It writes
// nothing. The text is the content of a configuration file with the given absolute name, which need not exist.
func (a app) checkConfig(ctx context.Context, name, text string) error {
	start := time.Now()
	all, err := pipeline.Configured(name, text, true)
	if err != nil {
		return err
	}
	known := proof.Dependencies{}
	found, err := a.compare(ctx, known, all)
	if err != nil {
		return err
	}
	bad := a.printProof(found, time.Since(start))
	changed, err := manifests.Check(a.prose(), a.dir, found.runs)
	if err != nil {
		return err
	}
	a.printGoGet(found.runs)
	a.printFiles(found.leftOver, "left over from types that are gone, have no +genclient, or are in no kind",
		"code-generator does not remove them. informer-gen-lite generate --adopt does.")
	a.printFiles(proof.Lost(found.runs, found.results), "no longer generated", "Are their types in the configuration? "+
		"code-generator keeps the files of deleted types, too: to find such\nleftovers, remove these files and run your scripts: "+
		"files that do not come back were left over. Commit the\nresult, and check again.")
	if bad != nil {
		if err := a.printOlder(ctx, known, all, found); err != nil {
			return err
		}
	}
	if changed > 0 {
		bad = errors.Join(bad, fmt.Errorf("%s would change", count(changed, "manifest")))
	}
	return bad
}

// comparison is how generated code compares with the checked-in code.
type comparison struct {
	runs    []pipeline.Run
	results []apicompare.Result
	// leftOver are files that do not count, because code-generator would not write them either.
	leftOver []string
}

// compare generates in memory, type-checks the checked-in and the generated code, and compares them.
func (a app) compare(ctx context.Context, known proof.Dependencies, all []pipeline.Options) (found comparison, err error) {
	if found.runs, err = a.prepare(ctx, all, false); err != nil {
		return found, err
	}
	found.leftOver = proof.LeftOver(found.runs)
	found.results, err = known.Compare(ctx, found.runs, found.leftOver)
	return found, err
}

// printProof prints how each package compares. It returns an error if some are incompatible.
func (a app) printProof(found comparison, elapsed time.Duration) error {
	a.report.flush(a)
	results := found.results
	isThere := func(run pipeline.Run) bool { return !run.Plan.New() }
	isBroken := func(r apicompare.Result) bool { return r.Broken }
	if !slices.ContainsFunc(found.runs, isThere) && !slices.ContainsFunc(results, isBroken) {
		fmt.Fprintf(a.prose(), "nothing to compare: no generated code is checked in; %s would compile (%.2fs)\n",
			count(len(results), "package"), elapsed.Seconds())
		return nil
	}
	for _, result := range results {
		fmt.Fprintf(a.prose(), "%-14s  %s\n", result.Status(), result.Package)
		for _, line := range result.Lines(9) {
			fmt.Fprintf(a.prose(), "\t%s\n", line)
		}
	}
	fmt.Fprintf(a.prose(), "%s: %s (%.2fs)\n", count(len(results), "package"), apicompare.Figures(results), elapsed.Seconds())
	if bad := apicompare.Count(results, apicompare.Incompatible); bad > 0 {
		return fmt.Errorf("the exported API of %s would change incompatibly", count(bad, "package"))
	}
	return nil
}

// printFiles names files that the switch would remove, and explains them.
func (a app) printFiles(files []string, what, explanation string) {
	if len(files) == 0 {
		return
	}
	verb := "are"
	if len(files) == 1 {
		verb = "is"
	}
	fmt.Fprintf(a.prose(), "\n%s %s %s:\n\n", count(len(files), "file"), verb, what)
	for _, file := range files {
		fmt.Fprintf(a.prose(), "\t%s\n", diag.Relative(a.dir, file))
	}
	fmt.Fprintf(a.prose(), "\n%s\n", explanation)
}

// printOlder names the release of client-go whose output matches the checked-in code better, if there is one: then the clients
// come from an older code-generator than the client-go in use.
func (a app) printOlder(ctx context.Context, known proof.Dependencies, all []pipeline.Options, now comparison) error {
	target := now.runs[0].API.ClientGo.Target
	for i, run := range now.runs {
		if all[i].ClientGo != nil || run.API.ClientGo.Target != target {
			return nil // requested explicitly, or several outputs
		}
	}
	best, older := now.results, target
	for minor := target.Minor - 1; minor >= model.OldestTarget.Minor; minor-- {
		found, err := a.compareFor(ctx, known, all, model.Target{Minor: minor})
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
	fmt.Fprintf(a.prose(), "\nThese clients seem to come from code-generator %s, but client-go is %s. "+
		"Compared with the output for that release:\n%s\n%s\n"+
		"Either run your scripts with code-generator %s, commit the changes, and check again; or stay with\n"+
		"the older release for now: add client-go: %s to the configuration.\n",
		older, target, apicompare.Figures(best), others.String(), target, older)
	return nil
}

// compareFor compares like checkConfig, but for another release of client-go.
func (a app) compareFor(ctx context.Context, known proof.Dependencies, all []pipeline.Options, target model.Target) (comparison, error) {
	choice, err := module.ParseRelease(target.String())
	if err != nil {
		return comparison{}, err
	}
	all = slices.Clone(all)
	for i := range all {
		all[i].ClientGo = &choice
	}
	found, err := a.compare(ctx, known, all)
	a.report.pending = nil // the warnings are the same
	return found, err
}

// checkSwitch checks the existing configuration or, without one, the translation of the sources.
func (a app) checkSwitch(ctx context.Context, source migrate.Source, manifests bool) error {
	owner, err := module.Owner(source.Dir)
	if err != nil && len(source.Files) > 0 {
		owner, err = module.Owner(filepath.Dir(source.Files[0]))
	}
	if err != nil {
		return err
	}
	name := filepath.Join(owner.Dir, config.FileName)
	if len(source.Files) == 0 {
		if text, err := regular.ReadFile(name); err == nil {
			return a.checkConfig(ctx, name, string(text))
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	text, err := a.translate(ctx, source, manifests)
	if err != nil {
		return err
	}
	if err := a.checkConfig(ctx, name, text); err != nil {
		return err
	}
	words := []string{"informer-gen-lite", "migrate"}
	if manifests {
		words = append(words, "--manifests")
	}
	for _, file := range source.Files {
		words = append(words, diag.Relative(a.dir, file))
	}
	fmt.Fprintf(a.prose(), "\nTo switch:\n\n\t%s >%s\n\tinformer-gen-lite generate --adopt\n",
		strings.Join(words, " "), diag.Relative(a.dir, name))
	return nil
}
