package snapshot

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestAfter writes a file, removes another, and does one more thing that nobody was told of.
func TestAfter(t *testing.T) {
	const unnoticed, refused, noticedLater = "unnoticed", "refused", "noticed later"
	for what, test := range map[string]struct {
		more func(dir string) error
		want string
		// aged has files that have been there for long.
		aged bool
	}{
		"nothing": {more: func(string) error { return nil }, want: unnoticed},
		"a file in a directory of written ones": {
			func(dir string) error { return os.WriteFile(filepath.Join(dir, "new", "foreign"), nil, 0o666) }, refused, false,
		},
		"an edit": {
			func(dir string) error { return os.WriteFile(filepath.Join(dir, "kept"), []byte("edited"), 0o666) }, refused, false,
		},
		"an edit of an old file": {
			func(dir string) error { return os.WriteFile(filepath.Join(dir, "kept"), []byte("edited"), 0o666) }, noticedLater, true,
		},
		"a removal":                {func(dir string) error { return os.Remove(filepath.Join(dir, "kept")) }, refused, false},
		"a removal of an old file": {func(dir string) error { return os.Remove(filepath.Join(dir, "kept")) }, noticedLater, true},
		"a directory": {
			func(dir string) error { return os.Mkdir(filepath.Join(dir, "empty"), 0o777) }, refused, false,
		},
		"a file elsewhere": {
			func(dir string) error { return os.WriteFile(filepath.Join(dir, "else", "foreign"), nil, 0o666) }, refused, false,
		},
		"a file elsewhere that is gone": {
			func(dir string) error {
				name := filepath.Join(dir, "else", "foreign")
				return errors.Join(os.WriteFile(name, nil, 0o666), os.Remove(name))
			}, refused, false,
		},
		"a mode":                   {func(dir string) error { return os.Chmod(dir, 0o700) }, refused, false},
		"the written file removed": {func(dir string) error { return os.Remove(filepath.Join(dir, "new", "written")) }, refused, false},
		"the removed file written": {
			func(dir string) error { return os.WriteFile(filepath.Join(dir, "old", "removed"), nil, 0o666) }, refused, false,
		},
		"another content of the written file": {
			func(dir string) error {
				return os.WriteFile(filepath.Join(dir, "new", "written"), []byte("as edited"), 0o666)
			}, noticedLater, false,
		},
	} {
		t.Run(what, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.Chmod(dir, 0o755))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "kept"), []byte("kept"), 0o666))
			require.NoError(t, os.Mkdir(filepath.Join(dir, "old"), 0o777))
			removed, written := filepath.Join(dir, "old", "removed"), filepath.Join(dir, "new", "written")
			require.NoError(t, os.WriteFile(removed, nil, 0o666))
			require.NoError(t, os.Mkdir(filepath.Join(dir, "else"), 0o777))
			before, err := Take([]string{dir}, nil, nil)
			require.NoError(t, err)
			if test.aged {
				before = before.aged()
			}
			awaitTick(t, t.TempDir())

			require.NoError(t, os.Remove(removed))
			require.NoError(t, os.Mkdir(filepath.Dir(written), 0o777))
			require.NoError(t, os.WriteFile(written, []byte("generated"), 0o666))
			require.NoError(t, test.more(dir))
			after, err := before.After(map[string]Sum{written: SumOf([]byte("generated"))}, []string{removed})
			got := unnoticed
			if err != nil {
				require.ErrorIs(t, err, ErrUnsupported)
				got = refused
			} else if now, err := Take([]string{dir}, nil, nil); assert.NoError(t, err) {
				if _, unchanged := now.Unchanged(after); !unchanged {
					got = noticedLater
				}
			}
			assert.Equal(t, test.want, got)
		})
	}
}

// TestUndoneChanges changes files before the end of a run, and undoes the changes after it.
func TestUndoneChanges(t *testing.T) {
	write := func(name, content string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
		require.NoError(t, os.WriteFile(name, []byte(content), 0o666))
	}
	link := func(name, target string) {
		_ = os.Remove(name)
		require.NoError(t, os.Symlink(target, name))
	}
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	write(in("root/f"), "before")
	write(in("v1/f"), "1")
	write(in("v2/f"), "2")
	link(in("current"), "v1")
	link(in("root/link"), filepath.Join("..", "current", "f"))
	for what, test := range map[string]struct{ change, undo func() }{
		"a young file":     {func() { write(in("root/f"), "during") }, func() { write(in("root/f"), "before") }},
		"a missing file":   {func() { write(in("single"), "during") }, func() { require.NoError(t, os.Remove(in("single"))) }},
		"a missing root":   {func() { write(in("missing/f"), "during") }, func() { require.NoError(t, os.RemoveAll(in("missing"))) }},
		"a link in a path": {func() { link(in("current"), "v2") }, func() { link(in("current"), "v1") }},
	} {
		take := func() *Snapshot {
			s, err := Take([]string{in("root"), in("missing")}, []string{in("single")}, nil)
			require.NoError(t, err)
			awaitTick(t, t.TempDir())
			return s
		}
		before := take()
		test.change()
		_, err := before.After(nil, nil)
		assert.ErrorIs(t, err, ErrUnsupported, what)
		test.undo()
		_, unchanged := take().Unchanged(before)
		assert.True(t, unchanged, "%s: the next snapshot does not show the change", what)
	}
}
