package builtin

import (
	"encoding/base64"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/object"
)

// Normalize does what servers do when they decode an object: the stringData of a Secret becomes data. It replaces fields, and does not
// modify them.
func Normalize(u *unstructured.Unstructured) {
	texts, ok := u.Object["stringData"].(map[string]any)
	if !ok || u.GetKind() != "Secret" || u.GetAPIVersion() != "v1" {
		return
	}
	delete(u.Object, "stringData")
	if len(texts) == 0 {
		return
	}
	data := object.Child(u.Object, "data")
	for name, value := range texts {
		if text, ok := value.(string); ok {
			data[name] = base64.StdEncoding.EncodeToString([]byte(text))
		}
	}
}
