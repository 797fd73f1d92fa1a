package main

import (
	"context"
	"errors"
	"fmt"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/exp/apidiff"
	"golang.org/x/mod/semver"
	"golang.org/x/tools/go/packages"
)

// compareAPI compares the exported Go API with the last release. Incompatible changes are in the notes of a release that may have them,
// and errors in others.
func (r *release) compareAPI(ctx context.Context) error {
	last := r.last(r.version)
	if last == "" {
		fmt.Fprintln(r.out, "    there is no tag to compare with")
		return nil
	}
	base := repository(filepath.Join(r.work, "base"))
	if err := r.checkout(ctx, r.tags[last], base); err != nil {
		return err
	}
	var changes []string
	for _, m := range r.modules {
		if _, existed := r.tags[m.tag(last)]; !existed {
			continue
		}
		before, err := m.api(ctx, base)
		if err != nil {
			return err
		}
		after, err := m.api(ctx, r.clone())
		if err != nil {
			return err
		}
		changes = append(changes, incompatible(before, after)...)
	}
	if len(changes) == 0 {
		return nil
	}
	if !mayBreak(last, r.version) {
		return fmt.Errorf("%s may not have incompatible changes since %s:\n\t%s", r.version, last, strings.Join(changes, "\n\t"))
	}
	r.notes += fmt.Sprintf("\nIncompatible changes of the Go API since %s:\n\n- %s\n", last, strings.Join(changes, "\n- "))
	return nil
}

// mayBreak reports whether a version may have incompatible changes since an earlier one.
func mayBreak(last, version string) bool {
	if semver.Major(version) == "v0" {
		return semver.MajorMinor(last) != semver.MajorMinor(version)
	}
	return semver.Major(last) != semver.Major(version)
}

// api returns the packages that users import from a module, by import path. Those of the root are one: the library for generators.
func (m *module) api(ctx context.Context, repository repository) (map[string]*types.Package, error) {
	pattern := "./..."
	if m.dir == "" {
		pattern = "."
	}
	loaded, err := packages.Load(&packages.Config{
		Context: ctx, Mode: packages.LoadTypes | packages.NeedName,
		Dir: filepath.Join(string(repository), m.dir), Env: append(os.Environ(), "GOWORK=off"),
	}, pattern)
	if err != nil {
		return nil, err
	}
	found := map[string]*types.Package{}
	var problems []error
	for _, p := range loaded {
		for _, problem := range p.Errors {
			problems = append(problems, problem)
		}
		if p.Name != "main" && !slices.Contains(strings.Split(p.PkgPath, "/"), "internal") {
			found[p.PkgPath] = p.Types
		}
	}
	return found, errors.Join(problems...)
}

// incompatible returns the changes of packages that can break their users.
func incompatible(before, after map[string]*types.Package) (changes []string) {
	for _, path := range slices.Sorted(maps.Keys(before)) {
		now, exists := after[path]
		if !exists {
			changes = append(changes, path+": removed")
			continue
		}
		for _, change := range apidiff.Changes(before[path], now).Changes {
			if !change.Compatible {
				changes = append(changes, path+": "+change.Message)
			}
		}
	}
	return changes
}
