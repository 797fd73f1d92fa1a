package model

// Index is a +informergen:index marker: an index of the informer and a lookup in the package of the lister.
type Index struct {
	// Name is the name of the index in the cache, such as "spec.regionName"; Method is the end of the lookup's name, after the kind, such
	// as "ByRegionName".
	Name, Method string
	// Of selects which of the fields below apply.
	Of IndexOf
	// Path leads from the object to the values, for IndexOfField.
	Path Path
	// Value is the Go type of the values, such as "string" or "int32". If Local is true, it is the name of a type of the API package.
	Value string
	Local bool
	// Label is the key of a label, Func a function of the API package.
	Label, Func string
}

// IndexOf is the source of the values of an index.
type IndexOf string

// The sources of index values.
const (
	IndexOfField IndexOf = "field"
	IndexOfLabel IndexOf = "label"
	IndexOfOwner IndexOf = "owner"
	IndexOfFunc  IndexOf = "func"
)

// HasEntries reports whether the values are entries of a map. The lookup then takes a key and a value.
func (i Index) HasEntries() bool {
	return len(i.Path) > 0 && i.Path[len(i.Path)-1].Into == IntoMap
}
