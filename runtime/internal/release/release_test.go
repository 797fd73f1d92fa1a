package release

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"k8s.io/client-go/rest"
)

func TestIsSet(t *testing.T) {
	type embedded struct{ Drop bool }
	assert.True(t, isSet(&struct{ embedded }{embedded{true}}, "Drop"))
	assert.False(t, isSet(&struct{ embedded }{}, "Drop"))
	assert.False(t, isSet(&struct{}{}, "Drop"), "an earlier release")
	assert.False(t, DropsManagedFields(&rest.Config{}))
}
