package cluster

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/interrupt"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/cluster/change"
)

// changesSince returns an error for each change since a git revision that breaks stored objects or clients, at the field that caused it,
// and a warning for each change that must be reviewed. Changes that the configuration allows are omitted.
func changesSince(ctx context.Context, name string, call *run.Call) (diag.List, error) {
	old, err := checkOut(ctx, call.Dir, name)
	if err != nil {
		return nil, err
	}
	defer old.remove()
	after, err := readDefinitions(ctx, call.Front, call.Config)
	if err != nil {
		return nil, err
	}
	before := &definitionSet{}
	if copied, existed := old.configuration(call.Config); existed {
		if before, err = readDefinitions(ctx, call.Front, copied); err != nil {
			return nil, old.restore(err)
		}
	}
	allowed, err := allowedChanges(call.Config)
	if err != nil {
		return nil, err
	}
	diags := after.warnings
	for _, c := range change.Compare(before.crds, after.crds) {
		key := c.Key()
		if allowed.used[key] = slices.ContainsFunc(allowed.reasons, func(r map[string]string) bool { return r[key] != "" }); allowed.used[key] {
			continue
		}
		pos := after.position(c.Place)
		if c.Before {
			pos = old.position(before.position(c.Place))
		}
		entry := "add \"" + c.Key() + ": reason\" to " + option.AllowedChangesKey
		if c.Review != "" {
			diags.Warn(pos, c.Review+", and "+entry, "since %s, %s", name, c)
		} else {
			diags.AddHint(pos, "if this is intended, "+entry, "since %s, %s", name, c)
		}
	}
	diags = append(diags, allowed.unused(name)...)
	if after.strict {
		diags = diags.AsErrors()
	}
	return diags, nil
}

// allowances are the changes that the outputs allow.
type allowances struct {
	outputs []run.Options
	reasons []map[string]string
	used    map[string]bool
}

func allowedChanges(config run.Configuration) (*allowances, error) {
	outputs, err := config.Options()
	a := &allowances{outputs: outputs, used: map[string]bool{}}
	for _, o := range outputs {
		reasons, _ := o.Values.Allowed() // valid since the options were read
		a.reasons = append(a.reasons, reasons)
	}
	return a, err
}

// unused returns a warning for each entry that is not needed.
func (a *allowances) unused(name string) (warnings diag.List) {
	var seen []string
	for i, o := range a.outputs {
		for _, entry := range o.Values.AllowedChanges {
			key, _, _ := strings.Cut(entry, ":")
			if a.reasons[i][key] == "" || a.used[key] || slices.Contains(seen, key) {
				continue
			}
			seen = append(seen, key)
			var found diag.List
			err := fmt.Errorf("%q has not changed since %s: remove it", key, name)
			if given := o.Locate(option.FlagErrors{{Flags: []string{option.AllowedChangesKey}, Err: err}}, &found); given != nil {
				found.Add(token.Position{}, "%v", given) // on the command line
			}
			warnings = append(warnings, found.AsWarnings()...)
		}
	}
	return warnings
}

// revision is a copy of a repository's files at a git revision, in a temporary directory.
type revision struct {
	name string
	// top is the root of the repository, and dir the root of the copy, in the temporary directory temp.
	top, dir, temp string
}

// checkOut copies the files of the repository that a directory belongs to. It writes nothing into the repository, whose index and work
// tree stay unchanged.
func checkOut(ctx context.Context, dir, name string) (*revision, error) {
	up, err := git(ctx, dir, nil, "rev-parse", "--show-cdup")
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return nil, errors.New("--against needs git, which is not installed")
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, fmt.Errorf("--against needs a git repository, which %s is not in: %w", dir, err)
	}
	commit, err := git(ctx, dir, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("--against: the repository has no revision %q: if it exists elsewhere, run git fetch; "+
			"in CI, check out with the full history", name)
	}
	temp, err := os.MkdirTemp("", "informer-gen-lite-")
	if err != nil {
		return nil, err
	}
	r := &revision{name: name, top: filepath.Join(dir, filepath.FromSlash(up)), dir: filepath.Join(temp, "tree"), temp: temp}
	index := []string{"GIT_INDEX_FILE=" + filepath.Join(temp, "index")}
	if _, err = git(ctx, r.top, index, "read-tree", commit); err == nil {
		_, err = git(ctx, r.top, index, "-c", "filter.lfs.smudge=", "-c", "filter.lfs.process=", "-c", "filter.lfs.required=false",
			"checkout-index", "--all", "--prefix="+filepath.ToSlash(r.dir)+"/")
	}
	if err != nil {
		r.remove()
		return nil, fmt.Errorf("--against: cannot read revision %s: %w", name, err)
	}
	return r, nil
}

func (r *revision) remove() { _ = os.RemoveAll(r.temp) }

// git runs git in a directory, and returns its output. Git hooks set variables for the directory that they run in.
func git(ctx context.Context, dir string, env []string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	ofHook := func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return name == "GIT_DIR" || name == "GIT_WORK_TREE" || name == "GIT_INDEX_FILE" || name == "GIT_PREFIX"
	}
	cmd.Dir, cmd.Env = dir, append(slices.DeleteFunc(os.Environ(), ofHook), env...)
	out, err := cmd.Output()
	if err = interrupt.Command(ctx, err); err != nil {
		if exit, ok := errors.AsType[*exec.ExitError](err); ok && len(exit.Stderr) > 0 {
			err = errors.New(strings.TrimSpace(string(exit.Stderr)))
		}
		return "", err
	}
	return strings.TrimSpace(string(out)), nil
}

// configuration returns a configuration for the copy, and whether there was a module at that time.
func (r *revision) configuration(now run.Configuration) (run.Configuration, bool) {
	dir, root := now.Place()
	dir = r.copied(dir)
	if root != "" {
		root = r.copied(root)
	}
	info, err := os.Stat(dir)
	return now.At(dir, root), err == nil && info.IsDir() && (root == "" || module.IsRoot(root))
}

// copied returns the place of a file or directory of the repository in the copy.
func (r *revision) copied(name string) string {
	rel, err := filepath.Rel(r.top, name)
	if err != nil || !filepath.IsLocal(rel) {
		return name
	}
	return filepath.Join(r.dir, rel)
}

// position returns the position in the repository that corresponds to one in the copy: the name of the file has the revision.
func (r *revision) position(pos token.Position) token.Position {
	if rel, err := filepath.Rel(r.dir, pos.Filename); err == nil && filepath.IsLocal(rel) {
		pos.Filename = filepath.Join(r.top, rel) + "@" + r.name
	}
	return pos
}

// restore replaces the positions of diagnostics about the copy.
func (r *revision) restore(err error) error {
	if diags, ok := errors.AsType[diag.List](err); ok {
		for i := range diags {
			diags[i].Pos = r.position(diags[i].Pos)
		}
		return diags
	}
	if err == nil {
		return nil
	}
	return fmt.Errorf("at revision %s: %s", r.name, strings.ReplaceAll(err.Error(), r.dir, r.top))
}
