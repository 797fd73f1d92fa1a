package caches

import (
	"testing"

	"github.com/stretchr/testify/assert"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
)

func TestRepeated(t *testing.T) {
	version := func(version string) *fleetv1.Workload {
		return &fleetv1.Workload{ObjectMeta: metav1.ObjectMeta{ResourceVersion: version}}
	}
	same := version("")
	assert.True(t, repeated(same, same))
	assert.True(t, repeated(version("7"), version("7")))
	assert.False(t, repeated(version("7"), version("8")))
	assert.False(t, repeated(version(""), version("")), "versions of fake clientsets are empty")
	assert.False(t, repeated(version(""), version("7")))
}
