package splice

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestText(t *testing.T) {
	const want = "# Title\n\n<!-- other -->\nother\n<!-- /other -->\n<!-- a b -->\nnew\n<!-- /a b -->\n\nend\n"
	got, err := Text("# Title\n\n<!-- other -->\nother\n<!-- /other -->\n<!-- a b -->\nold\n\nolder\n<!-- /a b -->\n\nend\n", "a b", "\nnew\n\n")
	require.NoError(t, err)
	assert.Equal(t, want, got)
	again, err := Text(want, "a b", "new")
	require.NoError(t, err)
	assert.Equal(t, want, again)
	for _, document := range []string{"", "<!-- a b -->\n", "<!-- /a b -->\n<!-- a b -->\n", "<!-- b -->\n<!-- /b -->\n"} {
		_, err := Text(document, "a b", "new")
		assert.EqualError(t, err, "no <!-- a b --> … <!-- /a b -->", "%q", document)
	}
}

func TestFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "README.md")
	_, err := File(name, "t", "new")
	require.ErrorIs(t, err, os.ErrNotExist)
	require.NoError(t, os.WriteFile(name, []byte("<!-- t -->\n<!-- /t -->\n"), 0o600))
	got, err := File(name, "t", "new")
	require.NoError(t, err)
	assert.Equal(t, "<!-- t -->\nnew\n<!-- /t -->\n", got)
	_, err = File(name, "u", "new")
	assert.EqualError(t, err, name+": no <!-- u --> … <!-- /u -->")
}
