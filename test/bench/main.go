// Command bench compares the performance of informer-gen-lite with the generators of code-generator that it replaces, and with
// controller-gen:
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
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/programs"
	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/report"
	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/toolchain"
	"github.com/informer-gen-lite/informer-gen-lite/test/internal/harness"
)

func main() {
	toolchain.Intercept()
	os.Exit(new(bench).command().Main())
}

// bench is one run of the command.
type bench struct {
	harness.Session
	// dir is the directory for input, output and programs; scratch is a directory in it for input and output.
	dir, scratch string
	// module selects the modules of projects whose path contains it.
	module   string
	programs *programs.Set
	results  report.Results
}

func (b *bench) command() harness.Command {
	return harness.Command{
		Mark: "bench",
		Measurements: []harness.Measurement{
			{Name: "a", Usage: "all of k8s.io/api, against upstream", Make: b.kubernetes},
			{Name: "b", Usage: "one CRD type, against upstream", Make: b.oneType},
			{Name: "c", Usage: "a second time, nothing changed or one field", Make: b.reruns},
			{Name: "d", Usage: "growth from 10 to 5000 kinds", Make: b.growth},
			{Name: "e", Usage: "compiling the programs from an empty build cache", Make: b.cold},
			{Name: "f", Usage: "compiling what was generated, against upstream", Make: b.compile},
			{Name: "g", Usage: "defaults and conversions, against upstream", Make: b.helpers},
			{Name: "h", Usage: "definitions, against controller-gen", Make: b.definitions},
		},
		Flags: func(flags *flag.FlagSet) {
			flags.StringVar(&b.dir, "dir", defaultDir(), "`directory` for programs, input and output; its file system is measured too")
			flags.StringVar(&b.module, "module", "", "the `part` of a module's path that selects it for h; all if empty")
		},
		Validate: func() error {
			if b.dir == "" {
				return errors.New("-dir: needed where there is no cache directory")
			}
			return nil
		},
		Prepare: b.prepare,
		Close:   func() error { return os.RemoveAll(b.scratch) },
		Results: &b.results,
	}
}

// defaultDir returns a directory below the user's cache directory, so that the programs are reused.
func defaultDir() string {
	cache, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(cache, "informer-gen-lite-bench")
}

// The directories of our module, and of one that has the requirements of upstream's programs and of the input.
const repository, requirements = "../..", "../../testdata/targets/v0.37"

// prepare creates the directories and builds the programs.
func (b *bench) prepare(ctx context.Context, s harness.Session) error {
	b.Session = s
	dir, err := filepath.Abs(b.dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if b.scratch, err = os.MkdirTemp(dir, "scratch"); err != nil {
		return err
	}
	version, err := versionOf(ctx, requirements, "k8s.io/code-generator")
	if err != nil {
		return err
	}
	b.results.Facts = report.Facts{CodeGenerator: version, Pairs: s.Pairs, Machine: harness.Machine()}
	fmt.Fprintln(b.Progress, "building the programs")
	b.programs = programs.New(filepath.Join(dir, "bin"))
	if _, err := b.programs.BuildOurs(ctx, repository); err != nil {
		return err
	}
	_, err = b.programs.BuildUpstream(ctx, requirements)
	return err
}

// versionOf returns the version of a module that the module in dir requires.
func versionOf(ctx context.Context, dir, module string) (string, error) {
	list := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Version}}", module)
	list.Dir, list.Env = dir, append(os.Environ(), "GOWORK=off")
	version, err := list.Output()
	if err != nil {
		return "", fmt.Errorf("go list: %w", err)
	}
	return strings.TrimSpace(string(version)), nil
}
