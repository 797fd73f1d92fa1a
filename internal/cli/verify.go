package cli

import (
	"context"
	"fmt"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	udiff "github.com/aymanbagabas/go-udiff"
	"github.com/spf13/cobra"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
)

// difference is one file that generate would write or remove.
type difference struct {
	// state is missing, differs or stale.
	state, name string
	// onDisk and generated are the file's contents; "" if there is no such file.
	onDisk, generated string
}

// outOfDate is the error of verify.
type outOfDate []difference

func (outOfDate) Error() string {
	return "the generated code is out of date: run informer-gen-lite generate"
}

// print lists the files, and then shows what differs.
func (o outOfDate) print(w io.Writer, dir string) {
	var diffs strings.Builder
	for _, d := range o {
		shown := filepath.ToSlash(diag.Relative(dir, d.name))
		fmt.Fprintf(w, "%-8s %s\n", d.state, shown)
		from, to := "a/"+shown, "b/"+shown
		switch d.state {
		case "missing":
			from = os.DevNull
		case "stale":
			to = os.DevNull
		}
		diffs.WriteString(udiff.Unified(from, to, d.onDisk, d.generated))
	}
	fmt.Fprintf(w, "\n%s", diffs.String())
}

// diagnostics returns one diagnostic for each file, for those who want no diff.
func (o outOfDate) diagnostics() diag.List {
	var diags diag.List
	for _, d := range o {
		message := map[string]string{
			"missing": "generated file is missing", "differs": "generated file is out of date", "stale": "file is no longer generated",
		}[d.state]
		diags.AddHint(token.Position{Filename: d.name}, "run informer-gen-lite generate", "%s", message)
	}
	return diags
}

func (a app) verifyCommand() *cobra.Command {
	var flags generateFlags
	cmd := &cobra.Command{
		Use:   "verify [packages]",
		Short: "Tell whether generate would change anything, and what",
		Long: `Verify does what generate does, in memory, and writes nothing. If a file is missing, differs or is stale, it lists these
files, shows the difference, and exits with 1. It takes the flags of generate.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, patterns []string) error {
			all, err := a.loadOptions(cmd.Flags(), &flags, patterns)
			if err != nil {
				return err
			}
			return a.verify(cmd.Context(), all)
		},
	}
	flags.register(cmd.Flags())
	return cmd
}

// verify compares what generate would write with the disk. The error is outOfDate if they differ.
func (a app) verify(ctx context.Context, all []options) error {
	start := time.Now()
	runs, err := a.prepareAll(ctx, all)
	if err != nil {
		return err
	}
	var differences outOfDate
	unchanged := 0
	for _, run := range runs {
		unchanged += run.plan.Unchanged
		differences = append(differences, run.differences()...)
	}
	if len(differences) > 0 {
		return differences
	}
	fmt.Fprintf(a.stdout, "%s up to date (%.2fs)\n", count(unchanged, "file"), time.Since(start).Seconds())
	return nil
}

// differences returns what applying the run would change.
func (p prepared) differences() outOfDate {
	var differences outOfDate
	add := func(state, path string, generated []byte) {
		old := p.plan.Old(path)
		if state == "differs" && old == nil {
			state = "missing"
		}
		name := filepath.Join(p.dir, filepath.FromSlash(path))
		differences = append(differences, difference{state, name, string(old), string(generated)})
	}
	for _, file := range p.plan.Write {
		add("differs", file.Path, file.Content)
	}
	for _, path := range p.plan.Remove {
		add("stale", path, nil)
	}
	return differences
}
