package model

// Conversions are the generated conversions of a package.
type Conversions struct {
	// File is the name of the file in the package. Tag is the build tag that excludes it.
	File, Tag string
	Imports   []Import
	// Scope, Scheme and Pointer are conversion.Scope, runtime.Scheme and unsafe.Pointer as the file refers to them; Pointer is "" if nothing
	// needs it.
	Scope, Scheme, Pointer string
	// Generated and Functions are registered with the scheme: generated and handwritten functions.
	Generated, Functions []RegisteredConversion
	// Conversions are the generated functions.
	Conversions []Conversion
	// InImports are the functions, by import path and name, that were found where conversion-gen does not look.
	InImports []string
}

// RegisteredConversion is a function that is registered for a pair of types.
type RegisteredConversion struct{ In, Out, Func string }

// Conversion is a generated function from one type to another.
type Conversion struct {
	// In and Out are the types, Name the part of the function's name after auto.
	In, Out, Name string
	// Public is true if there is a public function, too; false if that is handwritten.
	Public bool
	// Plan says how values are converted. Values says how fields are read from the parameters of a URL, if that is the type in.
	Plan   *Convert
	Values []FromValues
}

// ConvertOp is a way to convert what in points to, into what out points to.
type ConvertOp string

const (
	// ConvertAssign assigns the value.
	ConvertAssign ConvertOp = "assign"
	// ConvertCast converts the value to Type, in the sense of Go.
	ConvertCast ConvertOp = "cast"
	// ConvertUnsafe takes the memory of the value for a value of Type.
	ConvertUnsafe ConvertOp = "unsafe"
	// ConvertUnsafePointer does so with a pointer.
	ConvertUnsafePointer ConvertOp = "unsafe pointer"
	// ConvertCall calls Func.
	ConvertCall ConvertOp = "call"
	// ConvertCallPointers calls Func for what elements point to, unless that is nil.
	ConvertCallPointers ConvertOp = "call pointers"
	// ConvertMap allocates a map of Type, and converts the keys and values.
	ConvertMap ConvertOp = "map"
	// ConvertSlice allocates a slice of Type, and converts the elements.
	ConvertSlice ConvertOp = "slice"
	// ConvertPointer allocates a Type, and converts the value behind the pointer.
	ConvertPointer ConvertOp = "pointer"
	// ConvertStruct converts the fields.
	ConvertStruct ConvertOp = "struct"
	// ConvertNothing leaves a comment.
	ConvertNothing ConvertOp = "nothing"
)

// Convert describes how to convert a value.
type Convert struct {
	Op ConvertOp
	// Type is the type of the result; for pointers, the type they point to.
	Type string `json:",omitempty"`
	// Func is the function to call.
	Func string `json:",omitempty"`
	// Key is the type that keys of a map are converted to; "" if they are assigned.
	Key string `json:",omitempty"`
	// NoKeys is true if keys cannot be converted: the result is empty.
	NoKeys bool `json:",omitempty"`
	// Copy is true for slices that are copied at once.
	Copy bool     `json:",omitempty"`
	Elem *Convert `json:",omitempty"`
	// Pointee is the type that the elements point to, for ConvertCallPointers.
	Pointee string `json:",omitempty"`
	// Note is the comment in place of code.
	Note   string         `json:",omitempty"`
	Fields []ConvertField `json:",omitempty"`
}

// ConvertField describes how to convert a field of a struct.
type ConvertField struct {
	Name string
	*Convert
}

// FromValues describes how a field is read from the parameters of a URL.
type FromValues struct {
	Name, Parameter string
	// Read is the way to read the values; its function takes a pointer to all values. Otherwise, the field is First: the first value.
	Read  *Convert
	First bool
	// Zero is the value of the field if the URL has none; "" if the field stays unchanged.
	Zero string
	// Note is the comment in place of code.
	Note string
}

// ConvertLocals are the local variables and parameters of generated conversions.
var ConvertLocals = []string{"in", "out", "s", "err", "i", "key", "val", "newVal", "values", "ok", "a", "b", "scope"}

// InImports returns the functions that conversions of the API call and that conversion-gen would not find.
func (a *API) InImports() (functions []string) {
	for _, pkg := range a.Packages {
		if pkg.Conversions != nil {
			functions = append(functions, pkg.Conversions.InImports...)
		}
	}
	return functions
}
