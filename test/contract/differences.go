package contract

// Reasons for several differences.
const (
	noContext   = "Fakes ignore the context of a request."
	noDiscovery = "client-go's fake discovery client returns this error with another message."
)

// differences are the probes for which strict fakes do not respond like a server, with the reasons.
var differences = map[string]string{
	"create/context-cancelled":      noContext,
	"get/context-cancelled":         noContext,
	"apply/name-missing":            "client-go's fakes reject a nil apply configuration with another message.",
	"watch/from-version-too-old":    "By default, fakes keep the last 10,000 changes of each resource, so no version of the probe is too old.",
	"patch/json-object":             "The error contains the Go type that the patch is decoded into.",
	"patch/duplicate-field-strict":  "Fakes do not check patches for duplicate keys.",
	"scale/name-wrong":              "Fakes cannot tell the name in the URL from the name of the Scale.",
	"scale/name-missing":            "Fakes cannot tell the name in the URL from the name of the Scale.",
	"scale/managed-fields":          "Servers list the field manager of a scale first, without a time.",
	"discovery/invalid-version":     noDiscovery,
	"discovery/unknown-group":       noDiscovery,
	"discovery/unknown-version":     noDiscovery,
	"discovery/unserved-version":    noDiscovery,
	"discovery/preferred-resources": "client-go's fake discovery client has no preferred resources.",
}
