package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/examples/site/generated/clientset/versioned/fake"
)

func TestRun(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), fake.NewStrictClientset(), &out))
	assert.Equal(t, "web runs web:1 with 3 replicas\n", out.String())
}
