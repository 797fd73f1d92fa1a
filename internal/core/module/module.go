// Package module answers everything about modules: which module owns a directory, the contents of go.mod, go.sum, go.work and the vendor
// directory, which packages there are, which requirements a go.mod lacks, and which release of client-go a module builds with. No other
// package parses these files.
//
// Starting the go command takes longer than generating for a small API, and the files and the module cache have most of the answers.
// Local reads them by the rules of https://go.dev/ref/mod, and returns an error if in doubt, and then the go command decides: Local
// requires a go.mod that is consistent and complete for the package, matching checksums, the installed toolchain, and build constraints
// that do not depend on a C compiler or an experiment; below a directory, it asks only about these packages. Tests compare both.
package module

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/interrupt"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/progress"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/regular"
)

// Package is one package, with the field names of go list -json.
type Package struct {
	// Dir is empty for a package that was not found; ImportPath is then the pattern.
	Dir, ImportPath string
	Name            string
	// GoFiles and CgoFiles are the files for this platform. InvalidGoFiles have a broken package clause, or the clause of another package.
	GoFiles, CgoFiles, InvalidGoFiles []string
	// IgnoredGoFiles are excluded by build constraints.
	IgnoredGoFiles []string
	Module         *Module
	// Match are the patterns that the package matches.
	Match []string
	Error *Error
}

// Module identifies the module that a package belongs to.
type Module struct {
	Path string
	// Dir is the module's root directory; "" for modules in a vendor directory.
	Dir string
	// Main is true for the main module and for the modules of a workspace.
	Main bool
	// GoVersion is the Go release that the module requires, such as 1.26.0; "" if its go.mod names none.
	GoVersion string
}

// Error is the go command's error for a package that it cannot list.
type Error struct {
	Pos string
	Err string
}

// Command asks the go command which packages match the patterns, in a directory. With -find it does not look at their imports:
// no dependency is resolved, and a tree that does not compile is no obstacle.
func Command(ctx context.Context, dir string, tags, flags, patterns []string) ([]Package, error) {
	args := []string{"list", "-e", "-find", "-json=Dir,ImportPath,Name,GoFiles,CgoFiles,InvalidGoFiles,IgnoredGoFiles,Module,Match,Error"}
	args = append(args, flags...)
	if len(tags) > 0 {
		args = append(args, "-tags="+strings.Join(tags, ","))
	}
	out, err := Go(ctx, dir, append(append(args, "--"), patterns...))
	if err != nil {
		return nil, err
	}
	var packages []Package
	for dec := json.NewDecoder(strings.NewReader(out)); ; {
		var p Package
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: unexpected output: %w", err)
		}
		packages = append(packages, p)
	}
}

// Go runs the go command in a directory and returns its output. The error includes its error message. The context's line shows which
// modules it downloads.
func Go(ctx context.Context, dir string, args []string) (string, error) {
	return GoLines(ctx, dir, args, nil)
}

// GoLines is like Go, and calls line for each line of the command's standard error if the context has a progress line.
func GoLines(ctx context.Context, dir string, args []string, line func(string)) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.WaitDelay = time.Minute // a busy machine may not read the rest of the output within a second
	cmd.Cancel = func() error {
		cmd.WaitDelay = time.Second // child processes may keep the output open
		return cmd.Process.Kill()
	}
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, progress.From(ctx).Downloads(&stderr, line)
	if err := interrupt.Command(ctx, cmd.Run()); err != nil {
		if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			return "", fmt.Errorf("go %s: %w", args[0], err)
		}
		if errors.Is(err, exec.ErrNotFound) {
			return "", fmt.Errorf("the go command, which finds packages, is not on PATH: %w", err)
		}
		return "", fmt.Errorf("go %s: %s", args[0], cmp.Or(strings.TrimSpace(stderr.String()), err.Error()))
	}
	return stdout.String(), nil
}

// readWorkspace reads a go.work, the modules that it uses and, to select versions, the go.mod files of the modules that those
// require (https://go.dev/ref/mod#workspaces).
func (b *buildList) readWorkspace(name string) error {
	text, err := regular.ReadFile(name)
	if err != nil {
		return err
	}
	file, err := modfile.ParseWork(name, text, nil)
	if err != nil {
		return err
	}
	dir := filepath.Dir(name)
	if _, err := os.Stat(filepath.Join(dir, "vendor")); err == nil || b.env.modMode != "" && b.env.modMode != "readonly" {
		return fmt.Errorf("%s has a vendor directory, or GOFLAGS a -mod", name)
	}
	if file.Go == nil || len(file.Use) == 0 {
		return fmt.Errorf("%s has no go line, or uses no module", name)
	}
	if err := b.env.runs(file.Go, file.Toolchain); err != nil {
		return err
	}
	if err := b.addReplaces(dir, file.Replace); err != nil {
		return err
	}
	for _, use := range file.Use {
		main, err := b.readMain(diag.Absolute(dir, use.Path))
		if err != nil {
			return err
		}
		if semver.Compare("v"+file.Go.Version, "v"+main.file.Go.Version) < 0 || len(main.file.Exclude) > 0 {
			return fmt.Errorf("%s excludes modules, or needs a later Go than %s", main.Path, name)
		}
	}
	if err := b.addSums(name + ".sum"); err != nil {
		return err
	}
	return b.selectVersions()
}

// selectVersions selects the highest required version of each module. Requirements come from the main modules and from the modules that
// these require. If the go.mod of such a module is incomplete, the go.mod files of its requirements count too.
func (b *buildList) selectVersions() error {
	type node struct {
		module.Version
		follow bool
	}
	var queue []node
	seen := map[node]bool{}
	require := func(file *modfile.File, enqueue, follow bool) {
		for _, r := range file.Require {
			if semver.Compare(b.selected[r.Mod.Path], r.Mod.Version) < 0 {
				b.selected[r.Mod.Path] = r.Mod.Version
			}
			if n := (node{r.Mod, follow}); enqueue && !seen[n] {
				seen[n] = true
				queue = append(queue, n)
			}
		}
	}
	for _, main := range b.mains {
		require(main.file, true, false)
	}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		file, err := b.goMod(n.Version)
		if err != nil {
			return err
		}
		follow := n.follow || !listsAll(file)
		require(file, follow, follow)
	}
	return nil
}
