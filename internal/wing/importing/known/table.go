package known

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

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

// Table returns all rows. If several types fit, the one that lacks the fewest properties is used, and the first one of these.
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

// has reports whether a schema, or that of the elements of a list, has a property at a path.
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
