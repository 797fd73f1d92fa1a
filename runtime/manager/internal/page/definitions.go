package page

import (
	"fmt"
	"io"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/definitions"
)

// printDefinitions writes the definitions that lack fields as text.
func printDefinitions(w io.Writer, all []definitions.State) {
	for _, d := range all {
		fmt.Fprintf(w, "definition of %s%s: lacks the fields %s\n", d.Definition, ifReferred(d), strings.Join(d.MissingFields, ", "))
	}
}

// ifReferred returns words for the definition of a kind that objects only refer to.
func ifReferred(d definitions.State) string {
	if d.Written {
		return ""
	}
	return " (only referred to)"
}
