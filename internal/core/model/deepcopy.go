package model

// DeepCopies are the generated deep copy methods of a package.
type DeepCopies struct {
	// File is the name of the file in the package.
	File string
	// Imports are the packages that the types refer to.
	Imports []Import
	// Suffix is added to the names of local variables, so that they do not shadow types of the package.
	Suffix string
	// Types are in the order of their names.
	Types []DeepCopy
	// Helpers are the functions that copy recursive types without methods.
	Helpers []CopyHelper
}

// DeepCopy is a type with generated methods.
type DeepCopy struct {
	Name       string
	TypeParams []string
	// Reference is true if the type is a map or a slice: its methods have value receivers.
	Reference bool
	// Into and Copy report whether DeepCopyInto and DeepCopy are generated; otherwise they are handwritten.
	Into, Copy bool
	// Value is true if a handwritten DeepCopy does not return a pointer.
	Value bool
	// Plan describes DeepCopyInto.
	Plan *Copy
	// Interfaces are the interfaces to generate DeepCopy… for, with value receivers if NonPointer is true.
	Interfaces []CopyInterface
	NonPointer bool
}

// Methods returns the names of the generated methods.
func (d *DeepCopy) Methods() []string {
	var names []string
	if d.Into {
		names = append(names, "DeepCopyInto")
	}
	if d.Copy {
		names = append(names, "DeepCopy")
	}
	for _, i := range d.Interfaces {
		names = append(names, "DeepCopy"+i.Name)
	}
	return names
}

// CopyInterface is an interface that a generated method returns a copy as.
type CopyInterface struct {
	// Name is the identifier in its package, Type the type in the generated file.
	Name, Type string
}

// CopyHelper is a function that copies from one pointer to another.
type CopyHelper struct {
	Name, Type string
	Plan       *Copy
}

// CopyOp is a way to copy a value.
type CopyOp string

const (
	// CopyAssign assigns: the value contains no references.
	CopyAssign CopyOp = "assign"
	// CopyMethods calls the deep copy methods of the type.
	CopyMethods CopyOp = "methods"
	// CopyCall assigns the result of the method Call of an interface, unless it is nil.
	CopyCall CopyOp = "call"
	// CopyHelp calls the helper Call.
	CopyHelp CopyOp = "help"
	// CopyPointer allocates a new value and copies into it.
	CopyPointer CopyOp = "pointer"
	// CopySlice allocates a slice and copies each element.
	CopySlice CopyOp = "slice"
	// CopyArray copies each element of an array.
	CopyArray CopyOp = "array"
	// CopyMap allocates a map and copies each value.
	CopyMap CopyOp = "map"
	// CopyStruct assigns the struct and copies the fields that need it.
	CopyStruct CopyOp = "struct"
)

// Copy describes how to copy a value.
type Copy struct {
	Op CopyOp
	// Call is the method or function to call.
	Call string `json:",omitempty"`
	// Methods are the methods of the type for CopyMethods.
	Methods CopyMethodSet `json:",omitzero"`
	// Type is the type of the slice or map; for pointers, the type they point to.
	Type string `json:",omitempty"`
	// Elem describes how to copy the elements. ElemType is the type of the values of a map, if a variable of that type is needed.
	Elem     *Copy  `json:",omitempty"`
	ElemType string `json:",omitempty"`
	// Fields are the fields of a struct that are copied after its assignment: those for which assignment is not a deep copy and, because
	// code-generator writes them, too, structs and arrays for which it is one.
	Fields []CopyField `json:",omitempty"`
}

// CopyMethodSet describes the deep copy methods of a type.
type CopyMethodSet struct {
	// Into is true if the type has DeepCopyInto. Value and Pointer say what DeepCopy returns; without DeepCopy, both are false.
	Into, Value, Pointer bool
	// ByHand is true if any of them is handwritten.
	ByHand bool
}

// CopyField describes how to copy a field of a struct.
type CopyField struct {
	Name string
	*Copy
}

// CopyLocals are the local variables and parameters of generated deep copies.
var CopyLocals = []string{"in", "out", "i", "key", "val", "outVal", "x", "c", "clone"}

// CopyBuiltins are the predeclared identifiers that generated deep copies use.
var CopyBuiltins = []string{"copy", "len", "make", "new", "nil"}
