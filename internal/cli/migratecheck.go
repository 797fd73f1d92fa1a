package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/pflag"

	"github.com/informer-gen-lite/informer-gen-lite/internal/apicompare"
	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/migrate"
	"github.com/informer-gen-lite/informer-gen-lite/internal/proof"
)

// checkConfig compares the exported API of what is checked in with that of what a configuration would generate, and writes
// nothing. The text is that of a configuration file of the given absolute name, which need not exist.
func (a app) checkConfig(ctx context.Context, name string, text []byte) error {
	start := time.Now()
	all, err := config.Parse(name, text)
	if err != nil {
		return err
	}
	for i := range all {
		all[i].Adopt = true
	}
	runs, err := a.prepare(ctx, all, false)
	if err != nil {
		return err
	}
	results, err := proof.Compare(ctx, runs)
	if err != nil {
		return err
	}
	return a.printProof(results, time.Since(start))
}

// printProof prints how each package compares. The error says that some are incompatible.
func (a app) printProof(results []apicompare.Result, elapsed time.Duration) error {
	n := map[apicompare.Status]int{}
	for _, result := range results {
		status := result.Status()
		n[status]++
		fmt.Fprintf(a.stdout, "%-14s  %s\n", status, result.Package)
		for _, f := range result.Findings {
			if f.Symbol != "" {
				f.Message = f.Symbol + ": " + f.Message
			}
			fmt.Fprintf(a.stdout, "\t%s\n", f.Message)
		}
	}
	fmt.Fprintf(a.stdout, "%s: %d equal, %d with additions only, %d incompatible (%.2fs)\n", count(len(results), "package"),
		n[apicompare.Equal], n[apicompare.Additions], n[apicompare.Incompatible], elapsed.Seconds())
	if bad := n[apicompare.Incompatible]; bad > 0 {
		return fmt.Errorf("the exported API of %s would change incompatibly", count(bad, "package"))
	}
	return nil
}

// checkScripts checks the configuration that the scripts are translated into; without scripts the one that is there.
func (a app) checkScripts(ctx context.Context, files []string) error {
	if len(files) == 0 {
		name, err := config.CommandLine{Dir: a.dir, Given: pflag.NewFlagSet("", pflag.ContinueOnError), Flags: &config.Flags{}}.File()
		if err != nil {
			return err
		}
		if name == "" {
			return config.UsageError{Err: errors.New("migrate --check needs the name of a script, or a " + config.FileName)}
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return a.checkConfig(ctx, name, text)
	}
	names := a.absolute(files)
	text, err := a.translate(migrate.Source{Dir: a.dir, Files: names, Stdin: os.Stdin})
	if err != nil {
		return err
	}
	module, err := config.OwningModule(a.dir)
	if err != nil {
		module, err = config.OwningModule(filepath.Dir(names[0]))
	}
	if err != nil {
		return err
	}
	return a.checkConfig(ctx, filepath.Join(module.Dir, config.FileName), []byte(text))
}
