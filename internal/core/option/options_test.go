package option

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestOptionsAreComplete checks the rows of the table.
func TestOptionsAreComplete(t *testing.T) {
	fields := reflect.TypeFor[Values]()
	assert.Len(t, Options, fields.NumField(), "an option for each field of Values")
	flags, seen := map[string]bool{}, map[string]bool{}
	for _, o := range Options {
		field, ok := fields.FieldByName(o.Field)
		require.True(t, ok, "%s: no field %s", o.Flag, o.Field)
		assert.False(t, flags[o.Flag] || seen[o.Field], o.Flag)
		flags[o.Flag], seen[o.Field] = true, true
		assert.NotEmpty(t, o.Help, o.Flag)
		assert.NotContains(t, o.Help+o.Unset, "`", "%s: pflag takes text in backquotes for the name of the value", o.Flag)
		assert.True(t, o.Default == "" || o.Unset == "", "%s: either a default or what holds without one", o.Flag)
		want := reflect.String
		switch o.Kind {
		case Switch:
			want = reflect.Bool
		case Decision:
			want = reflect.Pointer
		case Choices, Files, List, Generators:
			want = reflect.Slice
		case String, ImportPath, Directory, File, Folder, Choice:
		}
		assert.Equal(t, want, field.Type.Kind(), o.Flag)
		assert.Equal(t, o.Kind == Choice || o.Kind == Choices, len(o.Values) > 0, o.Flag)
		assert.True(t, o.Kind == File || o.Extensions == nil, o.Flag)
	}
}
