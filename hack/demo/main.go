// Command demo shows what informer-gen-lite does, what is quick first: it generates the clients of the examples into a scratch folder,
// runs a reconciler with them on strict fakes, and then compiles and runs the demo on an API server, in test/e2e/demo.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"github.com/mattn/go-isatty"

	"github.com/informer-gen-lite/informer-gen-lite/hack/demo/building"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/progress"
)

func main() {
	keep := flag.Bool("keep", false, "keep the API server running, for kubectl and curious people")
	quick := flag.Bool("quick", false, "leave out the API server")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second interrupt ends the process at once
	d := demo{root: ".", keep: *keep, quick: *quick, out: os.Stdout, start: time.Now()}
	if isatty.IsTerminal(os.Stdout.Fd()) {
		line := progress.New(os.Stdout, 0)
		d.out = line.Above(os.Stdout)
		ctx = progress.With(ctx, line)
	}
	err := d.run(ctx)
	progress.From(ctx).Stop()
	switch {
	case ctx.Err() != nil:
		fmt.Fprintln(os.Stderr, "demo: interrupted")
		os.Exit(130) //nolint:forbidigo // this is a main function
	case err != nil:
		fmt.Fprintf(os.Stderr, "demo: %v\n", err)
		os.Exit(1) //nolint:forbidigo // this is a main function
	}
}

// demo runs in the root of the repository.
type demo struct {
	root        string
	keep, quick bool
	out         io.Writer
	start       time.Time
}

func (d demo) run(ctx context.Context) (err error) {
	scratch, err := os.MkdirTemp("", "informer-gen-lite-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch) //nolint:errcheck // best effort
	// The scratch folder is in no workspace.
	if err := os.Setenv("GOWORK", "off"); err != nil {
		return err
	}
	tool := filepath.Join(d.root, "bin", binary("informer-gen-lite"))
	if err := d.build(ctx, "the tool", d.root, tool, "./cmd/informer-gen-lite"); err != nil {
		return err
	}
	if tool, err = filepath.Abs(tool); err != nil {
		return err
	}

	d.chapter("Generate: the examples' API types, without what was generated for them, in a scratch folder")
	if err := copyExamples(d.root, scratch); err != nil {
		return err
	}
	if err := d.command(ctx, scratch, tool); err != nil {
		return err
	}
	if err := printTree(d.out, filepath.Join(scratch, "generated")); err != nil {
		return err
	}
	d.stage("generated")

	d.chapter("Test: a reconciler with these clients on strict fakes, which answer as an API server does")
	fakes := filepath.Join(scratch, binary("fakes.bin"))
	if err := d.build(ctx, "the reconciler", scratch, fakes, "./fakes"); err != nil {
		return err
	}
	if err := d.command(ctx, scratch, fakes); err != nil {
		return err
	}
	d.stage("tested on fakes")
	if d.quick {
		return nil
	}

	return d.live(ctx)
}

// live runs the demo on an API server.
func (d demo) live(ctx context.Context) error {
	d.chapter("Run: two replicas of an operator, an API server, and a leader that is killed")
	workspace, err := filepath.Abs(filepath.Join(d.root, "hack", "go.work"))
	if err != nil {
		return err
	}
	if err := os.Setenv("GOWORK", workspace); err != nil { // with the packages that make test compiles
		return err
	}
	live := filepath.Join(d.root, "bin", binary("demo"))
	const server = "the API server; that takes minutes the first time"
	if err := d.build(ctx, server, filepath.Join(d.root, "test", "e2e"), live, "./demo"); err != nil {
		return err
	}
	args := []string{"-root", d.root}
	if d.keep {
		args = append(args, "-keep")
	}
	if err := d.command(ctx, d.root, live, args...); err != nil {
		return err
	}
	d.stage("run on an API server")
	return nil
}

// stage prints the time from the start to the end of a stage.
func (d demo) stage(done string) {
	fmt.Fprintf(d.out, "\n%s after %.0f s\n", done, time.Since(d.start).Seconds())
}

// chapter prints a title.
func (d demo) chapter(title string) { fmt.Fprintf(d.out, "\n%s\n", title) }

// build compiles a program of a module.
func (d demo) build(ctx context.Context, what, dir, program, pkg string) error {
	start := time.Now()
	if progress.From(ctx) == nil {
		fmt.Fprintf(d.out, "compiling %s\n", what)
	}
	program, err := filepath.Abs(program)
	if err != nil {
		return err
	}
	if err := building.Go(ctx, dir, []string{"-o", program}, []string{pkg}); err != nil {
		return err
	}
	fmt.Fprintf(d.out, "compiled in %.1fs\n", time.Since(start).Seconds())
	return nil
}

// command runs a program that prints to the output of the demo.
func (d demo) command(ctx context.Context, dir, program string, args ...string) error {
	progress.From(ctx).Stop()
	fmt.Fprintln(d.out, "$", filepath.Base(program))
	program, err := filepath.Abs(program)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, os.Stdin, d.out, os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // it cleans up
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(program), err)
	}
	return nil
}

// binary returns the file name of a program.
func binary(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}
