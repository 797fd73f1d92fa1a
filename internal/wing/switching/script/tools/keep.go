package tools

import (
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
)

// Keep begins the hints about calls that stay.
const Keep = "keep this call"

// Stays reports whether diagnostics are about a call of code-generator that stays. openapi-gen belongs to kube-openapi.
func Stays(diags diag.List) bool {
	return slices.ContainsFunc(diags, func(d diag.Diagnostic) bool {
		return strings.HasPrefix(d.Hint, Keep) && !strings.HasPrefix(d.Message, "openapi-gen ")
	})
}
