package handover

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/consistency"
)

// TestSize has versions of so many namespaces that the lease could not be renewed with them.
func TestSize(t *testing.T) {
	r := New()
	r.inherited = map[string]consistency.Versions{"web": {"configmaps/shop": "1"}}
	assert.JSONEq(t, `{"web": {"configmaps/shop": "1"}}`, r.written(nil))
	for n := range 5000 {
		r.inherited["web"][fmt.Sprintf("configmaps/namespace-%d", n)] = "1000000"
	}
	assert.JSONEq(t, `{}`, r.written(nil))
	assert.True(t, r.told)
}
