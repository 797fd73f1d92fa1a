// Package diag holds problems of a user's input: a position, a message, a hint, and whether it is an error or a warning.
//
// Stages collect diagnostics instead of returning the first error, so that a run reports all problems at once. This is the only
// package that formats positions.
package diag

import (
	"cmp"
	"errors"
	"fmt"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
)

// Diagnostic is one problem of the input.
type Diagnostic struct {
	// Warning is true if the problem is harmless: the output is correct.
	Warning bool
	// Pos may lack a line, or be empty, if the problem does not belong to a line of a file (a flag, a package pattern).
	Pos     token.Position
	Message string
	// Hint suggests a fix, if there is one.
	Hint string
	Trap string // the name of the trap, for warnings of package traps
	// Cause is the error that Message describes, for errors.Is and errors.As; nil for most problems. It is not printed.
	Cause error
}

// String formats the diagnostic as file:line:col: message, followed by an indented line with the hint. Messages of warnings begin
// with "warning".
func (d Diagnostic) String() string {
	text := d.Message
	if d.Warning {
		text = "warning: " + text
	}
	if d.Pos.Filename != "" {
		text = d.Pos.String() + ": " + text
	}
	if d.Hint != "" {
		text += "\n\t" + d.Hint
	}
	return text
}

// List collects the diagnostics of a run. The zero value is an empty list.
type List []Diagnostic

// Add appends a problem without a hint. As in fmt.Errorf, the operand of %w becomes the cause.
func (l *List) Add(pos token.Position, format string, args ...any) {
	l.AddHint(pos, "", format, args...)
}

// AddHint appends a problem with a hint on how to fix it.
func (l *List) AddHint(pos token.Position, hint, format string, args ...any) {
	err := fmt.Errorf(format, args...)
	*l = append(*l, Diagnostic{Pos: pos, Message: err.Error(), Hint: hint, Cause: errors.Unwrap(err)})
}

// Warn appends a warning; hint may be empty.
func (l *List) Warn(pos token.Position, hint, format string, args ...any) {
	l.AddHint(pos, hint, format, args...)
	(*l)[len(*l)-1].Warning = true
}

// Failed reports whether the list has an error.
func (l List) Failed() bool {
	return slices.ContainsFunc(l, func(d Diagnostic) bool { return !d.Warning })
}

// AsWarnings returns the list with all errors turned into warnings.
func (l List) AsWarnings() List { return l.with(true) }

// AsErrors returns the list with all warnings turned into errors.
func (l List) AsErrors() List { return l.with(false) }

func (l List) with(warning bool) List {
	out := slices.Clone(l)
	for i := range out {
		out[i].Warning = warning
	}
	return out
}

// Sorted returns the list by file, line, column and message, without duplicates. File names are relative to dir if that is shorter; in
// hints, values of flags are if they are below dir.
func (l List) Sorted(dir string) List {
	out := slices.Clone(l)
	for i := range out {
		out[i].Pos.Filename = Relative(dir, out[i].Pos.Filename)
		if below := dir + string(filepath.Separator); filepath.IsAbs(dir) {
			out[i].Hint = strings.NewReplacer("="+below, "=", ","+below, ",").Replace(out[i].Hint)
		}
	}
	compare := func(a, b Diagnostic) int {
		return cmp.Or(
			cmp.Compare(a.Pos.Filename, b.Pos.Filename),
			cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Column, b.Pos.Column),
			cmp.Compare(a.Message, b.Message),
		)
	}
	slices.SortFunc(out, compare)
	return slices.CompactFunc(out, func(a, b Diagnostic) bool { return compare(a, b) == 0 })
}

// First returns the first error with a position, if there is one, of a list that is not empty.
func (l List) First(dir string) Diagnostic {
	sorted := l.Sorted(dir)
	return sorted[max(0, slices.IndexFunc(sorted, func(d Diagnostic) bool { return !d.Warning && d.Pos.IsValid() }))]
}

// Relative returns name relative to dir if it is below dir or not far from it, else name itself.
func Relative(dir, name string) string {
	if dir == "" || !filepath.IsAbs(name) {
		return name
	}
	rel, err := filepath.Rel(dir, name)
	if err != nil || len(rel) > len(name) {
		return name
	}
	return rel
}

// Absolute returns a name that may be relative to dir, with slashes or the separators of the system, as a clean absolute name.
func Absolute(dir, name string) string {
	if name = filepath.FromSlash(name); filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, name)
}

// Err returns the list as an error, or nil if it has no error. Warnings are included, since one edit may fix both.
func (l List) Err() error {
	if !l.Failed() {
		return nil
	}
	return l
}

// Error returns the formatted diagnostics, one after the other.
func (l List) Error() string {
	return strings.Join(lists.Map(l, Diagnostic.String), "\n")
}

// ParsePosition reads file:line:column as far as possible.
func ParsePosition(text string) token.Position {
	pos := token.Position{Filename: text}
	for _, field := range []*int{&pos.Column, &pos.Line} {
		i := strings.LastIndex(pos.Filename, ":")
		n, err := strconv.Atoi(pos.Filename[i+1:])
		if i < 0 || err != nil {
			break
		}
		*field, pos.Filename = n, pos.Filename[:i]
	}
	return pos
}

// Line formats a position as file:line without directories, for use within a message about another position.
func Line(pos token.Position) string {
	pos.Column = 0
	pos.Filename = pos.Filename[strings.LastIndexAny(pos.Filename, `/\`)+1:]
	return pos.String()
}

// Count returns a number with its noun.
func Count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
