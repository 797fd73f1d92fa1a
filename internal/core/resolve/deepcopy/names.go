package deepcopy

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

var (
	// isLocal reports whether generated deep copies have a local variable with this name.
	isLocal = func(name string) bool { return slices.Contains(model.CopyLocals, name) }
	// isUsed reports whether generated deep copies use a name from outside the package.
	isUsed = goname.Templates("deepcopy/*")
)

// text formats a type for the file.
func (c *copier) text(t types.Type) (string, *problem) {
	text, hidden := c.names.Text(t)
	if hidden != "" {
		return "", &problem{reason: fmt.Errorf("%s is not exported by its package", hidden), hint: byHandHint}
	}
	return text, nil
}

// checkHiding reports names of the package that shadow predeclared identifiers used by generated deep copies.
func (c *copier) checkHiding(diags *diag.List) {
	for _, name := range types.Universe.Names() {
		if what := c.source.Declared(name); what != "" && (isUsed(name) || slices.Contains(model.CopyBuiltins, name)) {
			_, noun, _ := strings.Cut(what, " ")
			diags.AddHint(c.source.Position(name), "rename it",
				"%s %s shadows the predeclared identifier, which generated deep copies use", noun, name)
		}
	}
}
