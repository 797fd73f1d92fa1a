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

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/front/pipeline"
)

// outOfDate is the error of verify.
type outOfDate []run.Difference

func (o outOfDate) Error() string {
	if i := slices.IndexFunc(o, func(d run.Difference) bool { return d.Command != "" }); i >= 0 {
		return "imported types were edited: move additions to another file of the package, and run " + o[i].Command + " and " +
			run.GenerateCommand
	}
	return "the generated code is out of date: run " + run.GenerateCommand
}

// print lists the files and then shows the differences.
func (o outOfDate) print(w io.Writer, dir string) {
	var diffs strings.Builder
	for _, d := range o {
		shown := filepath.ToSlash(diag.Relative(dir, d.Name))
		fmt.Fprintf(w, "%-8s %s\n", d.State, shown)
		from, to := "a/"+shown, "b/"+shown
		switch d.State {
		case run.Missing:
			from = os.DevNull
		case run.Stale:
			to = os.DevNull
		case run.Differs:
		}
		diffs.WriteString(udiff.Unified(from, to, d.OnDisk, d.Generated))
	}
	fmt.Fprintf(w, "\n%s", diffs.String())
}

// diagnostics returns one diagnostic for each file, for formats without a diff.
func (o outOfDate) diagnostics() diag.List {
	var diags diag.List
	for _, d := range o {
		message := map[run.State]string{
			run.Missing: "generated file is missing",
			run.Differs: "generated file is out of date",
			run.Stale:   "file is no longer generated",
		}[d.State]
		diags.AddHint(token.Position{Filename: d.Name}, "run "+cmp.Or(d.Command, run.GenerateCommand), "%s", message)
	}
	return diags
}

func (a app) verifyCommand() *cobra.Command {
	var values option.Values
	cmd := &cobra.Command{
		Use:   "verify [packages]",
		Short: "Check that the generated code is up to date, and print a diff if not",
		Long: `Verify does what generate does, but in memory: it writes nothing. It lists files that are missing, differ or are stale,
prints a diff, and exits with 1 if there are any. It takes the flags of generate.

With --against, it also compares the CustomResourceDefinitions of the types with those at a git revision. With --manifests, it
also compares rendered manifests, such as those of a Helm chart, with what the types and controllers need.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, patterns []string) error {
			return a.verify(cmd.Context(), a.call(cmd, &values, patterns))
		},
	}
	values.Register(cmd.Flags(), a.house.Products.Names())
	for _, wing := range a.house.Wings {
		if wing.VerifyFlags != nil {
			wing.VerifyFlags(cmd.Flags())
		}
	}
	return cmd
}

// verify compares what generate would write with the disk, and has the wings check what they are asked for. The error is outOfDate if files
// differ.
func (a app) verify(ctx context.Context, call *run.Call) error {
	start := time.Now()
	all, differences, files, err := a.before(ctx, call, false)
	if err != nil {
		return err
	}
	runs, err := a.prepare(ctx, all, false)
	a.reportOdd(runs)
	if err != nil {
		return err
	}
	for _, r := range runs {
		differences = append(differences, r.Differences()...)
		files += r.Plan.Unchanged
	}
	for _, wing := range a.house.Wings {
		if wing.Verify == nil {
			continue
		}
		if err := wing.Verify(ctx, call, runs); err != nil {
			return err
		}
	}
	if err := pipeline.Unconfigured(call.Config.(configuration).CommandLine, runs); err != nil && len(differences) > 0 {
		return err
	} else if len(differences) > 0 {
		return differences
	}
	if err := a.report.pending.Err(); err != nil {
		a.report.pending = nil
		return err
	}
	a.report.flush(a)
	fmt.Fprintf(a.prose(), "%s up to date (%.2fs)\n", diag.Count(files, "file"), time.Since(start).Seconds())
	return nil
}
