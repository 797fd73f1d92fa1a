package controller

var (
	BuiltinPlurals  = builtinPlurals
	FindGenerated   = findGenerated
	FindBuiltinKind = findBuiltinKind
	Since           = since
)

// EachBuiltin calls f for each built-in kind.
func EachBuiltin(f func(folder, group, version, kind string)) {
	for _, group := range builtins {
		for version, kinds := range group.kinds {
			for _, kind := range kinds {
				f(group.folder(), group.name, version, kind)
			}
		}
	}
}
