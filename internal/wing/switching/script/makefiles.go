package script

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/script/makefile"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/script/shell"
)

// makefile follows the recipes of a Makefile. It reports recipes that mention a generator and cannot be read.
func (t *translator) makefile(name string) error {
	dir := filepath.Dir(name)
	if strings.HasSuffix(name, ".mk") {
		dir = t.runsIn(name)
	}
	recipes := makefile.Read(makefile.Config{
		Name: name, Dir: dir, Limits: t.limits,
		Open: t.repo.Read, Readable: t.repo.Readable,
		Shell: func(command string) (string, error) {
			at := t.limits.Pos()
			return shell.Output(command, shell.Config{
				Name: at.Filename, FirstLine: at.Line - 1, Dir: dir, Limits: t.limits, Surroundings: surroundings{t, nil},
			})
		},
	})
	t.hasRecipes = t.hasRecipes || len(recipes) > 0
	mentions := func(r makefile.Recipe) bool { return t.mention.MatchString(r.Text) }
	calls := func(r makefile.Recipe) bool { return !mentions(r) && strings.Contains(r.Text, ".sh") }
	// Scripts may exceed a limit, and need not call a generator.
	for _, recipe := range append(filtered(recipes, mentions), filtered(recipes, calls)...) {
		c := shell.Config{Dir: dir, Lines: !recipe.Together, Surroundings: surroundings{t, recipe.Variables}}
		if err := t.part("the recipe of "+recipe.Target, recipe.Text, recipe.Pos, c); err != nil {
			return err
		}
	}
	return t.limits.Err()
}

// filtered returns the recipes that match.
func filtered(recipes []makefile.Recipe, match func(makefile.Recipe) bool) []makefile.Recipe {
	return slices.DeleteFunc(slices.Clone(recipes), func(r makefile.Recipe) bool { return !match(r) })
}

// makeMessage matches make's own messages in the output of make -n.
var makeMessage = shell.Lazy(`(?m)^make(\[|: ).*$`)
