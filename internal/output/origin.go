package output

import (
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/origin"
	"github.com/informer-gen-lite/informer-gen-lite/internal/render"
)

// replaced are the generators of k8s.io/code-generator that this tool replaces.
var replaced = []string{"client", "lister", "informer", "applyconfiguration", "deepcopy", "register"}

// mark is the text of the generated-code marker without the comment sign, for files in languages other than Go.
var mark = []byte(strings.TrimPrefix(render.GeneratedBy, "// "))

// markWithin is the number of bytes at the beginning of a file that are searched for mark.
const markWithin = 4096

func generated(content []byte) bool { return origin.Of(content) != nil }

// ours reports whether this tool wrote the Go file.
func ours(content []byte) bool { return slices.Contains(origin.Of(content), origin.Us) }

// upstreamGenerator returns the generator of k8s.io/code-generator that wrote the file, such as client or lister, or "".
func upstreamGenerator(content []byte) string {
	by := origin.Of(content)
	i := slices.IndexFunc(replaced, func(generator string) bool { return slices.Contains(by, "by "+generator+"-gen.") })
	if i < 0 {
		return ""
	}
	return replaced[i]
}
