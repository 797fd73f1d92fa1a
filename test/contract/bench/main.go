// Command bench compares the strict fake clientset of the examples with other fakes:
//
//	go run . [flags]
//
// Run it in the directory test/contract/bench of the repository.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"time"

	"github.com/informer-gen-lite/informer-gen-lite/crdfake"
	"github.com/informer-gen-lite/informer-gen-lite/internal/splice"
)

// definitionsDir has the CustomResourceDefinitions of the examples.
const definitionsDir = "../../../examples/config/crd"

// Exit codes of the command.
const (
	exitDone    = 0
	exitProblem = 1
	exitUsage   = 2
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr)) //nolint:forbidigo // the end of the program
}

// options are the flags.
type options struct {
	sizes
	rounds int
	only   string
	check  bool
	slack  float64
	readme string
}

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&o.requests, "requests", 500, "how many requests are measured at a time")
	flags.IntVar(&o.bulk, "objects", 10_000, "how many objects are listed and watched")
	flags.IntVar(&o.rounds, "rounds", 5, "how often each fake is measured")
	flags.StringVar(&o.only, "only", "", "measure only operations with this `text` in their names")
	flags.BoolVar(&o.check, "check", false, "fail if a target is missed")
	flags.Float64Var(&o.slack, "slack", 1, "let times be `factor` times what the targets say, for busy machines")
	flags.StringVar(&o.readme, "readme", "", "write the table into this `file`, between "+splice.Start(tableMark)+" and "+splice.End(tableMark))
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	switch {
	case flags.NArg() > 0:
		return o, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case o.requests < 1 || o.bulk < 1 || o.rounds < 1:
		return o, errors.New("-requests, -objects, -rounds: at least 1")
	case o.slack < 1:
		return o, errors.New("-slack: at least 1")
	case o.readme != "" && o.only != "":
		return o, errors.New("-readme: the README shows all operations; leave out -only")
	}
	return o, nil
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return exitDone
	} else if err != nil {
		fmt.Fprintf(stderr, "bench: %v\n", err)
		return exitUsage
	}
	missed, err := measureAndReport(ctx, o, stdout, stderr)
	if err != nil {
		fmt.Fprintf(stderr, "bench: %v\n", err)
		return exitProblem
	}
	for _, miss := range missed {
		fmt.Fprintf(stderr, "target missed: %s\n", miss)
	}
	if o.check && len(missed) > 0 {
		return exitProblem
	}
	return exitDone
}

// measureAndReport measures, prints the table, and returns the missed targets.
func measureAndReport(ctx context.Context, o options, stdout, stderr io.Writer) (missed []string, err error) {
	definitions, err := crdfake.Load(definitionsDir)
	if err != nil {
		return nil, err
	}
	fakes, err := contestants(definitions)
	if err != nil {
		return nil, err
	}
	var rows []row
	for _, op := range operations {
		if strings.Contains(op.name, "%d") {
			op.name = fmt.Sprintf(op.name, o.bulk)
		}
		if !strings.Contains(op.name, o.only) {
			continue
		}
		fmt.Fprintln(stderr, op.name)
		r, err := measure(ctx, o, op, fakes)
		if err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	var columns []string
	for _, c := range fakes {
		columns = append(columns, c.name)
	}
	text := markdown(rows, columns) + fmt.Sprintf(
		"\nCPU time, medians of %d rounds in turn. %d cores, %s/%s, %s.\n", o.rounds, runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version())
	fmt.Fprint(stdout, text)
	if o.readme != "" {
		if err := writeInto(o.readme, text); err != nil {
			return nil, err
		}
	}
	return misses(rows, o.slack), nil
}

// measure runs an operation on all fakes in turn. The first round is a warm-up.
func measure(ctx context.Context, o options, op operation, fakes []contestant) (row, error) {
	samples := map[string][]time.Duration{}
	for round := range o.rounds + 1 {
		for _, c := range fakes {
			used, err := op.run(ctx, o.sizes, c)
			if errors.Is(err, errLeftOut) {
				continue
			} else if err != nil {
				return row{}, fmt.Errorf("%s: %s: %w", op.name, c.name, err)
			}
			if round > 0 {
				samples[c.name] = append(samples[c.name], used)
			}
		}
	}
	r := row{op.name, op.factor, map[string]time.Duration{}}
	for name, values := range samples {
		r.medians[name] = median(values)
	}
	return r, nil
}

// writeInto replaces the table in a document.
func writeInto(name, text string) error {
	updated, err := splice.File(name, tableMark, text)
	if err != nil {
		return err
	}
	return os.WriteFile(name, []byte(updated), 0o666)
}
