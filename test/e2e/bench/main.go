// Command bench compares the generated code of the examples with handwritten code and client-go's own listers, against a real API
// server:
//
//	go run ./bench [flags]
//
// Run it in the directory test/e2e of the repository.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/klog/v2"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
	"github.com/informer-gen-lite/informer-gen-lite/internal/splice"
)

// Exit codes of the command.
const (
	exitDone    = 0
	exitProblem = 1
	exitUsage   = 2
)

func main() {
	if apiservertest.IsChild() {
		if err := apiservertest.RunChild(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(exitProblem) //nolint:forbidigo // the end of the program
		}
		return
	}
	testing.Init() // for testing.Benchmark
	silenceLogs()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr)) //nolint:forbidigo // the end of the program
}

// silenceLogs discards logs but lets them be formatted, because that is part of the work of a controller.
func silenceLogs() {
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
}

// options are the flags.
type options struct {
	objects   int
	pairs     int
	only      []string
	writing   time.Duration
	benchtime string
	check     bool
	slack     float64
	readme    string
}

// writes returns the number of objects that one run of the latency measurement writes.
func (o options) writes() int { return int(o.writing.Seconds() * writesPerSecond) }

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
		if _, err := splice.File(opts.readme, tablesMark, ""); err != nil {
			return nil, err
		}
	}
	results, err := measureAll(ctx, opts, stderr)
	if err != nil {
		return nil, err
	}
	tables := results.markdown()
	fmt.Fprint(stdout, tables)
	if opts.readme != "" {
		updated, err := splice.File(opts.readme, tablesMark, tables)
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(opts.readme, []byte(updated), 0o666); err != nil {
			return nil, err
		}
	}
	return results.misses(opts.slack), nil
}

func parse(args []string, stderr io.Writer) (options, error) {
	var opts options
	var only string
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&opts.objects, "objects", 100_000, "how many objects there are")
	flags.IntVar(&opts.pairs, "pairs", 5, "how often each side is run")
	flags.StringVar(&only, "only", strings.Join(measurementNames(), ","), "which `measurements` to make:\n"+usageOfMeasurements())
	flags.DurationVar(&opts.writing, "writing", 5*time.Second, "how long each run of latency writes")
	flags.StringVar(&opts.benchtime, "benchtime", "300ms", "how long each run of listers takes, as in go test")
	flags.BoolVar(&opts.check, "check", false, "fail if a target is missed")
	flags.Float64Var(&opts.slack, "slack", 1, "let times be `factor` times what the targets say, for busy machines")
	flags.StringVar(&opts.readme, "readme", "", "write the tables into this `file`, between "+splice.Start(tablesMark)+" and "+splice.End(tablesMark))
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
	case opts.objects < leastObjects:
		return opts, fmt.Errorf("-objects: at least %d", leastObjects)
	case opts.pairs < 1:
		return opts, errors.New("-pairs: at least 1")
	case opts.writes() < 1 || opts.writes() > opts.objects:
		return opts, fmt.Errorf("-writing: %d writes, each to another of %d objects", opts.writes(), opts.objects)
	case opts.slack < 1:
		return opts, errors.New("-slack: at least 1")
	case opts.readme != "" && len(slices.Compact(slices.Sorted(slices.Values(opts.only)))) < len(measurements):
		return opts, errors.New("-readme: the README shows all measurements; leave out -only")
	}
	return opts, nil
}
