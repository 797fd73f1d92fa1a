package diag

import (
	"errors"
	"go/token"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
)

func at(file string, line int) token.Position {
	return token.Position{Filename: file, Line: line, Column: 1}
}

func TestString(t *testing.T) {
	assert.Equal(t, "a.go:3:1: wrong\n\tdo this", Diagnostic{Pos: at("a.go", 3), Message: "wrong", Hint: "do this"}.String())
	assert.Equal(t, "a.go: wrong", Diagnostic{Pos: token.Position{Filename: "a.go"}, Message: "wrong"}.String())
	assert.Equal(t, "wrong", Diagnostic{Message: "wrong"}.String())
	assert.Equal(t, "a.go:3:1: warning: odd", Diagnostic{Warning: true, Pos: at("a.go", 3), Message: "odd"}.String())
}

func TestCause(t *testing.T) {
	cause := errors.New("not declared")
	var l List
	l.Add(at("a.go", 1), "type T: %w", cause)
	l.Warn(at("a.go", 2), "do this", "type T: %w", cause)
	l.AddHint(at("a.go", 3), "do this", "type T: %v", cause)
	for _, d := range l {
		assert.Equal(t, "type T: not declared", d.Message)
	}
	assert.Equal(t, []error{cause, cause, nil}, []error{l[0].Cause, l[1].Cause, l[2].Cause})
	assert.True(t, l[1].Warning)
}

func TestSorted(t *testing.T) {
	dir := t.TempDir()
	var l List
	l.Add(at(filepath.Join(dir, "b.go"), 1), "second file")
	l.Add(at(filepath.Join(dir, "a.go"), 10), "tenth line")
	l.Add(at(filepath.Join(dir, "a.go"), 9), "%s line", "ninth")
	l.Add(at(filepath.Join(dir, "a.go"), 9), "ninth line")
	assert.Equal(t, "a.go:9:1: ninth line\na.go:10:1: tenth line\nb.go:1:1: second file", l.Sorted(dir).Error())
	assert.Len(t, l, 4, "the list itself stays as it is")
}

func TestErr(t *testing.T) {
	assert.NoError(t, List(nil).Err())
	assert.Error(t, List{{Message: "wrong"}}.Err())
	var l List
	l.Warn(at("a.go", 1), "do this", "odd")
	assert.NoError(t, l.Err())
	assert.Error(t, l.AsErrors().Err())
	assert.Equal(t, l, l.AsErrors().AsWarnings())
	l.Add(at("a.go", 2), "wrong")
	assert.EqualError(t, l.Err(), "a.go:1:1: warning: odd\n\tdo this\na.go:2:1: wrong")
}
