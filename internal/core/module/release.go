package module

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/regular"
)

// Release is a release of client-go with the reason for it.
type Release struct {
	Target model.Target
	// Version is the version that decided, such as v0.35.4; "" if none did.
	Version string
	// Because is the reason, such as "k8s.io/client-go v0.35.4". Pos is the line of go.mod that says so; invalid without one.
	Because string
	Pos     token.Position
	// TooNew is true if Version is newer than all known releases, so that Target is the newest known one.
	TooNew bool
}

// DefaultRelease returns the newest final release, for a reason.
func DefaultRelease(because string) Release {
	return Release{Target: model.DefaultTarget, Because: because}
}

// ParseRelease reads a release as users write it: v0.35, 0.35 or v0.35.4.
func ParseRelease(value string) (Release, error) {
	version := "v" + strings.TrimPrefix(value, "v")
	if minor, ok := minorOf(version); !ok || semver.Prerelease(version) != "" || minor == 0 {
		return Release{}, fmt.Errorf("invalid release %q, want a version such as %s", value, model.DefaultTarget)
	}
	c := Release{Version: version, Because: value}
	err := decide(&c)
	c.Because = "--client-go " + value
	return c, err
}

// ReleaseOf returns the release for output in a module. Its directory is the root; "" stands for no module. The error is a diag.List if
// the release is too old.
func ReleaseOf(ctx context.Context, moduleDir string) (Release, error) {
	if moduleDir == "" {
		return DefaultRelease("the newest release, because there is no go.mod"), nil
	}
	file, err := ReadFile(moduleDir)
	if err != nil {
		return Release{}, err
	}
	if file.Module != nil && file.Module.Mod.Path == clientGo {
		return inDirectory(moduleDir, Release{Because: "the module is " + clientGo})
	}
	find := func(path string) (found, error) { return inFile(file, path), nil }
	if !listsAll(file) || strings.Contains(os.Getenv("GOFLAGS"), "-modfile") || workFile(os.Getenv("GOWORK"), moduleDir) != "" {
		find = func(path string) (found, error) { return ask(ctx, moduleDir, path) }
	}
	for _, path := range []string{clientGo, apimachinery} {
		required, err := find(path)
		if err != nil {
			return Release{}, err
		}
		if required.version != "" {
			c, err := required.release(ctx, moduleDir)
			if c.TooNew {
				c.Target.MergeDiff = mergeDiff(moduleDir)
			}
			return c, err
		}
	}
	return DefaultRelease("the newest release, because go.mod requires no " + clientGo), nil
}

// found is a module in the build.
type found struct {
	path, version string
	// replacement replaces the module; its version is "" if its path is a directory. It is the zero value without a replacement.
	replacement module.Version
	// dir is the directory of the source; "" if unknown.
	dir string
	pos token.Position
}

// inFile returns the version of a module in a go.mod, or no version.
func inFile(file *modfile.File, path string) found {
	f := found{path: path}
	i := slices.IndexFunc(file.Require, func(r *modfile.Require) bool { return r.Mod.Path == path })
	if i < 0 {
		return f
	}
	line := file.Require[i].Syntax
	f.version = file.Require[i].Mod.Version
	for _, r := range file.Replace {
		if r.Old.Path == path && (r.Old.Version == "" || r.Old.Version == f.version) {
			f.replacement, line = r.New, r.Syntax
		}
	}
	f.pos = token.Position{Filename: file.Syntax.Name, Line: line.Start.Line, Column: line.Start.LineRune}
	if f.replacement.Path != "" && f.replacement.Version == "" {
		f.dir = diag.Absolute(filepath.Dir(file.Syntax.Name), f.replacement.Path)
	}
	return f
}

// release returns the release of the module.
func (f found) release(ctx context.Context, moduleDir string) (Release, error) {
	version := f.version
	switch f.replacement.Path {
	case "":
	case f.path:
		version = f.replacement.Version
	default:
		version = ""
	}
	c := Release{Version: version, Because: f.String(), Pos: f.pos}
	// Kubernetes freezes its API before release candidates: they have all declarations of their minor releases.
	_, isMinor := minorOf(version)
	prerelease := semver.Prerelease(version)
	isComplete := isMinor && (prerelease == "" || strings.HasPrefix(prerelease, "-rc."))
	if isComplete || semver.Compare(version, "v1.0.0") >= 0 {
		if err := decide(&c); err != nil {
			hint := fmt.Sprintf("upgrade it with go get %s@%s, or set the release with --client-go", clientGo, model.OldestTarget)
			return c, diag.List{{Pos: c.Pos, Message: err.Error(), Hint: hint}}
		}
		return c, nil
	}
	if f.path != clientGo {
		return DefaultRelease("the newest release, because go.mod requires no " + clientGo + " and no release of " + apimachinery), nil
	}
	// Forks, directories and versions between two releases are recognized by their declarations.
	if dir := filepath.Join(moduleDir, "vendor", filepath.FromSlash(f.path)); f.dir == "" && Vendored(moduleDir) && isDir(dir) {
		f.dir = dir
	}
	if f.dir == "" {
		asked, err := ask(ctx, moduleDir, f.path)
		if err != nil {
			return Release{}, err
		}
		f.dir = asked.dir
	}
	return inDirectory(f.dir, c)
}

// String returns the module with its replacement.
func (f found) String() string {
	text := f.path + " " + f.version
	if f.replacement.Path != "" {
		text += " => " + strings.TrimSpace(f.replacement.Path+" "+f.replacement.Version)
	}
	return text
}

// minorOf returns the minor version of a release with major version 0.
func minorOf(version string) (int, bool) {
	if !semver.IsValid(version) || semver.Major(version) != "v0" {
		return 0, false
	}
	minor, err := strconv.Atoi(strings.TrimPrefix(semver.MajorMinor(version), "v0."))
	return minor, err == nil
}

// decide sets the target of a release from its version. It returns an error if the release is too old.
func decide(c *Release) error {
	minor, _ := minorOf(c.Version)
	c.TooNew = minor > model.NewestTarget.Minor
	c.Target = model.Target{Minor: min(minor, model.NewestTarget.Minor)}
	if c.Target.Minor < model.OldestTarget.Minor {
		return fmt.Errorf("%s is older than %s, the oldest supported release", c.Because, model.OldestTarget)
	}
	return nil
}

// String returns the release and the reason for it, such as "v0.35 (k8s.io/client-go v0.35.4 in go.mod)".
func (c Release) String() string {
	because := c.Because
	if c.Pos.IsValid() {
		because += " in " + filepath.Base(c.Pos.Filename)
	}
	if c.TooNew {
		because = fmt.Sprintf("the newest known, older than %s", because)
	}
	return fmt.Sprintf("%s (%s)", c.Target, because)
}

// Query returns the version of client-go to request from the go command (https://go.dev/ref/mod#version-queries) if a release
// decided; otherwise "".
func (c Release) Query() string {
	if _, ok := minorOf(c.Version); !ok || semver.Prerelease(c.Version) != "" {
		return ""
	}
	return c.Version
}

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
