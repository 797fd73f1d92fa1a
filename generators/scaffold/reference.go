package scaffold

import (
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

// lookupView is the template data of a reference.
type lookupView struct {
	model.Reference
	// Variable is the name of a variable for what the object refers to.
	Variable string
}

// Lookups returns the references of the kind.
func (v view) Lookups() []lookupView {
	scope := goname.NewScope(inReconciler, v.imports.Uses, v.isDesired)
	scope.Take(v.Object())
	var views []lookupView
	for _, r := range v.References {
		views = append(views, lookupView{r, scope.Free(goname.LowerFirst(r.Name), r.Field)})
	}
	return views
}
