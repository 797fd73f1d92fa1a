package option

// The names of the warnings of package traps. Users switch them off by these names.
const (
	SchemaEncoding = "schema-encoding"
	YAMLBooleans   = "yaml-booleans"
	UnsetDefaults  = "unset-defaults"
	JSONv2         = "json-v2"
	GoFix          = "go-fix"
)

// warningsOff is the row of Options for warnings of package traps.
var warningsOff = Option{
	Flag: "warnings-off", Field: "WarningsOff", Kind: Choices,
	Values: []string{SchemaEncoding, YAMLBooleans, UnsetDefaults, JSONv2, GoFix},
	Help:   "warnings of traps that are not printed",
	Doc:    "warnings of [traps](usage.md#warnings-of-traps) that are not printed, with `--strict`, too",
}
