package script

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestDirectives(t *testing.T) {
	assert.Equal(t, []directive{
		{3, "gen a", "fleet"},
		{5, "go run ./cmd/gen -x b", "fleet"},
		{6, "other c", "fleet"},
		{8, "bash gen.sh d  e", "fleet"},
		{10, "gen", "fleet"},
	}, directives([]byte(`package fleet // of robots

//go:generate gen a
//go:generate -command gen go run ./cmd/gen -x
//go:generate gen b
//go:generate other c
//go:generate	-command	gen	bash gen.sh
//go:generate	gen	d  e
//go:generate -command gen gen
//go:generate gen
// go:generate gen f
//go:generated gen g
`)))
}
