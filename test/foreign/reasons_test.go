package foreign

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/informer-gen-lite/informer-gen-lite/test/foreign/internal/objects"
	"github.com/informer-gen-lite/informer-gen-lite/test/foreign/internal/schemas"
)

// schemaReasons are the reasons why a schema that is generated from imported types differs from the original.
var schemaReasons = []schemas.Reason{
	{Text: "servers add apiVersion, kind and metadata to every schema", Explains: func(d schemas.Difference) bool {
		return d.Want == nil && slices.Contains([]string{".apiVersion", ".kind", ".metadata"}, d.Path)
	}},
	{Text: "no marker requires or restricts metadata", Explains: func(d schemas.Difference) bool {
		return strings.HasPrefix(d.Path, ".metadata") && d.Have == nil || d.Path == "" && d.Keyword == "required" && onlyMetadata(d.Want, d.Have)
	}},
	{Text: "no Go type has the schema {}: values without a type are objects or any value", Explains: func(d schemas.Difference) bool {
		items := strings.HasSuffix(d.Path, "[]") || strings.HasSuffix(d.Path, ".*")
		return d.Keyword == "type" && d.Want == nil && d.Have == "object" && items
	}},
	{Text: "resource.Quantity is a number, too", Explains: func(d schemas.Difference) bool {
		return d.HaveNode["x-kubernetes-int-or-string"] == true && d.WantNode["pattern"] == d.HaveNode["pattern"]
	}},
	{Text: "no marker expresses oneOf, anyOf, allOf or not", Explains: func(d schemas.Difference) bool {
		return d.Have == nil && slices.Contains([]string{"oneOf", "anyOf", "allOf", "not"}, d.Keyword)
	}},
}

// onlyMetadata reports whether two lists of required fields differ in metadata alone.
func onlyMetadata(want, have any) bool {
	wanted, _ := want.([]any)
	others, _ := have.([]any)
	return reflect.DeepEqual(slices.DeleteFunc(slices.Clone(wanted), func(name any) bool { return name == "metadata" }), slices.Clone(others)) ||
		len(wanted) == 1 && wanted[0] == "metadata" && others == nil
}

// reason is a reason why an object changes, and tells which changes it explains.
type reason struct {
	text     string
	explains func(objects.Change) bool
}

// reasonFor returns the text of the first reason for a change, or "".
func reasonFor(change objects.Change, reasons []reason) string {
	for _, r := range reasons {
		if r.explains(change) {
			return r.text
		}
	}
	return ""
}

// roundTripReasons are the reasons why decoding and encoding changes an object.
var roundTripReasons = []reason{
	{"null and a missing value are the same for Go", func(c objects.Change) bool {
		return c.Want == nil && c.Have == objects.Missing{} && c.Schema != nil && c.Schema.Nullable
	}},
	{"resource.Quantity writes its canonical form", func(c objects.Change) bool {
		want, err := resource.ParseQuantity(fmt.Sprint(c.Want))
		have, haveErr := resource.ParseQuantity(fmt.Sprint(c.Have))
		return err == nil && haveErr == nil && want.Cmp(have) == 0 && c.Schema != nil && c.Schema.Pattern != ""
	}},
	{"structs have no unknown fields, even if the schema keeps them", func(c objects.Change) bool {
		return c.Have == objects.Missing{} && c.Schema == nil && c.Parent != nil && c.Parent.XPreserveUnknownFields != nil
	}},
}

// recognizedReasons are further reasons for types of Kubernetes.
var recognizedReasons = append(slices.Clone(roundTripReasons), []reason{
	{"types of Kubernetes omit optional zero values", func(c objects.Change) bool {
		return c.Have == objects.Missing{} && isZero(c.Want)
	}},
	{"types of Kubernetes write some empty structs, times, quantities and ports", func(c objects.Change) bool {
		port := c.Schema != nil && c.Schema.XIntOrString && c.Have == int64(0)
		return c.Want == objects.Missing{} && (isEmptyStruct(c.Have) || port)
	}},
}...)

// appliedReasons are the reasons why a server stores something else than an object with defaults.
var appliedReasons = append(slices.Clone(recognizedReasons), []reason{
	{"types of Kubernetes omit optional zero values, and the server sets the default", func(c objects.Change) bool {
		return isZero(c.Want) && c.Schema != nil && c.Schema.Default != nil
	}},
	{"apply configurations omit empty maps, and the server sets the default", func(c objects.Change) bool {
		if c.Want != (objects.Missing{}) || c.Parent == nil || c.Parent.Default == nil {
			return false
		}
		var whole map[string]any
		err := json.Unmarshal(c.Parent.Default.Raw, &whole)
		return err == nil && reflect.DeepEqual(whole[c.Path[strings.LastIndex(c.Path, ".")+1:]], c.Have)
	}},
}...)

// isEmptyStruct reports whether a value is that of a time or a quantity that nobody set, or an object of such values.
func isEmptyStruct(value any) bool {
	object, ok := value.(map[string]any)
	for _, element := range object {
		ok = ok && isEmptyStruct(element)
	}
	return ok || value == nil || value == "0"
}

// isZero reports whether a JSON value is what omitempty leaves out.
func isZero(value any) bool {
	switch v := value.(type) {
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	case string:
		return v == ""
	case int64:
		return v == 0
	case bool:
		return !v
	}
	return false
}
