package resolve

import (
	"errors"
	"go/token"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/marker"
)

// ErrNothing is the cause of diagnostics that there is nothing to generate.
var ErrNothing = errors.New("nothing to generate")

// nothing returns diagnostics that explain why there is nothing to generate; none if there is something.
func (r *resolver) nothing(loaded *load.Result) diag.List {
	if len(r.groups)+len(r.packages) > 0 {
		return nil
	}
	result := r.result
	var diags diag.List
	if result.Internal > 0 {
		diags.AddHint(token.Position{}, "add the tag `json:\"metadata,omitempty\"` to ObjectMeta, and set the version in SchemeGroupVersion",
			"internal versions in %d of %d packages: "+
				"ObjectMeta has no json tag, or SchemeGroupVersion has runtime.APIVersionInternal",
			result.Internal, len(loaded.Packages))
	}
	if result.OptedOut > 0 {
		diags.Add(token.Position{}, "%d of %d packages opt out of every generator", result.OptedOut, len(loaded.Packages))
	}
	if n := len(result.Unregistered); n > 0 {
		diags.AddHint(token.Position{},
			"put // +"+marker.DeepCopyInterfaces+"=k8s.io/apimachinery/pkg/runtime.Object above the types to register",
			"%s have no deep copies, which registration requires", strings.Join(result.Unregistered, ", "))
	}
	if d, ok := r.kindsWithoutClients(); ok {
		diags = append(diags, d)
	}
	if len(diags) == 0 {
		diags = append(diags, loaded.Nested()...)
	}
	if len(diags) == 0 {
		diags.AddHint(token.Position{}, "put // +genclient above the types to generate clients for",
			"no type with +genclient (packages: %d, files: %d)", len(loaded.Packages), loaded.FilesParsed)
	}
	for i := range diags {
		diags[i].Message, diags[i].Cause = "nothing to generate: "+diags[i].Message, ErrNothing
	}
	return diags
}

// kindsWithoutClients returns a diagnostic at the first kind for controller-gen if no such kind has a client, because their
// markers do not request one.
func (r *resolver) kindsWithoutClients() (diag.Diagnostic, bool) {
	if !r.opts.Kinds || r.opts.Roots || len(r.groups) > 0 {
		return diag.Diagnostic{}, false
	}
	var kinds []string
	var first token.Position
	for _, s := range r.all {
		for _, name := range s.Roots() {
			if kinds = append(kinds, name); len(kinds) == 1 {
				first = s.Decls[name].Pos
			}
		}
	}
	return diag.Diagnostic{
		Pos: first, Message: "no type has +" + marker.GenClient + ", so no clients for " + strings.Join(kinds, ", "),
		Hint: "set --kinds=roots (kinds: [roots] in .informer-gen.yaml) to generate clients for all of them, " +
			"or put // +" + marker.GenClient + " above some of the types",
	}, len(kinds) > 0
}
