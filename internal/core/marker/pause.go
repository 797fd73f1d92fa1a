package marker

import (
	"strings"

	"k8s.io/apimachinery/pkg/api/validate/content"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
)

// parsePause reads the annotation that pauses objects, or "". Keys of annotations follow the rules for keys of labels, in any case.
func parsePause(annotation Written, problems *diag.List) string {
	if annotation.Text != "" && len(content.IsLabelKey(strings.ToLower(annotation.Text))) > 0 {
		problems.AddHint(annotation.Pos, "use a domain, a slash and a name, such as fleet.example.com/paused",
			"invalid annotation %q", annotation.Text)
	}
	return annotation.Text
}
