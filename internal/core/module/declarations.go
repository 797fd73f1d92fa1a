package module

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"golang.org/x/mod/module"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/regular"
)

// signs are declarations that distinguish a release from earlier ones, newest first.
var signs = []struct {
	target        model.Target
	files, phrase string
}{
	{model.Target{Minor: 38}, "tools/cache/*.go", "SetShardSelector("},
	{model.Target{Minor: 37}, "tools/cache/*.go", "type TypedSharedIndexInformer["},
	{model.Target{Minor: 36}, "tools/cache/*.go", "type InformerName struct"},
	{model.Target{Minor: 35}, "tools/cache/*.go", "func ToListWatcherWithWatchListSemantics("},
	{model.Target{Minor: 34}, "go.mod", "sigs.k8s.io/structured-merge-diff/v6"},
	// In vendor directories, modules have no go.mod, and only the packages that are needed.
	{model.Target{Minor: 34}, "applyconfigurations/internal/*.go", "sigs.k8s.io/structured-merge-diff/v6"},
	{model.Target{Minor: 33}, "tools/cache/*.go", "ListWithContextFunc"},
}

// mergeDiff returns the major version of structured-merge-diff that the apimachinery of a module requires, such as v7; "" if it is unknown.
func mergeDiff(moduleDir string) (version string) {
	const of = "sigs.k8s.io/structured-merge-diff/"
	if file, err := ReadFile(Source(moduleDir, apimachinery)); err == nil {
		for _, required := range file.Require {
			if major, ok := strings.CutPrefix(required.Mod.Path, of); ok {
				version = major
			}
		}
	}
	vendored, _ := filepath.Glob(filepath.Join(moduleDir, "vendor", filepath.FromSlash(of), "v*")) // where modules have no go.mod
	for _, dir := range vendored {
		version = filepath.Base(dir)
	}
	return version
}

// inDirectory completes a release from the declarations in a directory.
func inDirectory(dir string, c Release) (Release, error) {
	var diags diag.List
	if dir == "" {
		diags.AddHint(c.Pos, "run go mod download, or set the release with --client-go",
			"cannot determine the release of client-go, because it is not downloaded: %s", c.Because)
		return c, diags
	}
	for _, sign := range signs {
		declared, err := contains(filepath.Join(dir, filepath.FromSlash(sign.files)), sign.phrase)
		if err != nil {
			return c, err
		}
		if declared {
			c.Target = sign.target
			return c, nil
		}
	}
	diags.AddHint(c.Pos, "set the release with --client-go",
		"cannot determine the release of client-go, or it is older than %s: %s", model.OldestTarget, c.Because)
	return c, diags
}

// contains reports whether any of the files that match a pattern contains a phrase.
func contains(pattern, phrase string) (bool, error) {
	names, err := filepath.Glob(pattern)
	if err != nil {
		return false, err
	}
	for _, name := range names {
		text, err := regular.ReadFile(name)
		if err != nil {
			return false, err
		}
		if bytes.Contains(text, []byte(phrase)) {
			return true, nil
		}
	}
	return false, nil
}

// ask asks the go command for a module. The version is empty if nothing requires the module.
func ask(ctx context.Context, moduleDir, path string) (found, error) {
	out, err := Go(ctx, moduleDir, []string{"list", "-m", "-e", "-mod=readonly", "-json", path})
	if err != nil {
		return found{}, fmt.Errorf("module %s: %w", path, err)
	}
	type listed struct{ Path, Version, Dir string }
	var m struct {
		listed
		Main    bool
		Replace *listed
	}
	if err := json.Unmarshal([]byte(out), &m); err != nil {
		return found{}, fmt.Errorf("go list -m %s: unexpected output: %w", path, err)
	}
	f := found{path: path, version: m.Version, dir: m.Dir}
	if m.Main {
		f.version, f.replacement = "in the workspace", module.Version{Path: m.Dir}
	}
	if m.Replace != nil {
		f.replacement, f.dir = module.Version{Path: m.Replace.Path, Version: m.Replace.Version}, m.Replace.Dir
	}
	return f, nil
}
