package output

import (
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/origin"
	"github.com/informer-gen-lite/informer-gen-lite/internal/render"
)

// replaced are the generators of k8s.io/code-generator that ours replace.
var replaced = []string{"client", "lister", "informer", "applyconfiguration", "deepcopy", "register"}

// mark is the text of our mark without the comment sign, for files in other languages than Go.
var mark = []byte(strings.TrimPrefix(render.GeneratedBy, "// "))

// markWithin is the number of bytes at the beginning of a file in which mark is looked for.
const markWithin = 4096

func generated(content []byte) bool { return origin.Of(content) != nil }

// ours reports whether we wrote the Go file.
func ours(content []byte) bool { return slices.Contains(origin.Of(content), origin.Us) }

// upstreams returns which generator of k8s.io/code-generator wrote the file: client, lister, …; "" if none did.
func upstreams(content []byte) string {
	by := origin.Of(content)
	i := slices.IndexFunc(replaced, func(generator string) bool { return slices.Contains(by, "by "+generator+"-gen.") })
	if i < 0 {
		return ""
	}
	return replaced[i]
}
