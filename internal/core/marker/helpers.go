package marker

// Names of the markers for conversions and defaults.
const (
	// ConversionGen names a package with the peers of the types, or excludes a type or a field.
	ConversionGen = "k8s:conversion-gen"
	// ConversionTypes names the package with the types.
	ConversionTypes = "k8s:conversion-gen-external-types"
	// ConversionFrom adds conversions from other types.
	ConversionFrom = "k8s:conversion-gen:explicit-from"
	// ConversionFn qualifies a handwritten conversion function.
	ConversionFn = "k8s:conversion-fn"
	// DefaulterGen names the fields that types with defaults have, requests defaults for a type or excludes it, or qualifies a function.
	DefaulterGen = "k8s:defaulter-gen"
	// DefaulterTypes names the package with the types.
	DefaulterTypes = "k8s:defaulter-gen-input"
	// Default is the default of a field or a type.
	Default = "default"
)

// helpers declares the markers for conversions and defaults.
var helpers = []Declaration{
	{Name: ConversionGen, Level: OnAny, Value: anyText, Repeatable: true, Syntax: "=path|false",
		Example: "+k8s:conversion-gen=example.com/fleet/apis/fleet",
		Summary: "conversions between the types of the package and the types of the same names in the package with this import path; " +
			"false on a type or a field excludes it; repeatable"},
	{Name: ConversionTypes, Level: OnPackage, Value: anyText, Syntax: "=path",
		Example: "+k8s:conversion-gen-external-types=example.com/fleet/api/v1",
		Summary: "the package with the types, if it is not the package that gets the conversions"},
	{Name: ConversionFrom, Level: OnType, Value: anyText, Repeatable: true, Syntax: "=net/url.Values",
		Example: "+k8s:conversion-gen:explicit-from=net/url.Values",
		Summary: "a conversion from the parameters of a URL; repeatable"},
	{Name: DefaulterGen, Level: OnAny, Value: optionalText, Repeatable: true, Syntax: "=Field|true|false|covers",
		Example: "+k8s:defaulter-gen=TypeMeta",
		Summary: "defaults for the types of the package that have this field; true or false on a type; " +
			"covers on a handwritten function that sets all defaults below the type; repeatable"},
	{Name: DefaulterTypes, Level: OnPackage, Value: anyText, Syntax: "=path", Example: "+k8s:defaulter-gen-input=example.com/fleet/api/v1",
		Summary: "the package with the types, if it is not the package that gets the defaults"},
}
