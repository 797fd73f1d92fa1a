package apiserver

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"k8s.io/kube-openapi/pkg/cached"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

func TestSetSpec(t *testing.T) {
	var now *spec.Swagger
	setSpec(&now)
	assert.NotNil(t, now)
	var later cached.Value[*spec.Swagger]
	setSpec(&later)
	assert.NotNil(t, later)
}
