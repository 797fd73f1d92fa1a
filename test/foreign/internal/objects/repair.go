package objects

import (
	"slices"
	"strconv"
	"strings"
)

// repair changes an object where the API server complains, and reports whether the object is valid in the end.
func (m *Maker) repair(object map[string]any) bool {
	for range 12 {
		_, errs := m.version.Stored(object)
		if len(errs) == 0 {
			return true
		}
		m.full, m.left = max(m.full, 0.2), 20 // a rule may ask for optional properties
		for _, err := range errs {
			path := elements(err.Field)
			if len(path) == 0 || path[0] == "metadata" || !m.change(object, m.version.Schema, "", path) {
				return false
			}
		}
	}
	return false
}

// elements returns the elements of a field's path: names, indices and keys.
func elements(path string) []string {
	if path == "" || path == "<nil>" {
		return nil
	}
	return strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '[' || r == ']' })
}

// change removes the value at a path, or the nearest value around it that may be missing, or replaces it. It reports whether it has
// done something.
func (m *Maker) change(object any, s *props, schemaPath string, path []string) bool {
	s = m.resolve(s)
	switch v := object.(type) {
	case map[string]any:
		return m.changeProperty(v, s, schemaPath, path)
	case []any:
		i, err := strconv.Atoi(path[0])
		if err != nil || i >= len(v) || s.Items == nil || s.Items.Schema == nil {
			return false
		}
		if len(path) > 1 && m.change(v[i], s.Items.Schema, schemaPath+"[]", path[1:]) {
			return true
		}
		v[i] = m.item(s, schemaPath)
		return true
	}
	return false
}

func (m *Maker) changeProperty(object map[string]any, s *props, schemaPath string, path []string) bool {
	name, length := longestKey(object, path)
	if name == "" {
		// A missing property is required.
		property, ok := s.Properties[path[0]]
		if ok && len(path) == 1 {
			object[path[0]] = m.value(&property, schemaPath+"."+path[0])
		}
		return ok
	}
	property, ok := s.Properties[name]
	child, required := schemaPath+"."+name, slices.Contains(s.Required, name)
	if !ok && s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		property, child, ok = *s.AdditionalProperties.Schema, schemaPath+".*", true
	}
	if !ok {
		delete(object, name)
		return true
	}
	if rest := path[length:]; len(rest) > 0 && m.chance(0.9) && m.change(object[name], &property, child, rest) {
		return true
	}
	if !required && m.chance(0.5) {
		delete(object, name)
	} else {
		object[name] = m.value(&property, child)
	}
	return true
}

// longestKey returns the key of an object that the path begins with, and the number of its elements: keys may have dots.
func longestKey(object map[string]any, path []string) (string, int) {
	for length := len(path); length > 0; length-- {
		if name := strings.Join(path[:length], "."); object[name] != nil || has(object, name) {
			return name, length
		}
	}
	return "", 0
}

func has(object map[string]any, name string) bool {
	_, ok := object[name]
	return ok
}
