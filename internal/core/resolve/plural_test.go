package resolve

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/gengo/v2/namer"
	"k8s.io/gengo/v2/types"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
)

// TestPluralsThatDiffer lists built-in kinds, and words that are likely as kinds, whose resource in clients of code-generator differs from
// that in CustomResourceDefinitions of controller-gen. A change of either library is a change for users.
func TestPluralsThatDiffer(t *testing.T) {
	text, err := os.ReadFile("testdata/plurals.txt")
	require.NoError(t, err)
	words := 0
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Fields(line)
		require.Len(t, fields, 3)
		byGenerator := namer.NewAllLowercasePluralNamer(nil).Name(&types.Type{Name: types.Name{Name: fields[0]}})
		plurals := []string{byGenerator, marker.DefaultResource(fields[0])}
		assert.Equal(t, fields[1:], plurals, fields[0])
		words++
	}
	assert.Equal(t, 74, words)
}
