// Package migrate translates scripts that call code-generator into a configuration file. It runs nothing and writes nothing:
// package shell follows the scripts, and each call of a known tool becomes a piece of configuration.
package migrate

import (
	"fmt"
	"go/token"
	"os"
	"path/filepath"

	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/migrate/shell"
)

// Scripts returns a configuration that does what the scripts do, together with what it cannot express. Names of files are
// absolute. The error is a diag.List if a script has a syntax error or there is nothing to translate.
func Scripts(files []string) (text string, diags diag.List, err error) {
	var pieces []*piece
	for _, name := range files {
		translated, problems, err := read(name)
		if diags = append(diags, problems...); err != nil {
			if bad, ok := err.(diag.List); ok {
				err = append(diags, bad...)
			}
			return "", nil, err
		}
		pieces = append(pieces, translated...)
	}
	var m merger
	outputs := m.outputs(pieces)
	diags = append(diags, m.diags...)
	if len(outputs) == 0 {
		diags.AddHint(token.Position{}, "name the script that calls gen_client, generate-groups.sh, client-gen, lister-gen, informer-gen, deepcopy-gen or register-gen",
			"no call that generates clients, listers, informers or registrations was found")
		return "", nil, diags
	}
	text, err = outputsYAML(outputs)
	return text, diags, err
}

// read goes through one script. Scripts are assumed to run in the module root.
func read(name string) ([]*piece, diag.List, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = file.Close() }()
	module, err := config.OwningModule(filepath.Dir(name))
	if err != nil {
		return nil, nil, fmt.Errorf("no go.mod in %s or above: a script is read where it belongs", filepath.Dir(name))
	}
	t := &translator{module: module}
	diags, err := shell.Follow(file, shell.Config{
		Name: name, Dir: module.Dir, Module: module.ImportPath, Handle: t.command,
		Toplevel: func(dir string) string { return repository(dir, module.Dir) },
	})
	return t.pieces, append(diags, t.diags...), err
}

// repository returns the root of the git repository that holds dir, or else the module's root.
func repository(dir, module string) string {
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
	}
	return module
}
