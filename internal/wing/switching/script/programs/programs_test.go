package programs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/repository"
)

// TestOutput computes the output of programs in a module with two packages.
func TestOutput(t *testing.T) {
	root := filepath.Join(t.TempDir(), "m")
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n", "apis/v1/types.go": "package v1\n",
		"apis/v1beta1/types.go": "package v1beta1\n", "list.txt": "b 2\na 1\nb 2\n",
	} {
		name = filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
	}
	for _, test := range []struct{ line, stdin, want string }{
		{"basename a/b.go .go", "", "b\n"},
		{"dirname ./a/b a //x a/b//", "", "./a\n.\n/\na\n"},
		{"git rev-parse --show-toplevel", "", root + "\n"},
		{"go list -m", "", "example.com/m\n"},
		{"go list ./apis/...", "", "example.com/m/apis/v1\nexample.com/m/apis/v1beta1\n"},
		{"go list -f {{.Dir}} example.com/m/apis/v1", "", root + "/apis/v1\n"},
		{"go -C apis list -m -f {{.Dir}}", "", root + "\n"},
		{"ls -d apis nothing", "", "apis\n"},
		{"ls apis", "", "v1\nv1beta1\n"},
		{"ls -d apis/*/ other* [", "", "apis/v1\napis/v1beta1\n"},
		{"ls -d ./apis/v1*", "", "./apis/v1\n./apis/v1beta1\n"},
		{"uname", "", "Linux\n"},
		{"uname -sm", "", "Linux x86_64\n"},
		{"uname -o", "", "GNU/Linux\n"},
		{"arch", "", "x86_64\n"},
		{"go env GOOS GOARCH", "", "linux\namd64\n"},
		{"go env GOMOD", "", root + "/go.mod\n"},
		{"go tool -modfile=x.mod -n client-gen", "", "client-gen\n"},
		{"greadlink -f apis/../apis", "", root + "/apis\n"},
		{"grep -qi B", "a\nb\n", "b\n"},
		{"find apis -maxdepth 1 -name v1*", "", "apis/v1\napis/v1beta1\n"},
		{"find apis -type f -exec dirname {} ;", "", "apis/v1\napis/v1beta1\n"},
		{"find . -mindepth 2 -type d -printf %f", "", "v1\nv1beta1\n"},
		{"find . -type f -name *.go -not -path ./apis/v1/* -print0", "", "./apis/v1beta1/types.go\n"},
		{"find . -path ./apis/v1 -prune -o ( -name *.go -o -name *.txt ) -print", "", "./apis/v1beta1/types.go\n./list.txt\n"},
		{"find . ! -name *.go ! -type d -name l*", "", "./list.txt\n"},
		{"find apis -name v[!2] -type d", "", "apis/v1\n"},
		{"grep --color=never -l package\\s\\+v1$ apis/v1/types.go apis/v1beta1/types.go", "", "apis/v1/types.go\n"},
		{"grep -rl --include=*.go v1b apis", "", "apis/v1beta1/types.go\n"},
		{"grep -rh --exclude-dir=v1 package apis", "", "package v1beta1\n"},
		{"grep package apis/v1/types.go list.txt", "", "apis/v1/types.go:package v1\n"},
		{"grep +a?", "+a?\na\n", "+a?\n"},
		{"grep -w v1", "v1\nv1beta1\n", "v1\n"},
		{"cat list.txt", "", "b 2\na 1\nb 2\n"},
		{"sort -u list.txt", "", "a 1\nb 2\n"},
		{"uniq", "a\na\nb\n", "a\nb\n"},
		{"head -n 1", "a\nb\n", "a\n"},
		{"tail -1", "a\nb\n", "b\n"},
		{"tr [:lower:] [:upper:]", "a-b", "A-B"},
		{"tr - _", "a-b", "a_b"},
		{"cut -d: -f2", "a:b\n", "b\n"},
		{"grep -v b", "a\nb\n", "a\n"},
		{"grep -E ^(a|c)$", "a\nb\nc\n", "a\nc\n"},
		{"sed s/a/x/g", "aba\n", "xbx\n"},
		{"sed s|^a/||", "a/b\n", "b\n"},
		{"paste -sd,", "a\nb\n", "a,b\n"},
	} {
		got, ok := Output(repository.At(root), root, strings.Fields(test.line), func() string { return test.stdin })
		assert.True(t, ok, test.line)
		assert.Equal(t, test.want, got, test.line)
	}
	for _, line := range []string{"uname -a", "uname -r", "go env GOFLAGS", "go env", "go tool -n", "go tool x", "go", "gawk x", "date"} {
		_, ok := Output(repository.At(root), root, strings.Fields(line), nil)
		assert.False(t, ok, line)
	}
	got, ok := Output(repository.At(root), root, []string{"awk", "-F", ":", "{print $2}"}, func() string { return "a:b\n" })
	assert.True(t, ok)
	assert.Equal(t, "b\n", got)
}

// TestUnknown requests output that is only known at run time, or depends on other directories.
func TestUnknown(t *testing.T) {
	root := t.TempDir()
	for _, line := range []string{
		"date", "git status", "go version", "go list ./nothing/...", "go list -m k8s.io/code-generator", "cat nothing", "cat /dev/zero",
		"find / -name x", "find . -newer x", "sed -i s/a/b/ x", "grep -c x", "grep --count x", "find . ( -name x", "find . -regex x", "awk BEGIN", "tr a-c x", "head -c 3",
	} {
		_, ok := Output(repository.At(root), root, strings.Fields(line), func() string { return "" })
		assert.False(t, ok, line)
	}
}

func TestIsHost(t *testing.T) {
	for text, want := range map[string]bool{
		"Linux": true, "linux": true, "linux-gnu": true, "GNU/Linux": true, "x86_64": true, "linux/amd64": true, "Linux-x86_64": true,
		"Linux x86_64": true, "": false, "-": false, "Darwin": false, "darwin/amd64": false, "linuxkit": false, "amd64v2": false,
	} {
		assert.Equal(t, want, IsHost(text), text)
	}
}

func TestInstalled(t *testing.T) {
	for program, want := range map[string][2]bool{
		"sed": {true, true}, "/usr/bin/readlink": {true, true}, "gsed": {false, true}, "greadlink": {false, true}, "brew": {false, true},
		"client-gen": {true, false}, "git": {true, true}, "gawk": {true, false},
	} {
		installed, known := Installed(program)
		assert.Equal(t, want, [2]bool{installed, known}, program)
	}
}
