package model

// Defaults are the generated functions of a package that set defaults.
type Defaults struct {
	// File is the name of the file in the package. Tag is the build tag that excludes it.
	File, Tag string
	// Imports are the packages that the functions refer to, Scheme the type of schemes.
	Imports []Import
	Scheme  string
	// Types are in the order of their names.
	Types []Defaulted
}

// Defaulted is a type with a generated function that sets all defaults in its objects.
type Defaulted struct {
	// Name is the identifier of the type, Type the type in the generated file.
	Name, Type string
	Root       *DefaultNode
}

// Func returns the name of the generated function.
func (d *Defaulted) Func() string { return ObjectDefaults(d.Name) }

// ObjectDefaults returns the name of the function that sets all defaults in the objects of a type.
func ObjectDefaults(typeName string) string { return "SetObjectDefaults_" + typeName }

// NameRegisterDefaults is the name of the function that adds all generated functions to a scheme.
const NameRegisterDefaults = "RegisterDefaults"

// DefaultNode is a value whose defaults are set: an object, or a part of the value that the parent describes.
type DefaultNode struct {
	// Field is the name of the field, Index and Key say that the value is an element of a slice or array, or a value of a map. Otherwise it
	// is the parent's value itself, seen as another type.
	Field             string
	Index, Array, Key bool
	// Pointer is true if a pointer leads to the value.
	Pointer bool
	// Calls are the functions that are called with a pointer to the value, in this order.
	Calls []string
	// Default is the value that is set in place of a missing value; nil without a default. Only is true if nothing else is set.
	Default *DefaultValue
	Only    bool
	// Children are the parts with defaults.
	Children []*DefaultNode
}

// DefaultValue is the default of a value.
type DefaultValue struct {
	// Value is a Go expression, or JSON.
	Value string
	// Unmarshal is the name of the function that decodes JSON; "" for an expression.
	Unmarshal string
	// Zero is the value that the default replaces, if it is a number, a text or a boolean; "" for nil.
	Zero string
	// Reference is true if Value names a constant or a variable, which Type converts.
	Reference bool
	Type      string
	// Pointers are the types that a chain of pointers leads to, from the outside; none if the value is no pointer.
	Pointers []DefaultPointee
}

// DefaultPointee is a type that a pointer leads to.
type DefaultPointee struct {
	Type string
	// Converted is true if a pointer to the next type has to be converted to this type.
	Converted bool
}
