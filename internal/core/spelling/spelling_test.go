package spelling

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNearest(t *testing.T) {
	verbs := []string{"get", "list", "deleteCollection"}
	assert.Equal(t, "list", Nearest("lst", verbs))
	assert.Equal(t, "deleteCollection", Nearest("DeleteCollections", verbs))
	assert.Empty(t, Nearest("frobnicate", verbs))
}
