package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	udiff "github.com/aymanbagabas/go-udiff"
	"github.com/spf13/cobra"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
)

// errOutOfDate makes verify fail after it has said what differs.
var errOutOfDate = errors.New("the generated code is out of date: run informer-gen-lite generate")

func (a app) verifyCommand() *cobra.Command {
	var flags generateFlags
	cmd := &cobra.Command{
		Use:   "verify [packages]",
		Short: "Tell whether generate would change anything, and what",
		Long: `Verify does what generate does, in memory, and writes nothing. If a file is missing, differs or is stale, it lists these
files, shows the difference, and exits with 1. It takes the flags of generate.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, patterns []string) error {
			opts, err := flags.options(a.dir, patterns)
			if err != nil {
				return usageError{err}
			}
			return a.verify(cmd.Context(), opts)
		},
	}
	flags.register(cmd.Flags())
	return cmd
}

// verify compares what generate would write with the disk.
func (a app) verify(ctx context.Context, opts options) error {
	start := time.Now()
	run, err := a.prepare(ctx, opts)
	if err != nil {
		return err
	}
	var diffs bytes.Buffer
	for _, file := range run.plan.Write {
		name := filepath.Join(run.dir, filepath.FromSlash(file.Path))
		old, err := os.ReadFile(name)
		state := "differs"
		if errors.Is(err, os.ErrNotExist) {
			state = "missing"
		} else if err != nil {
			return err
		}
		a.printDifference(&diffs, state, name, string(old), string(file.Content))
	}
	for _, path := range run.plan.Remove {
		name := filepath.Join(run.dir, filepath.FromSlash(path))
		old, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		a.printDifference(&diffs, "stale", name, string(old), "")
	}
	if diffs.Len() > 0 {
		_, err := fmt.Fprintf(a.stdout, "\n%s", diffs.Bytes())
		return errors.Join(err, errOutOfDate)
	}
	fmt.Fprintf(a.stdout, "%s up to date (%.2fs)\n", count(run.plan.Unchanged, "file"), time.Since(start).Seconds())
	return nil
}

// printDifference prints a line about a file, and adds its unified diff to those that follow the list.
func (a app) printDifference(diffs *bytes.Buffer, state, name, old, new string) {
	shown := filepath.ToSlash(diag.Relative(a.dir, name))
	fmt.Fprintf(a.stdout, "%-8s %s\n", state, shown)
	from, to := "a/"+shown, "b/"+shown
	if state == "missing" {
		from = "/dev/null"
	} else if state == "stale" {
		to = "/dev/null"
	}
	diffs.WriteString(udiff.Unified(from, to, old, new))
}
