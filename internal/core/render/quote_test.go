package render

import (
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var nasty = []string{"", "plain", "`", "a`b``c", `"`, `\`, "\n", "a\nb\n", "\r\n", "\x00", "\ufeff", "\u2028", "\xff", "{{.}}", "*/", "`+panic(1)+`", strings.Repeat("long", 16<<10)}

// valueOf returns the value of a constant expression.
func valueOf(t *testing.T, expr string) string {
	t.Helper()
	value, err := types.Eval(token.NewFileSet(), nil, token.NoPos, expr)
	require.NoError(t, err, expr)
	return constant.StringVal(value.Value)
}

func TestQuoting(t *testing.T) {
	for _, s := range nasty {
		assert.Equal(t, s, valueOf(t, raw(s)))
		assert.Equal(t, s, valueOf(t, text(s)))
		literal := tag("json", s+",omitempty")
		unquoted, err := strconv.Unquote(literal)
		require.NoError(t, err, "a tag is one literal")
		assert.Equal(t, s+",omitempty", reflect.StructTag(unquoted).Get("json"))
	}
	assert.Equal(t, "`json:\"name,omitempty\"`", tag("json", "name,omitempty"))
	assert.Equal(t, "`types:\n- name: x\n`", text("types:\n- name: x\n"))
	assert.Equal(t, "`default: ` + \"`\" + `x` + \"`\" + `\n`", text("default: `x`\n"))
}
