// Package harness is the common part of the benchmarks: the command line, measuring in turn, medians, and tables in Markdown documents.
package harness

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
)

// Exit codes of a command.
const (
	ExitDone    = 0
	ExitProblem = 1
	ExitUsage   = 2
)

// Command is a benchmark as a command.
type Command struct {
	// Mark is the mark of the tables in the README.
	Mark Mark
	// Measurements are all measurements in order.
	Measurements []Measurement
	// Flags defines flags of this benchmark, and Validate checks their values.
	Flags    func(flags *flag.FlagSet)
	Validate func() error
	// Prepare is called before the measurements, and Close at the end, even if Prepare fails.
	Prepare func(ctx context.Context, s Session) error
	Close   func() error
	// Results are the results of the measurements that have been made.
	Results Results
}

// Measurement is a measurement that -only can select. Make adds to the results of the command.
type Measurement struct {
	Name, Usage string
	Make        func(ctx context.Context) error
}

// Session describes a run of a command.
type Session struct {
	// Pairs is the number of runs of each side that count.
	Pairs int
	// Progress is for messages while measuring.
	Progress io.Writer
}

// Results are the results of a run. Missing measurements are omitted.
type Results interface {
	// Markdown formats the results as tables, with an explanation.
	Markdown() string
	// Misses describes the missed targets, one sentence each. A slack of 2 allows twice the time of each target, for busy machines.
	Misses(slack float64) []string
}

// options are the flags of all benchmarks.
type options struct {
	Session
	only   []string
	check  bool
	slack  float64
	readme string
}

// Main runs the command with the arguments of this process until it ends or is interrupted, and returns the exit code.
func (c Command) Main() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return c.Run(ctx, os.Args[1:], os.Stdout, os.Stderr)
}

// Run parses the arguments, measures, prints the tables and the missed targets, and returns the exit code.
func (c Command) Run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	opts, err := c.parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return ExitDone
	} else if err != nil {
		fmt.Fprintf(stderr, "bench: %v\n", err)
		return ExitUsage
	}
	if err := c.measureAndReport(ctx, opts, stdout); err != nil {
		fmt.Fprintf(stderr, "bench: %v\n", err)
		return ExitProblem
	}
	misses := c.Results.Misses(opts.slack)
	for _, miss := range misses {
		fmt.Fprintf(stderr, "target missed: %s\n", miss)
	}
	if opts.check && len(misses) > 0 {
		return ExitProblem
	}
	return ExitDone
}

func (c Command) parse(args []string, stderr io.Writer) (options, error) {
	names := make([]string, len(c.Measurements))
	var usage strings.Builder
	usage.WriteString("which `measurements` to make:")
	for i, m := range c.Measurements {
		names[i] = m.Name
		usage.WriteString("\n" + m.Name + ": " + m.Usage)
	}
	opts := options{Session: Session{Progress: stderr}}
	var only string
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&opts.Pairs, "pairs", 5, "how often each side is run")
	flags.StringVar(&only, "only", strings.Join(names, ","), usage.String())
	flags.BoolVar(&opts.check, "check", false, "fail if a target is missed")
	flags.Float64Var(&opts.slack, "slack", 1, "let times be `factor` times what the targets say, for busy machines")
	flags.StringVar(&opts.readme, "readme", "", "write the tables into this `file`, between "+c.Mark.start()+" and "+c.Mark.end())
	c.Flags(flags)
	if err := flags.Parse(args); err != nil {
		return opts, err
	}
	opts.only = strings.Split(only, ",")
	for _, name := range opts.only {
		if !slices.Contains(names, name) {
			return opts, fmt.Errorf("-only: unknown measurement %q, must be one of %s", name, strings.Join(names, ", "))
		}
	}
	switch {
	case flags.NArg() > 0:
		return opts, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case opts.Pairs < 1:
		return opts, errors.New("-pairs: at least 1")
	case opts.slack < 1:
		return opts, errors.New("-slack: at least 1")
	case opts.readme != "" && len(slices.Compact(slices.Sorted(slices.Values(opts.only)))) < len(names):
		return opts, errors.New("-readme: the README shows all measurements; leave out -only")
	}
	return opts, c.Validate()
}

// measureAndReport measures, and writes the tables.
func (c Command) measureAndReport(ctx context.Context, opts options, stdout io.Writer) error {
	if opts.readme != "" {
		// Fail before minutes of measuring if the README has no place for the tables.
		if _, err := c.Mark.InFile(opts.readme, ""); err != nil {
			return err
		}
	}
	if err := c.measure(ctx, opts); err != nil {
		return err
	}
	tables := c.Results.Markdown()
	fmt.Fprint(stdout, tables)
	if opts.readme == "" {
		return nil
	}
	updated, err := c.Mark.InFile(opts.readme, tables)
	if err != nil {
		return err
	}
	return os.WriteFile(opts.readme, []byte(updated), 0o666)
}

// measure makes the selected measurements.
func (c Command) measure(ctx context.Context, opts options) (err error) {
	defer func() { err = errors.Join(err, c.Close()) }()
	if err := c.Prepare(ctx, opts.Session); err != nil {
		return err
	}
	for _, m := range c.Measurements {
		if slices.Contains(opts.only, m.Name) {
			if err := m.Make(ctx); err != nil {
				return fmt.Errorf("%s: %w", m.Name, err)
			}
		}
	}
	return nil
}

// Machine describes the machine and the Go version, for the explanation of tables.
func Machine() string {
	return fmt.Sprintf("%d cores, %s/%s, %s", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version())
}
