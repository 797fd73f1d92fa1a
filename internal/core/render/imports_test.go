package render

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
)

const importsSource = `package v1

import (
	"context"
	json "encoding/json"
	"unused"

	fleetv1 "example.com/apis/fleet/v1"
	fleetv1ac "example.com/client/applyconfiguration/fleet/v1"
	metav1beta1 "k8s.io/meta/v1beta1"
	"k8s.io/api-machinery/wait_for.it"
	own "example.com/API"
	"example.com/shadowed"
	robots "example.com/robots"
	kept "example.com/kept/v1"
	"example.com/string"
	_ "example.com/effect"
)

// fleetv1.Robot is in a comment.
func f(ctx context.Context, r fleetv1.Robot, a *fleetv1ac.Robot) (shadowed T) {
	x.fleetv1.y = "fleetv1.Robot" /* fleetv1. ' */
	wait_for.it(metav1beta1.T, own.T, shadowed.T, robots.T, kept.T{json: 1}, string.T{}, fleetv1.Z...)
}
`

const importsWant = `package v1

import (
	context "context"

	fleetv1 "example.com/apis/fleet/v1"
	applyconfigurationfleetv1 "example.com/client/applyconfiguration/fleet/v1"
	v1beta1 "k8s.io/meta/v1beta1"
	own "example.com/API"
	shadowed "example.com/shadowed"
	examplecomrobots "example.com/robots"
	kept "example.com/kept/v1"
	examplecomstring "example.com/string"
	_ "example.com/effect"
)

// fleetv1.Robot is in a comment.
func f(ctx context.Context, r fleetv1.Robot, a *applyconfigurationfleetv1.Robot) (shadowed T) {
	x.fleetv1.y = "fleetv1.Robot" /* fleetv1. ' */
	wait_for.it(v1beta1.T, own.T, shadowed.T, examplecomrobots.T, kept.T{json: 1}, examplecomstring.T{}, fleetv1.Z...)
}
`

// TestNames checks the names of imports against those that code-generator would choose, and where Go does not allow them.
func TestNames(t *testing.T) {
	names := &Names{Keep: []string{"example.com/kept/v1"}, Taken: []string{"robots"}}
	assert.Equal(t, importsWant, string(withNames(new(bytes.Buffer), []byte(importsSource), 0, names)))
	again := importsWant
	for range 2 {
		assert.Equal(t, again, string(withNames(new(bytes.Buffer), []byte(again), 0, names)), "stable")
	}

	const unused = "package p\n\nimport (\n\t\"unused\"\n)\n\ntype T struct{}\n"
	assert.Equal(t, "package p\n\n\ntype T struct{}\n", string(withNames(new(bytes.Buffer), []byte(unused), 0, &Names{})))
	for _, unchanged := range []string{
		"package p\n", "package p\n\nimport (\n\t\"a\"\n", "package p\n\nimport (\n\t\"a\"\n)\n\nvar x = a.B(\n", "package p\n\nimport (\n)\n\nvar x = a.B\n",
	} {
		assert.Equal(t, unchanged, string(withNames(new(bytes.Buffer), []byte(unchanged), 0, &Names{})))
	}
}
