package tools

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/script/shell"
)

func TestName(t *testing.T) {
	for text, want := range map[string]string{
		"client-gen":                      "client-gen",
		`"${GOPATH}/bin/client-gen"`:      "client-gen",
		`"${PKG}"/generate-groups.sh`:     "generate-groups.sh",
		"k8s.io/x/cmd/lister-gen@v0.27.0": "lister-gen",
		"${INFORMER_GEN}":                 "informer-gen",
		`"$deepcopygen"`:                  "deepcopy-gen",
		"bin/client-gen-v0.37.2":          "client-gen",
		"bin/linux/client-gen${EXE}":      "client-gen",
		"bin/client-gen_$VERSION":         "client-gen",
		"client-gen-docs":                 "client-gen-docs",
		"$gen":                            "$gen",
	} {
		assert.Equal(t, want, Of(generators.All).Name(shell.Argument{Text: text}), text)
	}
}

func TestUnwrap(t *testing.T) {
	for line, want := range map[string]string{
		"client-gen -n x":                          "client-gen -n x",
		"go run k8s.io/x/cmd/client-gen -n x":      "k8s.io/x/cmd/client-gen -n x",
		"go run -mod=mod ./cmd/client-gen":         "./cmd/client-gen",
		"go tool client-gen":                       "client-gen",
		"bash -x generate-groups.sh all":           "generate-groups.sh all",
		"env GOFLAGS=-mod=mod go run ./lister-gen": "./lister-gen",
		"go build ./...":                           "go build ./...",
		"exec":                                     "exec",
		"timeout 10m nohup client-gen -n 1":        "client-gen -n 1",
	} {
		var args []shell.Argument
		for word := range strings.FieldsSeq(line) {
			args = append(args, shell.Argument{Text: word})
		}
		var got []string
		for _, arg := range Unwrap(args) {
			got = append(got, arg.Text)
		}
		assert.Equal(t, want, strings.Join(got, " "), line)
	}
}
