package migrate

import (
	"path/filepath"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/migrate/makefile"
	"github.com/informer-gen-lite/informer-gen-lite/internal/migrate/shell"
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
				Name: at.Filename, FirstLine: at.Line - 1, Dir: dir, Limits: t.limits, Surroundings: surroundings{repo: t.repo},
			})
		},
	})
	t.hasRecipes = t.hasRecipes || len(recipes) > 0
	for _, recipe := range recipes {
		if !mention().MatchString(recipe.Text) && !objectCall().MatchString(recipe.Text) && !strings.Contains(recipe.Text, ".sh") {
			continue
		}
		c := shell.Config{Dir: dir, Lines: !recipe.Together, Surroundings: surroundings{t.repo, recipe.Variables}}
		if err := t.part("the recipe of "+recipe.Target, recipe.Text, recipe.Pos, c); err != nil {
			return err
		}
	}
	return t.limits.Err()
}

// makeMessage matches make's own messages in the output of make -n.
var makeMessage = lazy(`(?m)^make(\[|: ).*$`)
