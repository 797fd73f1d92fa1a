package module

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
	"golang.org/x/mod/sumdb/dirhash"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/regular"
)

// buildList knows the main modules and the versions of others.
type buildList struct {
	env       *environment
	workspace bool
	mains     []*mainModule
	// selected are the versions by module path.
	selected map[string]string
	// replaces are the replacements of modules: other modules or, without a version, directories.
	replaces map[module.Version]module.Version
	// sums is the content of the checksum files, each line with a line break before and after.
	sums string
	// read are the go.mod files of other modules, by path and version.
	read map[module.Version]*modfile.File
	// found are the modules by path that were looked up so far.
	found map[string]*Module
}

// mainModule is a module that the user works on.
type mainModule struct {
	Module
	file *modfile.File
}

// readBuildList reads go.mod, and go.work if one applies, from a directory or its parents.
func readBuildList(env *environment, dir string) (*buildList, error) {
	b := &buildList{
		env: env, selected: map[string]string{}, replaces: map[module.Version]module.Version{},
		read: map[module.Version]*modfile.File{}, found: map[string]*Module{},
	}
	if work := workFile(env.workFile, dir); work != "" {
		b.workspace = true
		return b, b.readWorkspace(work)
	}
	goMod := Above(dir, "go.mod")
	if goMod == "" {
		return nil, errors.New("there is no go.mod")
	}
	main, err := b.readMain(filepath.Dir(goMod))
	if err != nil {
		return nil, err
	}
	for _, r := range main.file.Require {
		if b.selected[r.Mod.Path] != "" {
			return nil, fmt.Errorf("%s is required twice", r.Mod.Path)
		}
		b.selected[r.Mod.Path] = r.Mod.Version
	}
	return b, nil
}

// readMain adds the main module with a root directory.
func (b *buildList) readMain(dir string) (*mainModule, error) {
	file, err := ReadFile(dir)
	switch {
	case err != nil:
		return nil, err
	case file.Module == nil || !listsAll(file):
		return nil, fmt.Errorf("the go.mod in %s does not list all modules", dir)
	case len(file.Ignore) > 0:
		return nil, fmt.Errorf("the go.mod in %s ignores directories", dir)
	}
	if err := b.env.runs(file.Go, file.Toolchain); err != nil {
		return nil, err
	}
	for _, r := range file.Require {
		if err := module.Check(r.Mod.Path, r.Mod.Version); err != nil {
			return nil, err
		}
		for _, not := range file.Exclude {
			if not.Mod == r.Mod {
				return nil, fmt.Errorf("%s is excluded", r.Mod)
			}
		}
	}
	if err := b.addReplaces(dir, file.Replace); err != nil {
		return nil, err
	}
	if err := b.addSums(filepath.Join(dir, "go.sum")); err != nil {
		return nil, err
	}
	main := &mainModule{Module{Path: file.Module.Mod.Path, Dir: dir, Main: true, GoVersion: file.Go.Version}, file}
	b.mains = append(b.mains, main)
	return main, nil
}

func (b *buildList) addReplaces(dir string, replaces []*modfile.Replace) error {
	for _, r := range replaces {
		with := r.New
		if with.Version == "" {
			with.Path = diag.Absolute(dir, with.Path)
		}
		if other, known := b.replaces[r.Old]; known && other != with {
			return fmt.Errorf("%s has two replacements", r.Old)
		}
		b.replaces[r.Old] = with
	}
	return nil
}

func (b *buildList) addSums(name string) error {
	text, err := regular.ReadFile(name)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	b.sums += "\n" + string(text) + "\n"
	return nil
}

// owner returns the main module that a directory belongs to.
func (b *buildList) owner(dir string) (*mainModule, error) {
	root := filepath.Dir(Above(dir, "go.mod"))
	for _, main := range b.mains {
		if main.Dir == root {
			return main, nil
		}
	}
	return nil, fmt.Errorf("%s is in no main module", dir)
}

// module returns the module with a path, or nil. If others is false, it considers only main modules.
func (b *buildList) module(modulePath string, others bool) (*Module, error) {
	for _, main := range b.mains {
		if main.Path == modulePath {
			return &main.Module, nil
		}
	}
	version := b.selected[modulePath]
	if version == "" || !others {
		return nil, nil
	}
	if m := b.found[modulePath]; m != nil {
		return m, nil
	}
	v := module.Version{Path: modulePath, Version: version}
	file, err := b.goMod(v)
	if err != nil {
		return nil, err
	}
	m := &Module{Path: modulePath}
	if file.Go != nil {
		m.GoVersion = file.Go.Version
	}
	if m.Dir, err = b.sourceOf(v); err != nil {
		return nil, err
	}
	b.found[modulePath] = m
	return m, nil
}

// replacementOf returns the replacement of a version, or the version itself.
func (b *buildList) replacementOf(v module.Version) module.Version {
	for _, old := range []module.Version{v, {Path: v.Path}} {
		if with, known := b.replaces[old]; known {
			return with
		}
	}
	return v
}

// sourceOf returns the root directory of a version of a module. It returns an error if the directory is incomplete or does not
// match its checksum.
func (b *buildList) sourceOf(v module.Version) (string, error) {
	v = b.replacementOf(v)
	if v.Version == "" {
		_, err := os.Stat(v.Path)
		return v.Path, err
	}
	dir, about, err := b.cached(v)
	if err != nil {
		return "", err
	}
	hash, err := regular.ReadFile(about + ".ziphash")
	if err != nil {
		return "", err
	}
	if err := b.checkSum(v.Path, v.Version, string(bytes.TrimSpace(hash))); err != nil {
		return "", err
	}
	if isFile(about + ".partial") {
		return "", fmt.Errorf("%s is not unpacked", v)
	}
	_, err = os.Stat(dir)
	return dir, err
}

// cached returns the directory of a version in the module cache, and the names of the files about it without their extensions
// (https://go.dev/ref/mod#module-cache).
func (b *buildList) cached(v module.Version) (dir, about string, err error) {
	escaped, err := module.EscapePath(v.Path)
	if err != nil {
		return "", "", err
	}
	version, err := module.EscapeVersion(v.Version)
	escaped = filepath.FromSlash(escaped)
	return filepath.Join(b.env.modCache, escaped+"@"+version), filepath.Join(b.env.modCache, "cache", "download", escaped, "@v", version), err
}

// checkSum returns an error unless the checksum is the one in go.sum.
func (b *buildList) checkSum(modulePath, version, hash string) error {
	if !strings.Contains(b.sums, "\n"+modulePath+" "+version+" "+hash+"\n") {
		return fmt.Errorf("go.sum does not confirm %s@%s", modulePath, version)
	}
	return nil
}

// goMod returns the go.mod of a version of a module, or of its replacement.
func (b *buildList) goMod(v module.Version) (*modfile.File, error) {
	v = b.replacementOf(v)
	if file := b.read[v]; file != nil {
		return file, nil
	}
	name := filepath.Join(v.Path, "go.mod")
	if v.Version != "" {
		_, about, err := b.cached(v)
		if err != nil {
			return nil, err
		}
		name = about + ".mod"
	}
	text, err := regular.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if v.Version != "" {
		hash, err := dirhash.Hash1([]string{"go.mod"}, func(string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil })
		if err != nil {
			return nil, err
		}
		if err := b.checkSum(v.Path, v.Version+"/go.mod", hash); err != nil {
			return nil, err
		}
	}
	file, err := modfile.ParseLax(name, text, nil)
	if err == nil {
		b.read[v] = file
	}
	return file, err
}

// check returns an error if a module needs a later version of another module than the selected one: then go.mod must be updated.
// The go command also checks the modules that it takes packages from.
func (b *buildList) check(m *Module) error {
	file, err := b.goMod(module.Version{Path: m.Path, Version: b.selected[m.Path]})
	if err != nil {
		return err
	}
	for _, r := range file.Require {
		if version := b.selected[r.Mod.Path]; version != "" && semver.Compare(version, r.Mod.Version) < 0 {
			return fmt.Errorf("%s needs %s", m.Path, r.Mod)
		}
	}
	return nil
}
