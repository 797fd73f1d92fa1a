package script

import (
	"go/token"
	"os"
	"path/filepath"
	"strconv"

	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/script/programs"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/script/shell"
)

// goFile follows the go:generate directives of a Go file.
func (t *translator) goFile(name string, text []byte) error {
	for _, d := range directives(text) {
		vars := map[string]string{
			"GOFILE": filepath.Base(name), "GOPACKAGE": d.pkg, "GOLINE": strconv.Itoa(d.line), "DOLLAR": "$",
			"GOOS": programs.OS, "GOARCH": programs.Arch,
		}
		command := os.Expand(d.command, func(name string) string {
			if value, ok := vars[name]; ok {
				return value
			}
			return "${" + name + "}"
		})
		at := token.Position{Filename: name, Line: d.line}
		c := shell.Config{Dir: filepath.Dir(name), Lines: true, Surroundings: surroundings{t, nil}}
		if err := t.part("this directive", command, at, c); err != nil {
			return err
		}
	}
	return nil
}
