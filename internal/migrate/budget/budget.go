// Package budget limits the work of evaluating scripts, so that a hostile script cannot exhaust memory or run for hours. It
// counts operations instead of time, so that a script always fails at the same line. Scripts that call generators stay far below
// the limits.
package budget

import (
	"errors"
	"go/token"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
)

// Limits of single texts and of nesting. A value or an output past its limit counts as unknown. Scripts past any other limit are
// abandoned.
const (
	// File is the maximum size of a script, in bytes.
	File = 1 << 18
	// Value is the maximum size of a variable's value or of a command's output, in bytes.
	Value = 1 << 20
	// List is the maximum number of elements in an array.
	List = 1 << 14
	// Made is the maximum size of what one word, function or program produces, in bytes.
	Made = 1 << 24
	// Opened is the maximum number of words and signs in a script that can open a nested command. The parser recurses for each.
	Opened = 1 << 14

	// The following limits together bound the stack.

	// Nested is the maximum nesting of a script.
	Nested = 1 << 10
	// Files is the maximum depth of scripts that call each other.
	Files = 1 << 4
	// Functions is the maximum depth of functions that call each other.
	Functions = 1 << 6
	// References is the maximum depth of make variables and functions that refer to each other.
	References = 200
)

// Limits of a Budget, and the costs of steps.
const (
	steps = 1 << 18
	text  = 1 << 28

	// Reference is the cost of a make variable or function, in steps.
	Reference = 1
	// Command is the cost of a command.
	Command = 4
	// Program is the cost of a command whose output is computed.
	Program = 32
	// Search is the cost of a command that searches the repository, or of a generator call.
	Search = 256
)

// ErrTooLong is the reason why a growing value or output is unknown.
var ErrTooLong = errors.New("a text that is too long")

// Budget limits the work of following one file, including everything that it includes and calls. The zero value is unused.
type Budget struct {
	at          token.Position
	steps, text int
	err         diag.List
}

// At sets the position of the following work.
func (b *Budget) At(pos token.Position) { b.at = pos }

// Pos returns the current position.
func (b *Budget) Pos() token.Position { return b.at }

// Step counts steps and reports whether they are within the budget.
func (b *Budget) Step(n int) bool {
	if b.steps += min(n, steps+1); b.steps > steps {
		b.GiveUp("%d commands, or %d make references", steps/Command, steps/Reference)
	}
	return b.err == nil
}

// Text counts bytes that are read, produced or copied, and reports whether they are within the budget.
func (b *Budget) Text(n int) bool {
	if b.text += min(n, text+1); b.text > text {
		b.GiveUp("%d MiB of text", text>>20)
	}
	return b.err == nil
}

// Make is like Text, for the result of one word, function or program. It also reports false if that alone is too much.
func (b *Budget) Make(n int) bool { return n <= Made && b.Text(n) }

// GiveUp stops the work because of a limit. Only the first call counts.
func (b *Budget) GiveUp(limit string, args ...any) {
	if b.err == nil {
		b.err.AddHint(b.at, "write .informer-gen.yaml by hand", "stopped reading this script: it exceeds the limit of "+limit, args...)
	}
}

// Used returns the used share of the budget, from 0 to 1.
func (b *Budget) Used() float64 {
	return max(float64(b.steps)/steps, float64(b.text)/text)
}

// Err returns the limit that was exceeded, with its position, as a diag.List; nil if none was.
func (b *Budget) Err() error {
	if b.err == nil {
		return nil
	}
	return b.err
}
