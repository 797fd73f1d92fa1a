package attack

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// memoryLimit is the maximum memory of a run, in megabytes.
const memoryLimit = 4096

// grow measures runs with half the size and with the full size. CPU time may grow linearly, but not quadratically: the limit is a
// factor of three, plus the half second that any run may need.
func grow(t *testing.T, size int, unit string, layOut func(t *testing.T, n int) string, args ...string) {
	t.Helper()
	half := succeed(t, layOut(t, size/2), args...)
	dir := layOut(t, size)
	whole := succeed(t, dir, args...)
	again := succeed(t, dir, args...)
	for _, measured := range []struct {
		what string
		outcome
	}{{fmt.Sprint(size/2, " ", unit), half}, {fmt.Sprint(size, " ", unit), whole}, {"the same again", again}} {
		t.Logf("%s: %s", measured.what, measured.outcome)
		assert.Less(t, measured.megabytes, int64(memoryLimit), measured.what)
	}
	assert.Less(t, whole.cpu.Seconds(), 0.5+3*half.cpu.Seconds(), "processor time grows faster than the size")
	assert.Contains(t, again.out, "0 files written")
}

// TestManyTypes generates for one package in which one of a thousand types is a kind. The kinds reach all types.
func TestManyTypes(t *testing.T) {
	grow(t, *manyTypes, "types", func(t *testing.T, n int) string {
		var b strings.Builder
		fmt.Fprintf(&b, packageHeader, "many", "v1")
		for i := range max(1, n/1000) {
			name := fmt.Sprintf("Kind%d", i)
			b.WriteString(strings.ReplaceAll(kind(name), "Arms []string", fmt.Sprintf("Arms []Type%d", 1000*i)))
		}
		for i := range n {
			fmt.Fprintf(&b, "\n// Type%[1]d is one of many.\ntype Type%[1]d struct {\n\tName string `json:\"name\"`\n\tValues map[string]*int32 `json:\"values,omitempty\"`\n", i)
			if i%1000 < 999 && i+1 < n {
				fmt.Fprintf(&b, "\tNext *Type%d `json:\"next,omitempty\"`\n", i+1)
			}
			b.WriteString("}\n")
		}
		return newModule(t, map[string]string{"many/v1/types.go": b.String()})
	})
}

// TestManyPackages generates for packages with a kind each.
func TestManyPackages(t *testing.T) {
	grow(t, *packages, "packages", func(t *testing.T, n int) string {
		files := map[string]string{}
		for i := range n {
			group := fmt.Sprintf("group%d", i)
			files[group+"/v1/types.go"] = api(group, "Robot")
		}
		return newModule(t, files)
	})
}

const levels = 500

// TestNesting generates for types that are nested in every way that Go supports.
func TestNesting(t *testing.T) {
	chain := func(format string) string {
		var b strings.Builder
		for i := range levels {
			fmt.Fprintf(&b, "\ntype Level%[1]d struct {\n\t"+format+"\n}\n", i, i+1)
		}
		return b.String() + fmt.Sprintf("\ntype Level%d struct{}\n", levels)
	}
	for name, test := range map[string]struct{ field, more string }{
		"slices":            {strings.Repeat("[]", levels) + "string", ""},
		"pointers":          {strings.Repeat("*", levels) + "string", ""},
		"maps":              {strings.Repeat("map[string]", levels) + "string", ""},
		"arrays":            {strings.Repeat("[1]", levels) + "*string", ""},
		"parentheses":       {strings.Repeat("(", levels) + "string" + strings.Repeat(")", levels), ""},
		"structs":           {strings.Repeat("struct { A ", levels) + "*string" + strings.Repeat(" `json:\"a\"` }", levels), ""},
		"functions":         {strings.Repeat("func(", levels) + strings.Repeat(")", levels), ""},
		"named structs":     {"Level0", chain("Next Level%[2]d `json:\"next\"`")},
		"embedded structs":  {"Level0", chain("Level%[2]d `json:\",inline\"`")},
		"embedded pointers": {"Level0", chain("*Level%[2]d `json:\",inline\"`")},
	} {
		t.Run(name, func(t *testing.T) {
			src := strings.Replace(api("deep", "Robot"), "Arms []string", "Arms "+test.field, 1) + test.more
			o := run(t, newModule(t, map[string]string{"deep/v1/types.go": src}))
			t.Log(o)
			if o.code != 0 {
				t.Log(tail(o.out))
				require.Contains(t, o.out, filepath.FromSlash("deep/v1/types.go:"), "a position")
			}
			assert.Less(t, o.megabytes, int64(memoryLimit))
		})
	}
}

// TestLongComments generates for types with long comments of each kind.
func TestLongComments(t *testing.T) {
	size := min(*megabytes, 5) << 20
	for name, comment := range map[string]func(n int) string{
		"one line":    func(n int) string { return "// " + strings.Repeat("x", n) + "\n" },
		"words":       func(n int) string { return "// " + strings.Repeat("word ", n/5) + "\n" },
		"lines":       func(n int) string { return strings.Repeat("// a line of text\n", n/18) },
		"empty lines": func(n int) string { return strings.Repeat("//\n", n/3) },
		"block":       func(n int) string { return "/*\n" + strings.Repeat("a line\n", n/7) + "*/\n" },
		"a marker":    func(n int) string { return "// +default=\"" + strings.Repeat("x", n) + "\"\n" },
		"markers":     func(n int) string { return strings.Repeat("// +optional\n", n/13) },
		"braces":      func(n int) string { return "// +default=" + strings.Repeat("{", n) + "\n" },
		"indented":    func(n int) string { return strings.Repeat("//   - item\n", n/12) },
	} {
		t.Run(name, func(t *testing.T) {
			layOut := func(n int) string {
				src := strings.Replace(api("long", "Robot"), "// +genclient\n", comment(n)+"// +genclient\n", 1)
				src = strings.Replace(src, "\tArms", comment(n)+"\tArms", 1)
				return newModule(t, map[string]string{"long/v1/types.go": src})
			}
			half, whole := run(t, layOut(size/2)), run(t, layOut(size))
			t.Logf("%d KB: %s; %d KB: %s", size>>11, half, size>>10, whole)
			if whole.code != 0 {
				t.Log(tail(whole.out))
			}
			assert.Less(t, whole.megabytes, int64(memoryLimit))
			assert.Less(t, whole.cpu.Seconds(), 0.5+3*half.cpu.Seconds(), "processor time grows faster than the size")
		})
	}
}
