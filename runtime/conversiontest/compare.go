package conversiontest

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// comparison collects the differences between objects and what came back.
type comparison struct {
	iteration int
	// byPath has the first difference of each path.
	byPath map[string]string
}

// document decodes JSON for comparison.
func document(encoded []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(encoded))
	decoder.UseNumber()
	var decoded any
	return decoded, decoder.Decode(&decoded)
}

// absent stands for a value that is not there.
type absent struct{}

// object compares the documents of an object, whose kind and API version do not count.
func (c *comparison) object(t reflect.Type, before, after any) {
	for _, doc := range []any{before, after} {
		if fields, ok := doc.(map[string]any); ok {
			delete(fields, "kind")
			delete(fields, "apiVersion")
		}
	}
	c.compare("", t, before, after)
}

// compare compares two values of a type; of an unknown type if it is nil.
func (c *comparison) compare(path string, t reflect.Type, before, after any) {
	if reflect.DeepEqual(before, after) {
		return
	}
	t = structure(t)
	switch b := before.(type) {
	case map[string]any:
		if a, ok := after.(map[string]any); ok && t != nil {
			c.fields(path, t, b, a)
			return
		}
	case []any:
		if a, ok := after.([]any); ok && t != nil && len(a) == len(b) && (t.Kind() == reflect.Slice || t.Kind() == reflect.Array) {
			for i := range b {
				c.compare(path+"[*]", t.Elem(), b[i], a[i])
			}
			return
		}
	case nil:
		if a := reflect.ValueOf(after); a.IsValid() && (a.Kind() == reflect.Slice || a.Kind() == reflect.Map) && a.Len() == 0 {
			return // null, which is no list
		}
	}
	c.add(path, before, after)
}

// fields compares the fields of a struct or the elements of a map.
func (c *comparison) fields(path string, t reflect.Type, before, after map[string]any) {
	keys := maps.Clone(before)
	maps.Copy(keys, after)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		at := strings.TrimPrefix(path+"."+key, ".")
		var owner, typ reflect.Type
		if t.Kind() == reflect.Map {
			at, typ = path+"[*]", t.Elem()
		} else {
			owner, typ = jsonField(t, key)
		}
		b, inBefore := before[key]
		a, inAfter := after[key]
		if owner == objectMeta && key == "annotations" && strings.Count(at, ".") <= 1 {
			a, inAfter = known(b, a)
			b, inBefore = known(b, b)
		}
		switch {
		case !inBefore && inAfter:
			c.add(at, absent{}, a)
		case inBefore && !inAfter:
			c.add(at, b, absent{})
		default:
			c.compare(at, typ, b, a)
		}
	}
}

var objectMeta = reflect.TypeFor[metav1.ObjectMeta]()

// known returns the annotations that were there before: conversions may add others.
func known(before, annotations any) (any, bool) {
	all, _ := annotations.(map[string]any)
	old, _ := before.(map[string]any)
	left := map[string]any{}
	for key, value := range all {
		if _, ok := old[key]; ok {
			left[key] = value
		}
	}
	return left, true
}

// add records the first difference of a path.
func (c *comparison) add(path string, before, after any) {
	if c.byPath == nil {
		c.byPath = map[string]string{}
	}
	if _, known := c.byPath[path]; known {
		return
	}
	what := text(before, maxText) + " became " + text(after, maxText)
	if before == (absent{}) {
		what = "gained " + text(after, maxText)
	} else if after == (absent{}) {
		what = "lost " + text(before, maxText)
	}
	c.byPath[path] = fmt.Sprintf("%s, first in iteration %d", what, c.iteration)
}

// maxText is how much of a value is shown, in bytes.
const maxText = 200

// text returns the beginning of a value as JSON.
func text(value any, size int) string {
	encoded, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	if len(encoded) > size {
		return strings.ToValidUTF8(string(encoded[:size]), "") + "…"
	}
	return string(encoded)
}

// structure returns the type that determines the JSON of a type without pointers; nil if it encodes itself.
func structure(t reflect.Type) reflect.Type {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil || t.Kind() == reflect.Interface {
		return nil
	}
	pointer := reflect.PointerTo(t)
	if pointer.Implements(reflect.TypeFor[json.Marshaler]()) || pointer.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
		return nil
	}
	return t
}

// jsonField returns the type of the field with a JSON name, and the struct that declares it; nil if there is no such field.
func jsonField(t reflect.Type, name string) (owner, field reflect.Type) {
	if t.Kind() != reflect.Struct {
		return nil, nil
	}
	for f := range t.Fields() {
		tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		inlined := f.Type
		if inlined.Kind() == reflect.Pointer {
			inlined = inlined.Elem()
		}
		switch {
		case f.Anonymous && tag == "" && inlined.Kind() == reflect.Struct:
			if owner, field := jsonField(inlined, name); field != nil {
				return owner, field
			}
		case tag == name, tag == "" && f.Name == name:
			return t, f.Type
		}
	}
	return nil, nil
}
