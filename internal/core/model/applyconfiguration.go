package model

import "slices"

// ApplyConfigurations are the builders for server-side apply (KEP-555): for each type reachable from a kind, a struct with
// optional fields only.
type ApplyConfigurations struct {
	// Packages are in the order of their folders.
	Packages []*ApplyPackage
	// Schema is the structured-merge-diff schema of all kinds with apply verbs, in YAML.
	Schema string
}

// ViaJSON reports whether objects of a kind have to be converted by encoding/json.
func (a *ApplyConfigurations) ViaJSON() bool {
	return a != nil && slices.ContainsFunc(a.Packages, func(pkg *ApplyPackage) bool {
		return slices.ContainsFunc(pkg.Types, func(t *ApplyType) bool { return t.ViaJSON })
	})
}

// ApplyPackage holds the apply configurations of the types that one Go package declares.
type ApplyPackage struct {
	// Folder is the directory below the root of the apply configurations, Package the name of the Go package there.
	Folder, Package string
	// Source is the import path of the package that declares the types, SourceAlias its alias in code that imports all of them.
	Source, SourceAlias string
	// Group and Version are the API group and version of the types, for messages. GroupVersion is the same as a Go expression of type
	// schema.GroupVersion, in code that imports the package as SourceAlias; "" if the package belongs to no API.
	Group, Version, GroupVersion string
	// Imports are the packages that the fields' types refer to. Each has a unique name.
	Imports []Import
	// Types are in the order of their names without case.
	Types []*ApplyType
}

// Import is an import of a generated file.
type Import struct {
	Alias, Path string
	// Gap is true if a blank line is above the import.
	Gap bool
	// Apply is true if the path is a folder below the root of the apply configurations.
	Apply bool
}

// ApplyType is the apply configuration of one Go type.
type ApplyType struct {
	// Name is the name of the Go type, Doc its comment, line by line.
	Name string
	Doc  []string
	// Client is true if the type is a kind with a client.
	Client bool
	// TypeMeta is true if objects of the type have a kind. Kind and APIVersion are their kind and API version.
	TypeMeta         bool
	Kind, APIVersion string
	// GoType is the type in Go code with the package's imports.
	GoType string
	// SchemaName is the name of the type in the schema; "" if it has no entry.
	SchemaName string
	// Encodes is true if the type itself, not its fields, determines its JSON.
	Encodes bool
	// ViaJSON is true if objects of the kind have to be converted by encoding/json.
	ViaJSON bool
	// Subresources are the subresources through which fields may have been applied.
	Subresources []Subresource
	Fields       []ApplyField
	Setters      []ApplySetter
	Getters      []ApplyGetter
	// Ensured are the embedded structs that setters allocate if they are nil.
	Ensured []ApplyEmbedded
}

// Builder returns the name of the apply configuration.
func (t *ApplyType) Builder() string { return t.Name + "ApplyConfiguration" }

// Subresource is a subresource with its names in the API and in Go identifiers: "status", "Status".
type Subresource struct{ Name, GoName string }

// StatusSubresource is the subresource of the status.
var StatusSubresource = Subresource{Name: "status", GoName: "Status"}

// ApplyField is a field of an apply configuration.
type ApplyField struct {
	// Doc is the comment, line by line.
	Doc []string
	// Name is "" for embedded fields.
	Name string
	// Type is the Go type in code with the package's imports, and JSON the json tag.
	Type, JSON string
}

// SetterForm is the kind of a setter.
type SetterForm string

const (
	// SetPointer takes a value and stores its address.
	SetPointer SetterForm = "pointer"
	// SetValue stores its argument.
	SetValue SetterForm = "value"
	// Append appends any number of values.
	Append SetterForm = "append"
	// AppendPointed takes addresses and appends the values.
	AppendPointed SetterForm = "appendPointed"
	// PutEntries takes a map and adds its entries to the existing map.
	PutEntries SetterForm = "entries"
)

// ApplySetter is a method that sets a field, possibly of an embedded struct.
type ApplySetter struct {
	// Name is the name of the field, Path the selector that leads to it from the builder.
	Name, Path string
	Form       SetterForm
	// Type is the type of the parameter; for the appending forms, the type of one value.
	Type string
	// Pointer is true if the field is a pointer to the slice to append to.
	Pointer bool
	// Ensure are the functions to call first.
	Ensure []string
}

// ApplyGetter is a method that returns a field.
type ApplyGetter struct {
	Name, Path, Type string
	Ensure           []string
}

// ApplyEmbedded is an embedded pointer to a struct.
type ApplyEmbedded struct {
	// Func is the name of the function that allocates the struct, Path the selector that leads to it, Type its type.
	Func, Path, Type string
	// After is the name of the setter that the function follows, or "" for a function before all setters.
	After string
}

// ApplyFolder returns the folder of the apply configurations for the types of a version's package, which corresponds to the
// folder of its clients.
func (v *Version) ApplyFolder() string { return v.GroupFolder + "/" + v.Folder }
