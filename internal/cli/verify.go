package cli

import (
	"cmp"
	"context"
	"fmt"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	udiff "github.com/aymanbagabas/go-udiff"
	"github.com/spf13/cobra"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/pipeline"
	"github.com/informer-gen-lite/informer-gen-lite/internal/pipeline/against"
	"github.com/informer-gen-lite/informer-gen-lite/internal/pipeline/rendered"
)

// outOfDate is the error of verify.
type outOfDate []pipeline.Difference

func (o outOfDate) Error() string {
	if i := slices.IndexFunc(o, func(d pipeline.Difference) bool { return d.Command != "" }); i >= 0 {
		return "imported types were edited: move additions to another file of the package, and run " + o[i].Command + " and " + generateCommand
	}
	return "the generated code is out of date: run " + generateCommand
}

const generateCommand = "informer-gen-lite generate"

// print lists the files and then shows the differences.
func (o outOfDate) print(w io.Writer, dir string) {
	var diffs strings.Builder
	for _, d := range o {
		shown := filepath.ToSlash(diag.Relative(dir, d.Name))
		fmt.Fprintf(w, "%-8s %s\n", d.State, shown)
		from, to := "a/"+shown, "b/"+shown
		switch d.State {
		case pipeline.Missing:
			from = os.DevNull
		case pipeline.Stale:
			to = os.DevNull
		case pipeline.Differs:
		}
		diffs.WriteString(udiff.Unified(from, to, d.OnDisk, d.Generated))
	}
	fmt.Fprintf(w, "\n%s", diffs.String())
}

// diagnostics returns one diagnostic for each file, for formats without a diff.
func (o outOfDate) diagnostics() diag.List {
	var diags diag.List
	for _, d := range o {
		message := map[pipeline.State]string{
			pipeline.Missing: "generated file is missing",
			pipeline.Differs: "generated file is out of date",
			pipeline.Stale:   "file is no longer generated",
		}[d.State]
		diags.AddHint(token.Position{Filename: d.Name}, "run "+cmp.Or(d.Command, generateCommand), "%s", message)
	}
	return diags
}

func (a app) verifyCommand() *cobra.Command {
	var values config.Values
	cmd := &cobra.Command{
		Use:   "verify [packages]",
		Short: "Check that the generated code is up to date, and print a diff if not",
		Long: `Verify does what generate does, but in memory: it writes nothing. It lists files that are missing, differ or are stale,
prints a diff, and exits with 1 if there are any. It takes the flags of generate.

With --against, it also compares the CustomResourceDefinitions of the types with those at a git revision. With --manifests, it
also compares rendered manifests, such as those of a Helm chart, with what the types and controllers need.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, patterns []string) error {
			given := a.commandLine(cmd, &values, patterns)
			return a.verify(cmd.Context(), given, cmd.InOrStdin())
		},
	}
	values.Register(cmd.Flags(), generators.Names())
	cmd.Flags().String(againstFlag, "", "also report changes of CustomResourceDefinitions since this git revision that break something")
	cmd.Flags().String(manifestsFlag, "", "also compare the manifests in this file, or in - for the standard input, with what is needed")
	return cmd
}

const againstFlag, manifestsFlag = "against", "manifests"

// verify compares what generate would write with the disk, definitions with a revision, and manifests with what is needed. The error is
// outOfDate if files differ.
func (a app) verify(ctx context.Context, given config.CommandLine, stdin io.Reader) error {
	start := time.Now()
	all, err := pipeline.CommandLineOptions(given)
	if err != nil {
		return err
	}
	differences, files, err := a.compareImports(ctx, given, all)
	if err != nil {
		return err
	}
	runs, err := a.prepare(ctx, all, false)
	if err != nil {
		return err
	}
	for _, run := range runs {
		differences = append(differences, run.Differences()...)
		files += run.Plan.Unchanged
	}
	if given.Given.Changed(againstFlag) {
		changes, err := against.Changes(ctx, given.Given.Lookup(againstFlag).Value.String(), given)
		if err != nil {
			return err
		}
		a.report.pending = append(a.report.pending, changes...)
	}
	if given.Given.Changed(manifestsFlag) {
		found, notes, err := rendered.Check(ctx, given.Given.Lookup(manifestsFlag).Value.String(), stdin, given, runs)
		if err != nil {
			return err
		}
		a.report.pending = append(a.report.pending, found...)
		for _, note := range notes {
			fmt.Fprintf(a.prose(), "note: %s\n", note)
		}
	}
	if err := pipeline.Unconfigured(given, runs); err != nil && len(differences) > 0 {
		return err
	} else if len(differences) > 0 {
		return differences
	}
	if err := a.report.pending.Err(); err != nil {
		a.report.pending = nil
		return err
	}
	a.report.flush(a)
	fmt.Fprintf(a.prose(), "%s up to date (%.2fs)\n", count(files, "file"), time.Since(start).Seconds())
	return nil
}
