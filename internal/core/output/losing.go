package output

import (
	"fmt"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/output/losses"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
)

// mayLose reports whether a file may lose what only it has.
func (p *planner) mayLose(name string) bool {
	return p.opts.MayLose != nil && p.opts.MayLose(fileName(p.tree.root, name))
}

// losesParts reports a manifest that was not written by us, or was edited since, if the generated one lacks parts of it.
func (p *planner) losesParts(file render.File, existing []byte) bool {
	if p.mayLose(file.Path) || p.tree.recorded.has(file.Path) && !p.tree.recorded.edited(file.Path, existing) {
		return false
	}
	lost := losses.Manifest(existing, file.Content)
	if len(lost) > 0 {
		p.refuseLosses([]string{file.Path}, "leave it to what writes that", lost)
	}
	return len(lost) > 0
}

// checkNames reports Go files of other generators that would be replaced and have what their packages would then lack. Files with the
// same losses are one diagnostic.
func (p *planner) checkNames() {
	byLoss := map[string][]string{}
	for _, file := range p.plan.Write {
		existing := p.plan.old[file.Path]
		if !isGo(file.Path) || existing == nil || p.tree.ours(file.Path, existing) || p.mayLose(file.Path) {
			continue
		}
		lost := losses.Go(existing, file.Content, func() [][]byte { return p.others(file.Path) })
		if len(lost) > 0 {
			list := strings.Join(lost, "\n")
			byLoss[list] = append(byLoss[list], file.Path)
		}
	}
	for _, list := range slices.Sorted(maps.Keys(byLoss)) {
		lost, hint := strings.Split(list, "\n"), "generate all packages and with the options that it was made of"
		if list == losses.License {
			hint = "set --go-header-file"
		}
		p.refuseLosses(byLoss[list], hint, lost)
	}
}

// others returns the contents that the other Go files in a file's directory will have.
func (p *planner) others(name string) (all [][]byte) {
	planned := map[string]bool{}
	for _, other := range p.plan.Write {
		if path.Dir(other.Path) == path.Dir(name) {
			planned[path.Base(other.Path)] = true
			all = append(all, other.Content)
		}
	}
	for _, other := range p.plan.Remove {
		planned[path.Base(other)] = planned[path.Base(other)] || path.Dir(other) == path.Dir(name)
	}
	names, _ := filepath.Glob(filepath.Join(fileName(p.tree.root, path.Dir(name)), "*.go")) // unreadable files add no names
	for _, onDisk := range names {
		if text, err := readText(onDisk); err == nil && !planned[filepath.Base(onDisk)] {
			all = append(all, text)
		}
	}
	return all
}

// refuseLosses reports files that would lose the same.
func (p *planner) refuseLosses(names []string, hint string, lost []string) {
	accepted, others := lists.Map(names, func(name string) string { return fileName(p.tree.root, name) }), ""
	first := token.Position{Filename: accepted[0]}
	if n := len(names) - 1; n > 0 {
		others = fmt.Sprintf(" and %d more", n)
	}
	if len(names) > maxAccepted {
		accepted = []string{module.CommonDir(accepted)}
	}
	p.diags.AddHint(first, hint+", or accept the loss with --accept-loss="+strings.Join(accepted, ","),
		"generating this file%s would lose %s", others, strings.Join(lost, ", "))
}

// maxAccepted is the number of files that a hint names. For more, it names their directory.
const maxAccepted = 3
