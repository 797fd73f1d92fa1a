// Package proof compares the exported API of the packages on disk with the API of the packages that would replace them. It writes
// nothing: the go command sees the generated files through an overlay.
package proof

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/progress"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/apicompare"
)

// Dependencies are packages of other modules that comparisons have type-checked, by import path, for each module and flags of the go
// command.
type Dependencies map[string]map[string]*types.Package

// Compare returns how the exported API of each package in the runs would change, in the order of import paths. The packages on
// disk without the files that are left over are the reference. Both sides are type-checked with the dependencies of their module.
func (d Dependencies) Compare(ctx context.Context, runs []run.Run, leftOver []string) (results []apicompare.Result, err error) {
	scratch, err := os.MkdirTemp("", "informer-gen-lite-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	modules, err := modulesOf(runs, leftOver)
	if err != nil {
		return nil, err
	}
	overlays, err := WriteOverlays(scratch, runs, leftOver, nil)
	if err != nil {
		return nil, err
	}
	for _, dir := range slices.Sorted(maps.Keys(modules)) {
		found, err := modules[dir].compare(ctx, d, overlays)
		if err != nil {
			return nil, err
		}
		results = append(results, found...)
	}
	slices.SortFunc(results, func(a, b apicompare.Result) int { return strings.Compare(a.Package, b.Package) })
	return results, nil
}

// comparedModule is a module with packages to compare.
type comparedModule struct {
	dir string
	// runs are the runs with packages in the module.
	runs []run.Run
	// before and after are the directories of the existing packages and of the packages after the runs.
	before, after []string
}

// modulesOf returns the modules of all directories that the runs write to.
func modulesOf(runs []run.Run, leftOver []string) (map[string]*comparedModule, error) {
	modules := map[string]*comparedModule{}
	for _, r := range runs {
		generates := directories(r)
		for _, dir := range slices.Sorted(maps.Keys(generates)) {
			owner, err := module.Owner(dir)
			if err != nil {
				return nil, err
			}
			m := modules[owner.Dir]
			if m == nil {
				m = &comparedModule{dir: owner.Dir}
				modules[owner.Dir] = m
			}
			if n := len(m.runs); n == 0 || m.runs[n-1].API != r.API {
				m.runs = append(m.runs, r)
			}
			if err := m.add(r, dir, generates[dir], leftOver); err != nil {
				return nil, err
			}
		}
	}
	return modules, nil
}

// directories returns the absolute directories of a run's packages: true if it generates files there, false if it only removes files.
func directories(r run.Run) map[string]bool {
	dirs := map[string]bool{}
	for _, name := range r.Plan.Remove {
		if isSource(name) {
			dirs[filepath.Dir(r.API.Place.File(name))] = false
		}
	}
	for _, file := range r.Files {
		if isSource(file.Path) {
			dirs[filepath.Dir(r.API.Place.File(file.Path))] = true
		}
	}
	return dirs
}

// add adds the package of a directory.
func (m *comparedModule) add(r run.Run, dir string, generates bool, leftOver []string) error {
	there, err := sources(dir)
	if err != nil {
		return err
	}
	for _, name := range leftOver {
		delete(there, name)
	}
	if len(there) > 0 {
		m.before = append(m.before, dir)
	}
	for _, name := range r.Plan.Remove {
		delete(there, r.API.Place.File(name))
	}
	if generates || len(there) > 0 {
		m.after = append(m.after, dir)
	}
	return nil
}

// compare type-checks both sides and compares them. If the generated files do not compile, modules may be missing, so compare tries
// again with a copy of go.mod that has all of them. The go command then ignores the vendor directory, which may lack packages.
func (m *comparedModule) compare(ctx context.Context, known Dependencies, overlays Overlays) ([]apicompare.Result, error) {
	flags := Tags(m.runs)
	want, got, err := m.load(ctx, known, flags, overlays)
	if err != nil || len(got.Broken) == 0 {
		return apicompare.Compare(want, got), err
	}
	goMod, err := module.NewCopy(ctx, m.dir, nil, nil)
	if err != nil { // the errors of got name the missing packages
		return apicompare.Compare(want, got), ctx.Err()
	}
	err = goMod.Use(func(using []string) error {
		for _, r := range m.runs {
			get, lacks := r.GoGet()
			if !lacks || get.Args == nil { // the copy does without a vendor directory
				continue
			}
			if get.Edit != nil {
				if _, err := module.Go(ctx, m.dir, append(get.Edit, using[1:]...)); err != nil {
					return ctx.Err()
				}
			}
			args := slices.Concat(get.Args[:1], using[1:], []string{"-overlay=" + overlays.After.Name}, get.Args[1:])
			if _, err := module.Go(ctx, m.dir, args); err != nil {
				return ctx.Err()
			}
		}
		want, got, err = m.load(ctx, known, append(flags, using...), overlays)
		return err
	})
	return apicompare.Compare(want, got), err
}

// Tags returns the build tags of all runs as a flag, or nil.
func Tags(runs []run.Run) []string {
	tags := lists.FlatMap(runs, func(r run.Run) []string { return r.API.Options.Load.BuildTags })
	if len(tags) == 0 {
		return nil
	}
	return []string{"-tags=" + strings.Join(tags, ",")}
}

// load loads the existing packages and the packages after the runs. Most of what they import is the same.
func (m *comparedModule) load(
	ctx context.Context, known Dependencies, flags []string, overlays Overlays,
) (want, got apicompare.API, err error) {
	key := strings.Join(append([]string{m.dir}, flags...), "\x00")
	if known[key] == nil {
		known[key] = map[string]*types.Package{}
	}
	side := func(where string, o Overlay, dirs []string) (apicompare.API, error) {
		return apicompare.Load(ctx, apicompare.Config{
			Dir: m.dir, Flags: append(slices.Clone(flags), "-overlay="+o.Name), Overlay: o.Replace, Where: where, Dependencies: known[key],
			Progress: func(done, total int) {
				progress.From(ctx).At(fmt.Sprintf("comparing: %d of %d packages %s", done, total, where))
			},
		}, dirs...)
	}
	if want, err = side("as checked in", overlays.Before, m.before); err != nil {
		return want, got, err
	}
	got, err = side("as generated", overlays.After, m.after)
	return want, got, err
}

// isSource reports whether a file may contribute to the exported API of its package.
func isSource(name string) bool {
	return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
}

// sources returns the absolute names of the files of a package; none if there is no such directory.
func sources(dir string) (map[string]bool, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	names := map[string]bool{}
	for _, entry := range entries {
		if isSource(entry.Name()) {
			names[filepath.Join(dir, entry.Name())] = true
		}
	}
	return names, nil
}

// Overlay replaces files on disk for the go command: Replace has other files, or "" for none. Name is the file for the flag -overlay.
type Overlay struct {
	Replace map[string]string
	Name    string
}

// Overlays are the overlays for the packages before and after the runs.
type Overlays struct{ Before, After Overlay }

// WriteOverlays writes the generated files and the overlays to a directory: one hides the files that are left over, the other one has the
// generated files and hides the files that the runs would remove. More are files that both have.
func WriteOverlays(scratch string, runs []run.Run, leftOver []string, more map[string]string) (o Overlays, err error) {
	replace, written := map[string]string{}, 0
	maps.Copy(replace, more)
	for _, name := range leftOver {
		replace[name] = ""
	}
	if o.Before, err = writeOverlay(scratch, "before.json", replace); err != nil {
		return o, err
	}
	for _, r := range runs {
		for _, file := range r.Plan.Write {
			written++
			name := filepath.Join(scratch, strconv.Itoa(written)+filepath.Ext(file.Path))
			if err := os.WriteFile(name, file.Content, 0o666); err != nil {
				return o, err
			}
			replace[r.API.Place.File(file.Path)] = name
		}
		for _, path := range r.Plan.Remove {
			replace[r.API.Place.File(path)] = ""
		}
	}
	o.After, err = writeOverlay(scratch, "after.json", replace)
	return o, err
}

func writeOverlay(scratch, name string, replace map[string]string) (Overlay, error) {
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return Overlay{}, err
	}
	name = filepath.Join(scratch, name)
	return Overlay{maps.Clone(replace), name}, os.WriteFile(name, text, 0o666)
}

// KeptNames returns the Go names of groups that the checked-in clients of a configuration's outputs determine, and diagnostics
// about their packages. A configuration that generate would not accept yet keeps none.
func KeptNames(ctx context.Context, front run.Front, dir, text string) (kept []map[string]any, found diag.List) {
	all, err := front.Parse(false, run.ConfigFile{Name: filepath.Join(dir, option.FileName), Text: []byte(text)})
	if err != nil {
		return nil, nil
	}
	kept = make([]map[string]any, len(all))
	for i, opts := range all {
		api, diags, err := front.Read(ctx, opts)
		found = append(found, diags...)
		if err == nil && len(api.Resolved.KeptGoNames) > 0 {
			kept[i] = map[string]any{option.GroupGoNamesKey: api.Resolved.KeptGoNames}
		}
	}
	return kept, found
}
