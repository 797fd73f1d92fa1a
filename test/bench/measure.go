package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/input"
	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/measure"
	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/programs"
	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/report"
)

// bench is one run of the command.
type bench struct {
	// scratch is a directory for input and output.
	scratch  string
	programs *programs.Set
	pairs    int
	progress io.Writer
	results  report.Results
}

// measureAll runs the selected measurements.
func measureAll(ctx context.Context, opts options, progress io.Writer) (results report.Results, err error) {
	b := &bench{pairs: opts.pairs, progress: progress}
	dir, err := filepath.Abs(opts.dir)
	if err != nil {
		return results, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return results, err
	}
	if b.scratch, err = os.MkdirTemp(dir, "scratch"); err != nil {
		return results, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.scratch)) }()
	fmt.Fprintln(progress, "building the programs")
	if err := b.build(ctx, filepath.Join(dir, "bin")); err != nil {
		return results, err
	}
	if b.results.Facts, err = facts(opts.pairs); err != nil {
		return results, err
	}
	for _, m := range measurements {
		if slices.Contains(opts.only, m.name) {
			if err := m.make(b, ctx); err != nil {
				return results, fmt.Errorf("measurement %s: %w", m.name, err)
			}
		}
	}
	return b.results, nil
}

// The modules of the programs.
const repository, benchModule = "../..", "."

func (b *bench) build(ctx context.Context, bin string) (err error) {
	if b.programs, err = programs.New(bin); err != nil {
		return err
	}
	if _, err := b.programs.BuildOurs(ctx, repository); err != nil {
		return err
	}
	_, err = b.programs.BuildUpstream(ctx, benchModule)
	return err
}

// facts describes the setup of the measurements.
func facts(pairs int) (report.Facts, error) {
	f := report.Facts{Pairs: pairs, OS: runtime.GOOS, Arch: runtime.GOARCH, Cores: runtime.NumCPU()}
	version, err := exec.Command("go", "env", "GOVERSION").Output()
	if err != nil {
		return f, fmt.Errorf("go env: %w", err)
	}
	f.Go = strings.TrimSpace(string(version))
	list := exec.Command("go", "list", "-m", "-f", "{{.Version}}", "k8s.io/code-generator")
	list.Env = append(os.Environ(), "GOWORK=off")
	if version, err = list.Output(); err != nil {
		return f, fmt.Errorf("go list: %w", err)
	}
	f.CodeGenerator = strings.TrimSpace(string(version))
	return f, nil
}

// side is one of several alternatives that are measured in turn.
type side struct {
	name string
	run  func() (measure.Sample, error)
}

// inTurn measures the sides in turn, so that other load on the machine affects all of them equally. The first round only warms up
// caches and does not count.
func (b *bench) inTurn(what string, sides ...side) ([]measure.Samples, error) {
	samples := make([]measure.Samples, len(sides))
	for round := range b.pairs + 1 {
		number := fmt.Sprintf("%d/%d", round, b.pairs)
		if round == 0 {
			number = "warm-up"
		}
		fmt.Fprintf(b.progress, "%s, %s:", what, number)
		for i, side := range sides {
			sample, err := side.run()
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(b.progress, "  %s %.2f s", side.name, sample.Wall.Seconds())
			if round > 0 {
				samples[i] = append(samples[i], sample)
			}
		}
		fmt.Fprintln(b.progress)
	}
	return samples, nil
}

// place is the output of one run, with its own output and cache directories. It is kept until the end, because some file systems
// create files more slowly for minutes after many deletions.
type place struct{ out, cache string }

// newPlace creates an empty place.
func (b *bench) newPlace() (place, error) {
	root, err := os.MkdirTemp(b.scratch, "run")
	return place{filepath.Join(root, "generated"), filepath.Join(root, "cache")}, err
}

// goFiles returns the paths of the Go files that a run on the task has generated, in its place and in API packages.
func (p place) goFiles(task programs.Task) ([]string, error) {
	names, err := input.Beside(task.Module)
	if err != nil {
		return nil, err
	}
	err = fs.WalkDir(os.DirFS(p.out), ".", func(name string, _ fs.DirEntry, err error) error {
		if err == nil && path.Ext(name) == ".go" {
			names = append(names, name)
		}
		return err
	})
	return names, err
}
