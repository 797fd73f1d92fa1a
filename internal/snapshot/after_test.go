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
	}{
		"nothing": {func(string) error { return nil }, unnoticed},
		"a file in a directory of written ones": {
			func(dir string) error { return os.WriteFile(filepath.Join(dir, "new", "foreign"), nil, 0o666) }, refused,
		},
		"an edit": {
			func(dir string) error { return os.WriteFile(filepath.Join(dir, "kept"), []byte("edited"), 0o666) }, noticedLater,
		},
		"a removal": {func(dir string) error { return os.Remove(filepath.Join(dir, "kept")) }, noticedLater},
		"a directory": {
			func(dir string) error { return os.Mkdir(filepath.Join(dir, "empty"), 0o777) }, refused,
		},
		"a file elsewhere": {
			func(dir string) error { return os.WriteFile(filepath.Join(dir, "else", "foreign"), nil, 0o666) }, refused,
		},
		"a file elsewhere that is gone": {
			func(dir string) error {
				name := filepath.Join(dir, "else", "foreign")
				return errors.Join(os.WriteFile(name, nil, 0o666), os.Remove(name))
			}, refused,
		},
		"a mode":                   {func(dir string) error { return os.Chmod(dir, 0o700) }, refused},
		"the written file removed": {func(dir string) error { return os.Remove(filepath.Join(dir, "new", "written")) }, refused},
		"the removed file written": {
			func(dir string) error { return os.WriteFile(filepath.Join(dir, "old", "removed"), nil, 0o666) }, refused,
		},
		"another content of the written file": {
			func(dir string) error {
				return os.WriteFile(filepath.Join(dir, "new", "written"), []byte("as edited"), 0o666)
			}, noticedLater,
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
