// Command bench compares the performance of informer-gen-lite with the generators of code-generator that it replaces:
//
//	go run . [flags]
//
// Run it in its own directory of the repository.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/report"
	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/toolchain"
)

// Exit codes of the command.
const (
	exitDone    = 0
	exitProblem = 1
	exitUsage   = 2
)

func main() {
	toolchain.Intercept()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// options are the flags.
type options struct {
	pairs  int
	only   []string
	check  bool
	slack  float64
	readme string
	// dir is the directory for input, output and programs.
	dir string
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	opts, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return exitDone
	} else if err != nil {
		fmt.Fprintf(stderr, "bench: %v\n", err)
		return exitUsage
	}
	misses, err := measureAndReport(ctx, opts, stdout, stderr)
	if err != nil {
		fmt.Fprintf(stderr, "bench: %v\n", err)
		return exitProblem
	}
	for _, miss := range misses {
		fmt.Fprintf(stderr, "target missed: %s\n", miss)
	}
	if opts.check && len(misses) > 0 {
		return exitProblem
	}
	return exitDone
}

// measureAndReport measures, prints the tables, and returns the missed targets.
func measureAndReport(ctx context.Context, opts options, stdout, stderr io.Writer) (misses []string, err error) {
	if opts.readme != "" {
		// Fail before minutes of measuring if the README has no place for the tables.
		if _, err := splicedReadme(opts.readme, ""); err != nil {
			return nil, err
		}
	}
	results, err := measureAll(ctx, opts, stderr)
	if err != nil {
		return nil, err
	}
	tables := results.Markdown()
	fmt.Fprint(stdout, tables)
	if opts.readme != "" {
		err = updateReadme(opts.readme, tables)
	}
	return results.Misses(opts.slack), err
}

func parse(args []string, stderr io.Writer) (options, error) {
	var opts options
	var only string
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&opts.pairs, "pairs", 5, "how often each side is run")
	flags.StringVar(&only, "only", strings.Join(measurementNames(), ","), "which `measurements` to make:\n"+usageOfMeasurements())
	flags.BoolVar(&opts.check, "check", false, "fail if a target is missed")
	flags.Float64Var(&opts.slack, "slack", 1, "let times be `factor` times what the targets say, for busy machines")
	flags.StringVar(&opts.readme, "readme", "", "write the tables into this `file`, between <!-- bench --> and <!-- /bench -->")
	flags.StringVar(&opts.dir, "dir", defaultDir(), "`directory` for programs, input and output; its file system is measured too")
	if err := flags.Parse(args); err != nil {
		return opts, err
	}
	opts.only = strings.Split(only, ",")
	for _, name := range opts.only {
		if !slices.Contains(measurementNames(), name) {
			return opts, fmt.Errorf("-only: unknown measurement %q, must be one of %s", name, strings.Join(measurementNames(), ", "))
		}
	}
	switch {
	case flags.NArg() > 0:
		return opts, fmt.Errorf("what is %q? there are flags only", flags.Arg(0))
	case opts.dir == "":
		return opts, errors.New("-dir: needed where there is no cache directory")
	case opts.pairs < 1:
		return opts, errors.New("-pairs: at least 1")
	case opts.slack < 1:
		return opts, errors.New("-slack: at least 1")
	case opts.readme != "" && len(slices.Compact(slices.Sorted(slices.Values(opts.only)))) < len(measurements):
		return opts, errors.New("-readme: the README shows all measurements; leave out -only")
	}
	return opts, nil
}

// defaultDir returns a directory below the user's cache directory, so that the programs are reused.
func defaultDir() string {
	cache, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(cache, "informer-gen-lite-bench")
}

// updateReadme replaces the tables in a README.
func updateReadme(name, tables string) error {
	updated, err := splicedReadme(name, tables)
	if err != nil {
		return err
	}
	return os.WriteFile(name, []byte(updated), 0o666)
}

// splicedReadme returns the content of a README with the tables replaced.
func splicedReadme(name, tables string) (string, error) {
	old, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	updated, err := report.Splice(string(old), tables)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return updated, nil
}
