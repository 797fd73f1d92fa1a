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
	// Reference is true if the type is a map or a slice: its methods have value receivers, and nil is copied too.
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
	// CopyInto calls the DeepCopyInto of the value.
	CopyInto CopyOp = "into"
	// CopyCall assigns the result of the method Call of the value.
	CopyCall CopyOp = "call"
	// CopyCallPointer assigns the value that the result of Call points to.
	CopyCallPointer CopyOp = "callPointer"
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
	// Nilable is true if the value may be nil. The copy is nil then.
	Nilable bool `json:",omitempty"`
	// Call is the method or function to call.
	Call string `json:",omitempty"`
	// Type is the type of the slice or map; for pointers, the type they point to.
	Type string `json:",omitempty"`
	// Elem describes how to copy the elements. ElemType is their type, if it is needed.
	Elem     *Copy  `json:",omitempty"`
	ElemType string `json:",omitempty"`
	// Fields are the fields of a struct for which assignment is not a deep copy.
	Fields []CopyField `json:",omitempty"`
}

// CopyField describes how to copy a field of a struct.
type CopyField struct {
	Name string
	*Copy
}

// Assigns reports whether assignment is a deep copy.
func (c *Copy) Assigns() bool { return c.Op == CopyAssign }

// Local variables and parameters of generated deep copies. In nested loops, a number follows the name.
const (
	CopyIn    = "in"
	CopyOut   = "out"
	CopyIndex = "i"
	CopyKey   = "key"
	CopyValue = "val"
	CopyEntry = "copied"
)

// CopyLocals are all of these names.
var CopyLocals = []string{CopyIn, CopyOut, CopyIndex, CopyKey, CopyValue, CopyEntry}

// CopyBuiltins are the predeclared identifiers that generated deep copies use.
var CopyBuiltins = []string{"copy", "len", "make", "new", "nil"}
