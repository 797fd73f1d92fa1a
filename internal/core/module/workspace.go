package module

import (
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/regular"
)

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

// selectVersions selects the highest required version of each module. Requirements come from the main modules and from the
// modules that these require. If the go.mod of such a module is incomplete, those of its requirements count too.
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
