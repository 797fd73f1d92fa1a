package model

// Index is a lookup of a lister and the index that it reads: +informergen:index.
type Index struct {
	// Name is the name of the index in the cache: "spec.regionName". Method is what the lister calls the lookup: "ByRegionName".
	Name, Method string
	// Of says what is indexed; one of the following fields says more.
	Of IndexOf
	// Path leads from the object to the values, for IndexOfField.
	Path []IndexStep
	// Value is the Go type of the values, such as "string" or "int32", or the name of a type of the API package if Local.
	Value string
	Local bool
	// Basic is what is behind Value: string, bool, int or uint.
	Basic string
	// Label is the key of a label, Func a function of the API package.
	Label, Func string
}

// IndexOf says what an index is of.
type IndexOf string

const (
	IndexOfField IndexOf = "field"
	IndexOfLabel IndexOf = "label"
	IndexOfOwner IndexOf = "owner"
	IndexOfFunc  IndexOf = "func"
)

// IndexStep leads from a value to those in it.
type IndexStep struct {
	// Field is the field of a struct, if the step is one.
	Field string
	// Into says what else is done: to what a pointer points, to each element of a slice, or each entry of a map.
	Into IndexInto
}

// IndexInto is a step that is not the selection of a field.
type IndexInto string

const (
	IntoPointer IndexInto = "pointer"
	IntoSlice   IndexInto = "slice"
	IntoMap     IndexInto = "map"
)

// HasEntries reports whether the index is of the entries of a map, whose lookup takes a key too.
func (i Index) HasEntries() bool {
	return len(i.Path) > 0 && i.Path[len(i.Path)-1].Into == IntoMap
}
