package option

import (
	"fmt"
	"path"
	"slices"
	"strings"

	modpath "golang.org/x/mod/module"
)

// Check returns the problems with values that their kinds do not allow. It cleans directories and import paths.
func (v *Values) Check() (problems FlagErrors) {
	for _, o := range Options {
		switch value := v.Of(o); o.Kind {
		case Choice:
			if value.String() != o.Default {
				problems.Add(checkOneOf(value.String(), o.Values), o.Flag)
			}
		case Choices:
			for _, element := range value.Interface().([]string) {
				problems.Add(checkOneOf(element, o.Values), o.Flag)
			}
		case ImportPath:
			value.SetString(strings.TrimSuffix(value.String(), "/"))
			problems.Add(checkImportPath(value.String()), o.Flag)
		case Folder:
			clean, err := cleanDir(value.String())
			value.SetString(clean)
			problems.Add(err, o.Flag)
		case String, Switch, Decision, Directory, File, Files, List, Generators:
		}
	}
	_, err := v.Allowed()
	problems.Add(err, AllowedChangesKey)
	return problems
}

// Allowed returns the reasons for allowed changes by change.
func (v *Values) Allowed() (map[string]string, error) {
	reasons := map[string]string{}
	for _, entry := range v.AllowedChanges {
		change, reason, _ := strings.Cut(entry, ":")
		if reason = strings.TrimSpace(reason); change == "" || reason == "" {
			return nil, fmt.Errorf("%q is not of the form change: reason", entry)
		}
		if _, again := reasons[change]; again {
			return nil, fmt.Errorf("%q is there twice", change)
		}
		reasons[change] = reason
	}
	return reasons, nil
}

// checkOneOf returns an error if a value is not one of the allowed values.
func checkOneOf(value string, allowed []string) error {
	if slices.Contains(allowed, value) {
		return nil
	}
	return fmt.Errorf("unknown value %q, must be one of %s", value, strings.Join(allowed, ", "))
}

// checkImportPath returns an error if a value cannot be an import path or part of one.
func checkImportPath(importPath string) error {
	if importPath == "" || importPath == "." {
		return nil
	}
	return modpath.CheckImportPath(importPath)
}

// cleanDir returns the slash-separated form of a directory below the output directory.
func cleanDir(dir string) (string, error) {
	clean := path.Clean(strings.ReplaceAll(dir, `\`, "/"))
	if dir == "" || path.IsAbs(clean) || strings.Contains(clean, ":") || clean == ".." || strings.HasPrefix(clean, "../") {
		return "", fmt.Errorf("%q is not a relative path inside the output directory", dir)
	}
	return clean, checkImportPath(clean)
}
