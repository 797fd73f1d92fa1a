package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/internal/apicompare"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/pipeline"
)

// figures counts the packages of each status.
func figures(results []apicompare.Result) string {
	n := map[apicompare.Status]int{}
	for _, result := range results {
		n[result.Status()]++
	}
	return fmt.Sprintf("%d equal, %d with additions only, %d incompatible",
		n[apicompare.Equal], n[apicompare.Additions], n[apicompare.Incompatible])
}

// incompatible counts the packages with incompatible changes.
func incompatible(results []apicompare.Result) int {
	n := 0
	for _, result := range results {
		if result.Status() == apicompare.Incompatible {
			n++
		}
	}
	return n
}

// printOlder names the release of client-go whose output matches the checked-in code better, if there is one: then the clients
// come from an older code-generator than the client-go in use.
func (a app) printOlder(ctx context.Context, all []pipeline.Options, runs []pipeline.Run, results []apicompare.Result) error {
	target := runs[0].API.ClientGo.Target
	for i, run := range runs {
		if all[i].ClientGo != nil || run.API.ClientGo.Target != target {
			return nil // requested explicitly, or several outputs
		}
	}
	best, older := results, target
	for minor := target.Minor - 1; minor >= model.OldestTarget.Minor; minor-- {
		found, err := a.compareFor(ctx, all, model.Target{Minor: minor})
		if err != nil {
			return err
		}
		if incompatible(found) > incompatible(best) {
			break
		}
		if incompatible(found) < incompatible(best) {
			best, older = found, model.Target{Minor: minor}
		}
	}
	if older == target {
		return nil
	}
	fmt.Fprintf(a.prose(), "\nThese clients seem to come from code-generator %s, but client-go is %s. "+
		"Compared with the output for that release:\n%s\n\n"+
		"Either run your scripts with code-generator %s, commit the changes, and check again; or stay with\n"+
		"the older release for now: add client-go: %s to the configuration.\n", older, target, figures(best), target, older)
	return nil
}

// compareFor compares like checkConfig, but for another release of client-go.
func (a app) compareFor(ctx context.Context, all []pipeline.Options, target model.Target) ([]apicompare.Result, error) {
	choice, err := module.ParseRelease(target.String())
	if err != nil {
		return nil, err
	}
	all = slices.Clone(all)
	for i := range all {
		all[i].ClientGo = &choice
	}
	runs, err := a.prepare(ctx, all, false)
	a.report.pending = nil // the warnings are the same
	if err != nil {
		return nil, err
	}
	return a.compare(ctx, runs)
}
