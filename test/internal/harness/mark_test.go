package harness

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSplice(t *testing.T) {
	const want = "# Title\n\n<!-- other -->\nother\n<!-- /other -->\n<!-- a b -->\nnew\n<!-- /a b -->\n\nend\n"
	mark := Mark("a b")
	const document = "# Title\n\n<!-- other -->\nother\n<!-- /other -->\n<!-- a b -->\nold\n\nolder\n<!-- /a b -->\n\nend\n"
	got, err := mark.Splice(document, "\nnew\n\n")
	require.NoError(t, err)
	assert.Equal(t, want, got)
	again, err := mark.Splice(want, "new")
	require.NoError(t, err)
	assert.Equal(t, want, again)
	for _, document := range []string{"", "<!-- a b -->\n", "<!-- /a b -->\n<!-- a b -->\n", "<!-- b -->\n<!-- /b -->\n"} {
		_, err := mark.Splice(document, "new")
		assert.EqualError(t, err, "no <!-- a b --> … <!-- /a b -->", "%q", document)
	}
}

func TestInFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "README.md")
	_, err := Mark("t").InFile(name, "new")
	require.ErrorIs(t, err, os.ErrNotExist)
	require.NoError(t, os.WriteFile(name, []byte("<!-- t -->\n<!-- /t -->\n"), 0o600))
	got, err := Mark("t").InFile(name, "new")
	require.NoError(t, err)
	assert.Equal(t, "<!-- t -->\nnew\n<!-- /t -->\n", got)
	_, err = Mark("u").InFile(name, "new")
	assert.EqualError(t, err, name+": no <!-- u --> … <!-- /u -->")
}
