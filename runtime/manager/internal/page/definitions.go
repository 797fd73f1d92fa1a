package page

import "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/definitions"

// ifReferred returns words for the definition of a kind that objects only refer to.
func ifReferred(d definitions.State) string {
	if d.Written {
		return ""
	}
	return " (only referred to)"
}
