package option

import (
	"cmp"
	"errors"
	"slices"
	"strings"
)

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
func (e FlagErrors) Unwrap() []error {
	errs := make([]error, len(e))
	for i, err := range e {
		errs[i] = err
	}
	return errs
}
