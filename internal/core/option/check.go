package option

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	modpath "golang.org/x/mod/module"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
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

// UsageError is a mistake on the command line, as opposed to a mistake in the files that it names.
type UsageError struct{ Err error }

func (e UsageError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e UsageError) Unwrap() error { return e.Err }

// FlagError is a problem with the value of a flag, or with a combination of flags.
type FlagError struct {
	// Flags are the names of the flags, without dashes.
	Flags []string
	Err   error
}

func (e *FlagError) Error() string { return e.Text("--") }

// Unwrap returns the error of the value.
func (e *FlagError) Unwrap() error { return e.Err }

// Text returns the problem with a prefix before the names: dashes on the command line, nothing in a file.
func (e *FlagError) Text(prefix string) string {
	separator := " "
	if len(e.Flags) == 1 {
		separator = ": "
	}
	return prefix + strings.Join(e.Flags, " and "+prefix) + separator + e.Err.Error()
}

// FlagErrors are all problems with a set of flags, in the order of the flags.
type FlagErrors []*FlagError

// Add records a problem if err is not nil.
func (e *FlagErrors) Add(err error, flags ...string) {
	if err != nil {
		*e = append(*e, &FlagError{Flags: flags, Err: err})
	}
}

// Sort sorts the problems by the order of their flags.
func (e FlagErrors) Sort() {
	row := func(problem *FlagError) int {
		return slices.IndexFunc(Options, func(o Option) bool { return o.Flag == problem.Flags[0] })
	}
	slices.SortStableFunc(e, func(a, b *FlagError) int { return cmp.Compare(row(a), row(b)) })
}

func (e FlagErrors) Error() string { return errors.Join(e.Unwrap()...).Error() }

// Unwrap returns the problems one by one.
func (e FlagErrors) Unwrap() []error { return lists.Map(e, func(err *FlagError) error { return err }) }
