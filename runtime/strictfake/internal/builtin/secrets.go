package builtin

import (
	"encoding/base64"
	"maps"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Normalize does what servers do when they decode an object: the stringData of a Secret becomes data. It replaces fields, and does not
// modify them.
func Normalize(u *unstructured.Unstructured) {
	texts, ok := u.Object["stringData"].(map[string]any)
	if !ok || u.GetKind() != "Secret" || u.GetAPIVersion() != "v1" {
		return
	}
	delete(u.Object, "stringData")
	is, _ := u.Object["data"].(map[string]any) // nil if there is none
	data := maps.Clone(is)
	if data == nil {
		data = map[string]any{}
	}
	for name, value := range texts {
		if text, ok := value.(string); ok {
			data[name] = base64.StdEncoding.EncodeToString([]byte(text))
		}
	}
	if len(data) > 0 {
		u.Object["data"] = data
	}
}
