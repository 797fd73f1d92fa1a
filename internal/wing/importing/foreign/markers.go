package foreign

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/importing/structural"
)

// validationMarker begins the markers that also exist for the elements of lists.
const (
	validationMarker = "kubebuilder:validation:"
	schemaless       = "Schemaless"
)

// asItems returns the markers of elements as markers of their list, without markers that lists do not have or their types imply.
func asItems(markers []string) (all []string) {
	for _, marker := range markers {
		if rule, ok := strings.CutPrefix(marker, validationMarker); ok && rule != schemaless {
			all = append(all, validationMarker+"items:"+rule)
		}
	}
	return all
}

// markers returns the markers, without +, that describe the type of a node.
func (n *node) markers() (all []string) {
	s := n.schema
	add := func(wanted bool, marker, value string) {
		if wanted {
			all = append(all, marker+value)
		}
	}
	validate := func(name string, value any) {
		v := reflect.ValueOf(value)
		if v.IsZero() {
			return
		}
		all = append(all, validationMarker+name+"="+literal(v))
	}
	rules := func() {
		for _, rule := range s.XValidations {
			all = append(all, validationMarker+"XValidation:"+ruleText(rule))
		}
	}
	if n.form == quantity || n.form == foundType {
		rules() // the type says the rest
		return all
	}
	add(s.XIntOrString && (s.Pattern != "" || s.MinLength != nil || s.MaxLength != nil), validationMarker, "XIntOrString")
	add(len(values(s)) > 0 && n.form != anything, validationMarker+"Enum=", strings.Join(values(s), ";"))
	add(s.Format != n.impliedFormat(), validationMarker+"Format=", strconv.Quote(s.Format))
	if s.Type == "string" || s.XIntOrString {
		validate("Pattern", s.Pattern)
		validate("MinLength", s.MinLength)
		validate("MaxLength", s.MaxLength)
	}
	if !s.XIntOrString && n.form != anything {
		add(s.Minimum != nil, validationMarker+"Minimum=", n.number("minimum", s.Minimum))
		add(s.Maximum != nil, validationMarker+"Maximum=", n.number("maximum", s.Maximum))
		validate("ExclusiveMinimum", s.ExclusiveMinimum)
		validate("ExclusiveMaximum", s.ExclusiveMaximum)
		add(s.MultipleOf != nil, validationMarker+"MultipleOf=", n.number("multipleOf", s.MultipleOf))
		validate("MinItems", s.MinItems)
		validate("MaxItems", s.MaxItems)
		validate("UniqueItems", s.UniqueItems)
		validate("MinProperties", s.MinProperties)
		validate("MaxProperties", s.MaxProperties)
	}
	rules()
	add(s.XEmbeddedResource, validationMarker, "XEmbeddedResource")
	add(s.Type == "" && !s.XIntOrString, validationMarker, schemaless)
	add(structural.Preserves(s), "kubebuilder:pruning:PreserveUnknownFields", "")
	add(s.XListType != nil, "listType=", value(s.XListType))
	for _, key := range s.XListMapKeys {
		all = append(all, "listMapKey="+key)
	}
	add(s.XMapType != nil && n.form == mapping, "mapType=", value(s.XMapType))
	add(s.XMapType != nil && n.form != mapping, "structType=", value(s.XMapType))
	if s.ExternalDocs != nil {
		all = append(all, "kubebuilder:externalDocs:"+arguments("url", s.ExternalDocs.URL, "description", s.ExternalDocs.Description))
	}
	return all
}

// usage returns the markers that describe the use of a type in a field.
func (f *field) usage() []string {
	s, all := f.node.schema, []string{"optional"}
	if f.required {
		all[0] = "required"
	}
	if s.Nullable {
		all = append(all, "nullable")
	}
	if s.Default != nil {
		all = append(all, "default="+string(s.Default.Raw))
	}
	if s.Title != "" {
		all = append(all, "kubebuilder:title="+strconv.Quote(s.Title))
	}
	if s.Example != nil {
		all = append(all, "kubebuilder:example="+string(s.Example.Raw))
	}
	return all
}

// impliedFormat returns the format that the Go type of a node implies.
func (n *node) impliedFormat() string {
	switch {
	case n.form == bytes64 || n.form == moment:
		return n.schema.Format
	case n.form == integer && n.schema.Format == "int32":
		return "int32"
	case n.form == integer:
		return "int64"
	}
	return ""
}

// literal formats the value of a marker.
func literal(v reflect.Value) string {
	switch v = reflect.Indirect(v); v.Kind() {
	case reflect.String:
		if text := v.String(); strconv.CanBackquote(text) && !strings.Contains(text, "''") {
			return "`" + text + "`"
		}
		return strconv.Quote(v.String())
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	default:
		return strconv.FormatInt(v.Int(), 10)
	}
}

// number formats the number of a keyword. An integer has the digits of the source, which a float64 may lack.
func (n *node) number(keyword string, f *float64) string {
	if f == nil {
		return ""
	}
	return cmp.Or(n.integer(keyword), strconv.FormatFloat(*f, 'f', -1, 64))
}

// integer returns the integer of a keyword in the source; "" for other values.
func (n *node) integer(keyword string) string {
	text := n.definition.Text(append(slices.Clip(n.path), keyword)...)
	if i, err := strconv.ParseInt(text, 10, 64); err != nil || strconv.FormatInt(i, 10) != text {
		return "" // YAML has octal numbers
	}
	return text
}

// values returns the values of an enum. There is no marker for null, nor for lists and objects.
func values(s *Schema) (all []string) {
	for _, v := range s.Enum {
		if isCompound(v) {
			return nil
		}
		if !isNull(v) {
			all = append(all, string(v.Raw))
		}
	}
	return all
}

// isCompound reports whether a value is a list or an object.
func isCompound(v apiextensionsv1.JSON) bool {
	return !isNull(v) && strings.ContainsRune("[{", rune(v.Raw[0]))
}

// isNull reports whether a value is null, which the library decodes to nothing.
func isNull(v apiextensionsv1.JSON) bool { return len(v.Raw) == 0 || string(v.Raw) == "null" }

func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// arguments formats the named arguments of a marker, without empty ones.
func arguments(pairs ...string) string {
	var all []string
	for pair := range slices.Chunk(pairs, 2) {
		if pair[1] != "" {
			all = append(all, pair[0]+"="+strconv.Quote(pair[1]))
		}
	}
	return strings.Join(all, ",")
}

func ruleText(rule apiextensionsv1.ValidationRule) string {
	text := arguments("rule", rule.Rule, "message", rule.Message, "messageExpression", rule.MessageExpression, "fieldPath", rule.FieldPath)
	if rule.Reason != nil {
		text += "," + arguments("reason", string(*rule.Reason))
	}
	if rule.OptionalOldSelf != nil {
		text += ",optionalOldSelf=" + strconv.FormatBool(*rule.OptionalOldSelf)
	}
	return text
}

// unmarked returns the parts of a schema for which there is no marker.
func (n *node) unmarked() map[string]any {
	s, all := n.schema, map[string]any{}
	for name, schemas := range map[string][]Schema{"oneOf": s.OneOf, "anyOf": s.AnyOf, "allOf": s.AllOf} {
		if len(schemas) > 0 && (!s.XIntOrString || !isIntOrString(schemas)) {
			all[name] = schemas
		}
	}
	if s.Not != nil {
		all["not"] = s.Not
	}
	if slices.ContainsFunc(s.Enum, isNull) || slices.ContainsFunc(s.Enum, isCompound) {
		all["enum"] = s.Enum
	}
	switch n.form {
	case foundType:
		addRulesBelow(s, "", all)
		maps.Copy(all, n.keywords(slices.Concat(textual, numeric)...))
		if n.found.Type.Name == objectMeta && n.found.Lacking == nil && len(s.Properties) > 0 {
			all["properties"] = s.Properties // of an embedded resource
		}
	case anything, quantity:
		maps.Copy(all, n.keywords(slices.Concat(textual, numeric)...))
	case either:
		maps.Copy(all, n.keywords(numeric...))
	default:
	}
	return all
}

// addRulesBelow adds the CEL rules below a schema. A type of Kubernetes has none of them.
func addRulesBelow(s *Schema, path string, all map[string]any) {
	for child, steps := range structural.Children(s) {
		below := path + fmt.Sprintf(strings.Repeat("%s.", len(steps)), steps...)
		if len(child.XValidations) > 0 {
			all[below+"x-kubernetes-validations"] = child.XValidations
		}
		addRulesBelow(child, below, all)
	}
}

// numeric and textual are rules that some types have no markers for.
var (
	numeric = []string{
		"exclusiveMaximum", "exclusiveMinimum", "maximum", "maxItems", "maxProperties", "minimum", "minItems", "minProperties", "multipleOf",
		"uniqueItems",
	}
	textual = []string{"enum", "maxLength", "minLength"}
)

// unmarkedUse returns the properties of elements that markers of lists and maps cannot express: defaults, null and, if no name of a type
// has them, rules for the values of maps.
func (n *node) unmarkedUse(holder *node) map[string]any {
	wanted := []string{"default", "nullable"}
	if n.shape == nil && n.form != foundType { // which has its own
		wanted = append(wanted, "externalDocs", "x-kubernetes-map-type")
	}
	if n.shape == nil && holder.form == mapping {
		wanted = append(wanted, "x-kubernetes-embedded-resource", "x-kubernetes-validations")
		if n.form == either || n.form == bytes64 {
			wanted = append(append(wanted, "pattern"), textual...)
		}
	}
	all := map[string]any{}
	for keyword, value := range n.keywords(wanted...) {
		all[fmt.Sprint(n.path[len(n.path)-1], ".", keyword)] = value
	}
	return all
}

// keywords returns the parts of a schema with the given names.
func (n *node) keywords(names ...string) map[string]any {
	only := shallow(n.schema)
	only.Default, only.Nullable = n.schema.Default, n.schema.Nullable
	all := map[string]json.RawMessage{}
	if encoded, err := json.Marshal(only); err == nil { // it was JSON in the source
		_ = json.Unmarshal(encoded, &all)
	}
	found := map[string]any{}
	for _, name := range names {
		if value, ok := all[name]; ok {
			found[name] = value
			if digits := n.integer(name); digits != "" && slices.Contains(numeric, name) {
				found[name] = json.RawMessage(digits)
			}
		}
	}
	return found
}

// isIntOrString reports whether schemas say only that a value is an integer or a string.
func isIntOrString(schemas []Schema) bool {
	encoded, err := json.Marshal(schemas)
	return err == nil && string(encoded) == `[{"type":"integer"},{"type":"string"}]`
}
