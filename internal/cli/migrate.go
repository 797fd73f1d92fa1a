package cli

import (
	"errors"
	"fmt"
	"go/token"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"mvdan.cc/sh/v3/syntax"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
)

func (a app) migrateCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "migrate FILE…",
		Short: "Translate scripts that call code-generator into a " + configName,
		Long: `Migrate reads shell scripts that call the functions of kube_codegen.sh, generate-groups.sh, or client-gen, lister-gen,
informer-gen, deepcopy-gen and register-gen themselves, and prints a ` + configName + ` that does the same. What it cannot
translate it lists on stderr. It runs nothing of the scripts, and writes nothing.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError{errors.New("migrate needs the name of a script, such as hack/update-codegen.sh")}
			}
			return nil
		},
		RunE: func(_ *cobra.Command, files []string) error { return a.migrate(files) },
	}
}

func (a app) migrate(files []string) error {
	var m migration
	for _, name := range files {
		if !filepath.IsAbs(name) {
			name = filepath.Join(a.dir, name)
		}
		if err := m.read(name); err != nil {
			return err
		}
	}
	outputs := m.outputs()
	if len(outputs) == 0 {
		m.diags.AddHint(token.Position{}, "name the script that calls gen_client, generate-groups.sh, client-gen, lister-gen, informer-gen, deepcopy-gen or register-gen",
			"no call that generates clients, listers, informers or registrations was found")
		return m.diags
	}
	for _, d := range m.diags.Sorted(a.dir) {
		fmt.Fprintln(a.stderr, d)
	}
	text, err := outputsYAML(outputs)
	fmt.Fprint(a.stdout, text)
	return err
}

// migration collects what scripts do.
type migration struct {
	pieces []*piece
	diags  diag.List
}

// read goes through one script.
func (m *migration) read(name string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	parsed, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(file, name)
	var bad syntax.ParseError
	if errors.As(err, &bad) {
		m.diags.Add(token.Position{Filename: name, Line: int(bad.Pos.Line()), Column: int(bad.Pos.Col())}, "%s", bad.Text)
		return m.diags
	} else if err != nil {
		return err
	}
	module := place{dir: filepath.Dir(name)}
	if module.dir, module.importPath, err = owningModule(filepath.Dir(name)); err != nil {
		return fmt.Errorf("no go.mod in %s or above: a script is read where it belongs", filepath.Dir(name))
	}
	translator := &translator{migration: m, module: module}
	newScript(name, module, &m.diags, translator.command).run(parsed.Stmts)
	return nil
}
