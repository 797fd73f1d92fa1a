package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRun(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), &out))
	assert.Equal(t, `create Workload web
  the controller has created Deployment web with image web:1
update a copy that is older than the controller's update of the status
  the fake answers: Operation cannot be fulfilled on workloads.fleet.example.com "web": the object has been modified; please apply your changes to the latest version and try again
update a fresh copy
  the controller has recorded revision 2
`, out.String())
}
