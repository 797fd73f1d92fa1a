package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/informer-gen-lite/informer-gen-lite/internal/apicompare"
	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/migrate"
	"github.com/informer-gen-lite/informer-gen-lite/internal/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/pipeline"
	"github.com/informer-gen-lite/informer-gen-lite/internal/proof"
	"github.com/informer-gen-lite/informer-gen-lite/internal/regular"
)

// checkConfig compares the exported API of the checked-in code with the code that a configuration would generate. It writes
// nothing. The text is the content of a configuration file with the given absolute name, which need not exist.
func (a app) checkConfig(ctx context.Context, name string, text []byte) error {
	start := time.Now()
	outputs, err := config.Parse(name, text)
	if err != nil {
		return err
	}
	for i := range outputs {
		outputs[i].Values.Adopt = true
	}
	all, err := pipeline.AllOptions(outputs)
	if err != nil {
		return err
	}
	runs, err := a.prepare(ctx, all, false)
	if err != nil {
		return err
	}
	results, err := a.compare(ctx, runs)
	if err != nil {
		return err
	}
	bad := a.printProof(results, time.Since(start))
	a.printLeftOver(proof.LeftOver(runs, results))
	if bad == nil {
		return nil
	}
	if err := a.printOlder(ctx, all, runs, results); err != nil {
		return err
	}
	return bad
}

// compare compiles the checked-in and the generated code and compares them. That takes minutes if the dependencies are not
// compiled yet.
func (a app) compare(ctx context.Context, runs []pipeline.Run) ([]apicompare.Result, error) {
	shown, stop := a.showProgress()
	defer stop()
	shown.at("compiling")
	return proof.Compare(ctx, runs)
}

// printProof prints how each package compares. It returns an error if some are incompatible.
func (a app) printProof(results []apicompare.Result, elapsed time.Duration) error {
	a.report.flush(a)
	for _, result := range results {
		fmt.Fprintf(a.prose(), "%-14s  %s\n", result.Status(), result.Package)
		for _, f := range result.Findings {
			if f.Symbol != "" {
				f.Message = f.Symbol + ": " + f.Message
			}
			fmt.Fprintf(a.prose(), "\t%s\n", f.Message)
		}
	}
	fmt.Fprintf(a.prose(), "%s: %s (%.2fs)\n", count(len(results), "package"), figures(results), elapsed.Seconds())
	if bad := incompatible(results); bad > 0 {
		return fmt.Errorf("the exported API of %s would change incompatibly", count(bad, "package"))
	}
	return nil
}

// printLeftOver names the files that make packages incompatible because no generator writes them any longer.
func (a app) printLeftOver(files []string) {
	if len(files) == 0 {
		return
	}
	fmt.Fprintf(a.prose(), "\n%s would no longer be generated:\n\n", count(len(files), "file"))
	for _, file := range files {
		fmt.Fprintf(a.prose(), "\t%s\n", diag.Relative(a.dir, file))
	}
	fmt.Fprint(a.prose(), "\ncode-generator does not remove the files of deleted types. To find such leftovers, "+
		"remove these files and run\nyour scripts: files that do not come back were left over. Commit the result, and check again.\n")
}

// checkSwitch checks the existing configuration or, without one, the translation of the sources.
func (a app) checkSwitch(ctx context.Context, source migrate.Source) error {
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
			return a.checkConfig(ctx, name, text)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	text, err := a.translate(ctx, source)
	if err != nil {
		return err
	}
	if err := a.checkConfig(ctx, name, []byte(text)); err != nil {
		return err
	}
	words := []string{"informer-gen-lite", "migrate"}
	for _, file := range source.Files {
		words = append(words, diag.Relative(a.dir, file))
	}
	fmt.Fprintf(a.prose(), "\nTo switch:\n\n\t%s >%s\n\tinformer-gen-lite generate --adopt\n",
		strings.Join(words, " "), diag.Relative(a.dir, name))
	return nil
}
