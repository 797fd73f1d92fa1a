package against

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
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/interrupt"
)

// revision is a copy of a repository's files at a git revision, in a temporary directory.
type revision struct {
	name string
	// top is the root of the repository, and dir that of the copy, in the temporary directory temp.
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

// git runs git in a directory, and returns what it prints. Git hooks set variables for the directory that they run in.
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
