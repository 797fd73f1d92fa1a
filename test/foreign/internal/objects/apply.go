package objects

import "maps"

// WithStatus returns an object as the API server stores it after an apply of a status: what it has already, such as the defaults that
// it set when the object was created, has no field manager, and stays unless the applied status has another value.
func (v Version) WithStatus(object map[string]any, status any) map[string]any {
	merged := maps.Clone(object)
	schema := v.Schema.Properties["status"]
	merged["status"] = applied(object["status"], status, &schema)
	stored, _ := v.Stored(merged)
	return stored
}

// applied returns a value after an apply. Objects, and lists whose elements have an identity, are merged; other values are replaced.
func applied(live, value any, schema *props) any {
	if schema == nil {
		return value
	}
	switch value := value.(type) {
	case map[string]any:
		object, ok := live.(map[string]any)
		if !ok || schema.XMapType != nil && *schema.XMapType == "atomic" {
			return value
		}
		merged := maps.Clone(object)
		for name, element := range value {
			merged[name] = applied(object[name], element, child(schema, name))
		}
		return merged
	case []any:
		list, ok := live.([]any)
		if !ok || schema.XListType == nil || *schema.XListType == "atomic" {
			return value
		}
		return appliedList(list, value, schema)
	}
	return value
}

// appliedList merges elements with the same identity. Those that only the live list has come first.
func appliedList(live, list []any, schema *props) (merged []any) {
	known := map[string]any{}
	for _, item := range live {
		known[identity(schema, item)] = item
	}
	for _, item := range list {
		key := identity(schema, item)
		merged = append(merged, applied(known[key], item, schema.Items.Schema))
		delete(known, key)
	}
	var rest []any
	for _, item := range live {
		if _, only := known[identity(schema, item)]; only {
			rest = append(rest, item)
		}
	}
	return append(rest, merged...)
}
