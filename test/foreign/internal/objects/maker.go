package objects

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// maxValues limits the size of an object: beyond it, only required properties get a value.
const maxValues = 250

// Maker makes random objects of a version of a definition.
type Maker struct {
	version Version
	rand    *rand.Rand
	// tried counts how often each property was made, by path. Rare ones are preferred.
	tried map[string]int
	// full is the probability of optional properties that were tried often, and left the number of values that an object may still
	// get.
	full float64
	left int
	// all are the paths of the schema, and focus those that the object gets even if they are optional.
	all   []string
	focus []string
	// count is the number of objects.
	count int
}

// NewMaker returns a Maker. The same seed gives the same objects.
func NewMaker(version Version, seed uint64) *Maker {
	m := &Maker{version: version, rand: rand.New(rand.NewPCG(seed, 1)), tried: map[string]int{}}
	collect(version.Schema, "", &m.all)
	return m
}

// Paths returns the number of properties in the schema.
func (m *Maker) Paths() int { return len(m.all) }

// collect appends the paths of the properties in a schema.
func collect(s *props, path string, all *[]string) {
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		property, child := s.Properties[name], path+"."+name
		*all = append(*all, child)
		collect(&property, child, all)
	}
	if s.Items != nil && s.Items.Schema != nil {
		collect(s.Items.Schema, path+"[]", all)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		collect(s.AdditionalProperties.Schema, path+".*", all)
	}
}

// concentrate selects some paths that were not tried yet.
func (m *Maker) concentrate(paths int) {
	m.focus = m.focus[:0]
	for range min(20*paths, 20*len(m.all)) {
		if path := pick(m.rand, m.all); m.tried[path] == 0 && len(m.focus) < paths {
			m.focus = append(m.focus, path)
		}
	}
}

// needs reports whether the object gets something at or below a path.
func (m *Maker) needs(path string) bool {
	return slices.ContainsFunc(m.focus, func(focus string) bool {
		rest, ok := strings.CutPrefix(focus, path)
		return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
	})
}

func (m *Maker) chance(p float64) bool { return m.rand.Float64() < p }

// Make returns a valid object, or nil if all tries fail.
func (m *Maker) Make() map[string]any {
	m.count++
	for try := range 30 {
		m.full, m.left = pick(m.rand, []float64{0, 0.02, 0.1, 0.4}), maxValues
		m.concentrate(max(10-try, 0))
		if try > 10 {
			m.full, m.left = 0, 0
		}
		object := m.object(m.version.Schema, "", nil).(map[string]any)
		object["apiVersion"], object["kind"] = m.version.GroupVersion().String(), m.version.Kind
		object["metadata"] = m.metadata(try)
		if m.repair(object) {
			return object
		}
	}
	return nil
}

// metadata returns metadata with a name. Some kinds have a single object with a fixed name.
func (m *Maker) metadata(try int) map[string]any {
	metadata := map[string]any{"name": []string{fmt.Sprintf("object-%d", m.count), "cluster", "default", "name"}[try%4]}
	if name := m.version.Schema.Properties["metadata"].Properties["name"]; len(name.Enum) > 0 || name.Pattern != "" {
		metadata["name"] = m.value(&name, ".metadata.name")
	}
	if m.version.Namespaced {
		metadata["namespace"] = "default"
	}
	if m.chance(0.2) {
		metadata["labels"] = map[string]any{"example.com/name": "value"}
		metadata["annotations"] = map[string]any{"example.com/note": "any text"}
	}
	return metadata
}

// value returns a value for a schema. The path identifies the schema.
func (m *Maker) value(s *props, path string) any {
	m.left--
	s = m.resolve(s)
	if s.Nullable && !m.needs(path) && m.chance(0.1) {
		return nil
	}
	if len(s.Enum) > 0 {
		return decoded(pick(m.rand, s.Enum).Raw)
	}
	kind := s.Type
	if s.XIntOrString && kind == "" {
		kind = pick(m.rand, []string{"integer", "string"})
	}
	switch kind {
	case "object":
		return m.object(s, path, nil)
	case "array":
		return m.array(s, path)
	case "string":
		if len(s.XValidations) > 0 && m.chance(0.7) {
			return pick(m.rand, likelyStrings)
		}
		return m.text(s.Pattern, s.Format, limit(s.MinLength, 0), limit(s.MaxLength, 1000))
	case "integer":
		return int64(m.number(s, true))
	case "number":
		return m.number(s, false)
	case "boolean":
		return m.chance(0.5)
	}
	if len(s.Properties) > 0 {
		return m.object(s, path, nil)
	}
	return m.anything(2)
}

// object returns an object for a schema. Properties in must are not left out.
func (m *Maker) object(s *props, path string, must []string) any {
	s = m.resolve(s)
	object := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		property, child := s.Properties[name], path+"."+name
		required := slices.Contains(s.Required, name) || slices.Contains(must, name)
		if required || m.wanted(child) {
			m.tried[child]++
			object[name] = m.value(&property, child)
		}
	}
	if values := s.AdditionalProperties; values != nil && (values.Allows || values.Schema != nil) {
		m.entries(object, s, path)
	}
	if keeps(s) && len(s.Properties) == 0 && s.AdditionalProperties == nil && !s.XEmbeddedResource && m.chance(0.7) {
		object["any"], object["more"] = m.anything(2), map[string]any{"number": int64(7), "fraction": 1.5}
	}
	if s.XEmbeddedResource {
		object["apiVersion"], object["kind"] = "example.com/v1", "Embedded"
		metadata, _ := object["metadata"].(map[string]any)
		object["metadata"] = map[string]any{"name": "embedded"}
		if metadata != nil && keeps(s) {
			object["metadata"].(map[string]any)["labels"] = map[string]any{"a": "b"}
		}
		if keeps(s) && m.chance(0.5) {
			object["data"] = map[string]any{"key": "value"}
		}
	}
	if keeps(s) && len(s.Properties) > 0 && path != "" && m.chance(0.05) {
		object["unknownField"] = "kept"
	}
	return object
}

// wanted decides about an optional property.
func (m *Maker) wanted(path string) bool {
	if m.needs(path) {
		return true
	}
	if m.left <= 0 {
		return false
	}
	return m.chance(m.full)
}

// entries adds entries to a map.
func (m *Maker) entries(object map[string]any, s *props, path string) {
	values := s.AdditionalProperties.Schema
	if values == nil {
		values = &props{}
	}
	keys := []string{"key", "example.com/key", "Other_Key", "k4", "k5", "k6"}
	n := limit(s.MinProperties, 0) + int64(m.rand.IntN(3))
	if m.needs(path + ".*") {
		n = max(n, 1)
	}
	n = min(n, limit(s.MaxProperties, 6), int64(len(keys)))
	for _, key := range keys[:max(n, 0)] {
		object[key] = m.value(values, path+".*")
	}
}

// array returns a list for a schema.
func (m *Maker) array(s *props, path string) any {
	list := []any{}
	least, most := limit(s.MinItems, 0), limit(s.MaxItems, math.MaxInt32)
	n := least + int64(m.rand.IntN(3))
	if m.left <= 0 {
		n = least
	}
	if m.needs(path + "[]") {
		n = max(n, 1)
	}
	if s.Items == nil || s.Items.Schema == nil {
		return list
	}
	unique := s.XListType != nil && *s.XListType != "atomic"
	seen := map[string]bool{}
	for try := int64(0); int64(len(list)) < min(n, most) && try < 10*n; try++ {
		item := m.item(s, path)
		if unique {
			key := identity(s, item)
			if seen[key] {
				continue
			}
			seen[key] = true
		}
		list = append(list, item)
	}
	return list
}

func (m *Maker) item(s *props, path string) any {
	if len(s.XListMapKeys) > 0 && s.Items.Schema.Type == "object" {
		m.left--
		return m.object(s.Items.Schema, path+"[]", s.XListMapKeys)
	}
	return m.value(s.Items.Schema, path+"[]")
}

// identity returns what distinguishes the items of a set or of a list of type map.
func identity(s *props, item any) string {
	object, ok := item.(map[string]any)
	if len(s.XListMapKeys) == 0 || !ok {
		return fmt.Sprint(item)
	}
	var key strings.Builder
	for _, name := range s.XListMapKeys {
		fmt.Fprintf(&key, "%v,", object[name])
	}
	return key.String()
}

// number returns a number between the limits, with the limits and zero among them.
func (m *Maker) number(s *props, whole bool) float64 {
	least, most := math.Inf(-1), math.Inf(1)
	if s.Format == "int32" || s.XIntOrString { // as in Kubernetes' IntOrString
		least, most = math.MinInt32, math.MaxInt32
	} else if whole {
		least, most = -1<<53, 1<<53
	}
	step := 0.5
	if whole {
		step = 1
	}
	if s.MultipleOf != nil {
		step = *s.MultipleOf
	}
	if s.Minimum != nil {
		least = *s.Minimum
		if s.ExclusiveMinimum {
			least += step
		}
	}
	if s.Maximum != nil {
		most = *s.Maximum
		if s.ExclusiveMaximum {
			most -= step
		}
	}
	value := pick(m.rand, []float64{0, least, most, 1, -1, 3 * step, float64(m.rand.IntN(2000)) * step})
	if math.IsInf(value, 0) {
		value = 123456.5
	}
	return min(max(value, least), most)
}

// anything returns a value of any type.
func (m *Maker) anything(depth int) any {
	scalars := []any{"text", "", int64(0), int64(42), 2.5, true, false}
	switch {
	case depth > 0 && m.chance(0.3):
		return map[string]any{"a": m.anything(depth - 1), "b c": m.anything(depth - 1)}
	case depth > 0 && m.chance(0.2):
		return []any{m.anything(depth - 1), m.anything(depth - 1)}
	}
	return pick(m.rand, scalars)
}

func keeps(s *props) bool { return s.XPreserveUnknownFields != nil && *s.XPreserveUnknownFields }

func limit(value *int64, otherwise int64) int64 {
	if value == nil {
		return otherwise
	}
	return *value
}

// decoded returns the value of a JSON text, with whole numbers as int64.
func decoded(text []byte) any {
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return nil // never: the definition has been parsed
	}
	return normalized(value)
}

// normalized replaces whole floating-point numbers by integers.
func normalized(value any) any {
	switch v := value.(type) {
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
			return int64(v)
		}
	case map[string]any:
		for key, element := range v {
			v[key] = normalized(element)
		}
	case []any:
		for i, element := range v {
			v[i] = normalized(element)
		}
	}
	return value
}
