// Command release makes a release of all published modules of this repository, with one version:
//
//	go run . [-dry-run] [-out DIR] [VERSION]
//
// In a clone of HEAD, it makes the commit of the release, tags it, and lets the go command read the modules from the tags. Then it
// installs the command and requires each module as users do. Without -dry-run, it then brings the commit into the repository. Run it
// again on that commit to bring the tags. It never pushes.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	var o options
	flag.BoolVar(&o.dryRun, "dry-run", false, "leave the repository unchanged")
	flag.StringVar(&o.out, "out", "", "`directory` for notes.md, checksums.txt and tags.txt")
	flag.StringVar(&o.repository, "repository", "../../..", "`directory` of the repository")
	flag.Parse()
	o.version = flag.Arg(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := o.run(ctx, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1) //nolint:forbidigo // this is the main function
	}
}

// options are the arguments of the command.
type options struct {
	dryRun                   bool
	out, repository, version string
}

// run makes a release, or says that there is nothing to release.
func (o options) run(ctx context.Context, out io.Writer) error {
	r, err := o.read(ctx, out)
	if err != nil {
		return err
	}
	if o.version == "" && r.isReleased() {
		fmt.Fprintf(out, "nothing to release: %s is tagged, and is the first entry in %s\n", r.version, changelog)
		return nil
	}
	if err := r.check(); err != nil {
		return err
	}
	if r.work, err = os.MkdirTemp("", "release-"); err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(r.work) }()
	for _, step := range []struct {
		name string
		do   func(context.Context) error
	}{
		{"commit of the release", r.commit},
		{"Go API since the last release", r.compareAPI},
		{"modules as the go command reads them from the tags", r.download},
		{"the command and README's first example, from a proxy", r.proveExample},
		{"each module, required by an empty one", r.proveModules},
	} {
		fmt.Fprintln(out, "---", step.name)
		started := time.Now()
		if err := step.do(ctx); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
		fmt.Fprintf(out, "    done in %.0f s\n", time.Since(started).Seconds())
	}
	r.print()
	if err := r.write(o.out); err != nil || o.dryRun {
		return err
	}
	return r.publish(ctx)
}

// print lists the modules in the order of their tags, and the notes.
func (r *release) print() {
	fmt.Fprintln(r.out, "--- modules, in the order of their tags")
	for _, m := range r.modules {
		fmt.Fprintf(r.out, "%-34s %8d bytes  %s  %s\n", m.tag(r.version), m.size, m.sum, m.path)
	}
	fmt.Fprintf(r.out, "--- notes\n%s", r.notes)
}

// write writes what a workflow needs to publish the release. The checksums have the format of go.sum.
func (r *release) write(dir string) error {
	if dir == "" {
		return nil
	}
	var sums, tags strings.Builder
	for _, m := range r.modules {
		fmt.Fprintf(&sums, "%s %s %s\n%[1]s %[2]s/go.mod %[4]s\n", m.path, r.version, m.sum, m.goModSum)
		fmt.Fprintln(&tags, m.tag(r.version))
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for name, text := range map[string]string{"notes.md": r.notes, "checksums.txt": sums.String(), "tags.txt": tags.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}
