// Package known recognizes the types of Kubernetes in the schemas of CustomResourceDefinitions.
package known

import (
	"context"
	_ "embed"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/mod/modfile"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
)

// Types are the types of Kubernetes that a module can import. They are not safe for concurrent use.
type Types struct {
	universe *gotype.Universe
}

// Found is the type for a schema.
type Found struct {
	// Type has the import path and the name.
	Type model.Type
	// Lacking are the paths of properties that only the Go type has, sorted, such as "containers[].resizePolicy". Paths below these are
	// left out. An object for which the schema has no properties lacks All of them: "metadata.*".
	Lacking []string
}

// All is the last element of the path of all properties of an object.
const All = "*"

// core is the package that every module must have.
const core = "k8s.io/api/core/v1"

// Load reads the types of Kubernetes that a module can import, at the releases in its go.mod; dir is an absolute directory in the
// module. If go.mod does not require Kubernetes, Load reads the newest release that this program knows. If that cannot be read either, the
// error is a diag.List that says what to go get.
func Load(ctx context.Context, dir string) (*Types, error) {
	owner, err := module.Owner(dir)
	if err != nil {
		return nil, err
	}
	file, err := module.ReadFile(owner.Dir)
	if err != nil {
		return nil, err
	}
	version := module.KubernetesVersion(file, module.ClientGoVersion)
	cfg := load.Config{Dir: dir, Complete: func(copied *modfile.File) error { return module.Complete(copied, version) }}
	for _, row := range Table() {
		if !slices.Contains(cfg.Patterns, row.Package) {
			cfg.Patterns = append(cfg.Patterns, row.Package)
		}
	}
	loaded, diags, err := load.Packages(ctx, cfg)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err == nil {
		t := &Types{gotype.NewUniverse(ctx, loaded)}
		if t.universe.Lookup(core, "Container") != nil { // a vendor directory may lack the other packages
			return t, nil
		}
		err = append(diags, diag.Diagnostic{Message: "no type Container"})[:1] // all packages of a module have the same problem
	}
	return nil, diag.List{{
		Pos:     token.Position{Filename: filepath.Join(owner.Dir, "go.mod"), Line: 1, Column: 1},
		Message: "cannot read " + core + ": " + err.Error(), Hint: "run go get k8s.io/api@" + version, Cause: err,
	}}
}

// Recognize returns the type for the schema of a property. Names lead to it, outermost first: the kind, then properties. Elements of
// lists and maps have the name of the list or map.
func (t *Types) Recognize(names []string, schema *apiextensionsv1.JSONSchemaProps) (best Found, ok bool) {
	for _, row := range Table() {
		if !row.means(names, schema) {
			continue
		}
		decl := t.universe.Lookup(row.Package, row.Name)
		if decl == nil {
			continue // newer than the release
		}
		c := comparison{universe: t.universe}
		if c.fits("", schema, t.universe.Type(decl)) && (!ok || len(c.lacking) < len(best.Lacking)) {
			slices.Sort(c.lacking)
			best, ok = Found{Type: model.Type{Package: row.Package, Name: row.Name}, Lacking: c.lacking}, true
		}
	}
	return best, ok
}

// Markdown is the table for the documentation: a row for each of Table. Signatures name properties that types have had for long, because
// definitions were made with older releases.
//
//go:embed table.md
var Markdown string

// Row says which schemas mean a type.
type Row struct {
	// Package is the import path, and Name the name of the type.
	Package, Name string
	// Form is the form of the schema. Signature are the paths of properties that it must have.
	Form      Form
	Signature []string
	// Named are endings of the property's name: it must have one of them, if there are any. A whole name begins with a small letter.
	Named []string
	// About are words: the name of a property must contain one of them, if there are any. The innermost name that has a word either of
	// About or of Unlike decides. If no name does, and there is an Unlike, then the descriptions decide.
	About, Unlike []string
}

// Table returns all rows. If several types fit, the type that lacks the fewest properties is used, and the first row of these.
var Table = sync.OnceValue(func() (rows []Row) {
	for line := range strings.Lines(strings.ReplaceAll(Markdown, "`", "")) {
		cells := strings.Split(line, "|")
		dot := strings.LastIndex(cells[1], ".")
		if dot < 0 {
			continue // the header
		}
		row := Row{
			Package: strings.TrimSpace(cells[1][:dot]), Name: strings.TrimSpace(cells[1][dot+1:]),
			Named: strings.Fields(cells[3]), About: strings.Fields(cells[4]), Unlike: strings.Fields(cells[5]),
		}
		if form := strings.Split(cells[2], "*"); len(form) > 1 {
			row.Form = Form(form[1])
		} else {
			row.Form, row.Signature = Object, strings.Fields(cells[2])
		}
		rows = append(rows, row)
	}
	return rows
})

// means reports whether a schema, and the names that lead to it, have all that the row asks for.
func (r Row) means(names []string, schema *apiextensionsv1.JSONSchemaProps) bool {
	name := names[len(names)-1]
	ends := func(with string) bool {
		return strings.HasSuffix(name, with) || name == strings.ToLower(with[:1])+with[1:]
	}
	return formOf(schema) == r.Form &&
		!slices.ContainsFunc(r.Signature, func(path string) bool { return !has(schema, strings.Split(path, ".")) }) &&
		(len(r.Named) == 0 || slices.ContainsFunc(r.Named, ends)) &&
		(len(r.About) == 0 || r.isAbout(names[1:], schema))
}

// has reports whether a schema, or the schema of the elements of a list, has a property at a path.
func has(schema *apiextensionsv1.JSONSchemaProps, path []string) bool {
	if len(path) == 0 {
		return true
	}
	if schema.Items != nil && schema.Items.Schema != nil {
		schema = schema.Items.Schema
	}
	property, ok := schema.Properties[path[0]]
	return ok && has(&property, path[1:])
}

// isAbout reports whether the names of properties, or else descriptions, have a word of About rather than of Unlike.
func (r Row) isAbout(names []string, schema *apiextensionsv1.JSONSchemaProps) bool {
	texts := slices.Clone(names)
	slices.Reverse(texts)
	if len(r.Unlike) > 0 {
		descriptions := []string{schema.Description}
		for _, property := range schema.Properties {
			descriptions = append(descriptions, property.Description)
		}
		texts = append(texts, strings.Join(descriptions, " "))
	}
	for _, text := range texts {
		in := func(word string) bool { return strings.Contains(strings.ToLower(text), word) }
		if is := slices.ContainsFunc(r.About, in); is != slices.ContainsFunc(r.Unlike, in) {
			return is
		}
	}
	return false
}

// Form is the form of JSON values that a schema describes.
type Form string

// The forms.
const (
	// Object has properties. Bare is an object without properties, whose contents the schema leaves open.
	Object Form = "object"
	Bare   Form = "object without properties"
	// Map is a map with values of a schema; Quantities has quantities.
	Map        Form = "map"
	Quantities Form = "map of quantities"

	Array       Form = "array"
	String      Form = "string"
	DateTime    Form = "string of format date-time"
	Bytes       Form = "string of format byte"
	Boolean     Form = "boolean"
	Number      Form = "number"
	Integer     Form = "integer"
	Long        Form = "integer of format int64"
	IntOrString Form = "integer or string"
	Quantity    Form = "integer or string with the pattern of quantities"
	// Anything has fields that the schema does not tell.
	Anything Form = "anything"
)

// QuantityPattern is the pattern that controller-gen writes for quantities.
const QuantityPattern = `^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`

// formOf returns the form of a schema.
func formOf(schema *apiextensionsv1.JSONSchemaProps) Form {
	if schema.XPreserveUnknownFields != nil && *schema.XPreserveUnknownFields {
		return Anything
	}
	if schema.XIntOrString || schema.Format == "int-or-string" {
		if schema.Pattern == QuantityPattern {
			return Quantity
		}
		return IntOrString
	}
	switch form := Form(schema.Type); {
	case schema.Type == "object":
		return objectForm(schema)
	case form == Array && schema.Items != nil && schema.Items.Schema != nil, form == Boolean, form == Number:
		return form
	case form == String && schema.Format == "date-time":
		return DateTime
	case form == String && schema.Format == "byte":
		return Bytes
	case form == Integer && schema.Format == "int64":
		return Long
	case form == String, form == Integer:
		return form
	}
	return Anything
}

func objectForm(schema *apiextensionsv1.JSONSchemaProps) Form {
	switch others := schema.AdditionalProperties; {
	case len(schema.Properties) > 0:
		return Object
	case others == nil:
		return Bare
	case others.Schema == nil:
		return Anything
	case formOf(others.Schema) == Quantity:
		return Quantities
	}
	return Map
}

// encoded are the forms of types with JSON of their own.
var encoded = map[string][]Form{
	"k8s.io/apimachinery/pkg/apis/meta/v1.Time":       {DateTime},
	"k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime":  {DateTime},
	"k8s.io/apimachinery/pkg/apis/meta/v1.Duration":   {String},
	"k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1":   {Bare, Anything},
	"k8s.io/apimachinery/pkg/runtime.RawExtension":    {Bare, Object, Map, Quantities, Anything},
	"k8s.io/apimachinery/pkg/api/resource.Quantity":   {Quantity}, // it decodes no other string
	"k8s.io/apimachinery/pkg/util/intstr.IntOrString": {IntOrString},
}

// comparison compares a schema with a Go type.
type comparison struct {
	universe *gotype.Universe
	// lacking are the property paths that only the type has.
	lacking []string
}

// fits reports whether a type has all properties of the schema at a path.
func (c *comparison) fits(path string, schema *apiextensionsv1.JSONSchemaProps, t types.Type) bool {
	t = gotype.Pointee(t)
	form := formOf(schema)
	if c.universe.Encoding(t) != gotype.Structured {
		return slices.Contains(c.encoded(t), form)
	}
	switch t := c.universe.Underlying(t).(type) {
	case *types.Basic:
		return slices.Contains(formsOf(t), form)
	case *types.Slice:
		if elem, ok := c.universe.Underlying(t.Elem()).(*types.Basic); ok && elem.Kind() == types.Byte {
			return form == Bytes
		}
		return form == Array && c.fits(path+"[]", schema.Items.Schema, t.Elem())
	case *types.Map:
		return form == Bare && c.bare(path) ||
			(form == Map || form == Quantities) && c.fits(path+"[]", schema.AdditionalProperties.Schema, t.Elem())
	case *types.Struct:
		return form == Bare && (t.NumFields() == 0 || c.bare(path)) || form == Object && c.fieldsFit(path, schema, t)
	}
	return false
}

// bare notes that servers drop all properties of an object at a path, and returns true.
func (c *comparison) bare(path string) bool {
	c.lacking = append(c.lacking, strings.TrimPrefix(path+"."+All, "."))
	return true
}

// fieldsFit reports whether a struct has all properties of a schema.
func (c *comparison) fieldsFit(path string, schema *apiextensionsv1.JSONSchemaProps, t *types.Struct) bool {
	fields, _ := c.universe.JSONFields(t)
	both := 0
	for _, field := range fields {
		below := strings.TrimPrefix(path+"."+field.Name, ".")
		property, ok := schema.Properties[field.Name]
		if c.always(field) && !slices.Contains(schema.Required, field.Name) {
			return false // the type would invent the property
		}
		if !ok {
			c.lacking = append(c.lacking, below)
			continue
		}
		if !c.fits(below, &property, field.Var().Type()) {
			return false
		}
		both++
	}
	return both == len(schema.Properties)
}

// always reports whether the JSON of a struct always has a value for a field, which the schema may refuse. Null does not count, because
// servers drop it, nor do empty objects.
func (c *comparison) always(field gotype.JSONField) bool {
	if field.Tag.Has("omitempty") || field.Tag.Has("omitzero") {
		return false
	}
	t := field.Var().Type()
	_, isBasic := c.universe.Underlying(t).(*types.Basic)
	forms := c.encoded(t)
	return isBasic || slices.ContainsFunc(forms, func(f Form) bool { return f == String || f == IntOrString || f == Quantity })
}

// encoded returns the forms of a type with JSON of its own, if the table has it.
func (c *comparison) encoded(t types.Type) []Form {
	decl := c.universe.Decl(t)
	if decl == nil {
		return nil
	}
	return encoded[decl.Package.Path+"."+decl.Name()]
}

// formsOf returns the forms of a basic type.
func formsOf(t *types.Basic) []Form {
	switch {
	case t.Info()&types.IsBoolean != 0:
		return []Form{Boolean}
	case t.Info()&types.IsString != 0:
		return []Form{String, DateTime}
	case t.Info()&types.IsFloat != 0:
		return []Form{Number}
	case t.Kind() == types.Int64 || t.Kind() == types.Int:
		return []Form{Integer, Long}
	case t.Info()&types.IsInteger != 0:
		return []Form{Integer}
	}
	return nil
}
