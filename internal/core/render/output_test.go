package render

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestUnformatted(t *testing.T) {
	for typ, want := range map[string]bool{
		"": false, "int": false, "map[string][]*v1.Part": false, "[]struct{}": false, "interface{}": false, "func(int, string) error": false,
		"[]struct{A int}": true, "Box[int,string]": true, "interface{F()}": true,
	} {
		assert.Equal(t, want, Unformatted(typ), typ)
	}
}
