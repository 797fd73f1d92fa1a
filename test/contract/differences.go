package contract

// The reasons that several differences share.
const (
	noContext   = "A fake works in memory: it does not look at the context of a request."
	noDiscovery = "The fake discovery client of client-go answers; it words this error itself."
)

// differences are the probes that strict fakes do not answer as a server does, with the reasons.
var differences = map[string]string{
	"create/context-cancelled":      noContext,
	"get/context-cancelled":         noContext,
	"apply/name-missing":            "client-go words the refusal of a nil configuration for its fakes as it likes.",
	"watch/from-version-too-old":    "A fake remembers its whole, short history.",
	"patch/json-object":             "The error names the Go type that the patch is decoded into.",
	"patch/duplicate-field-strict":  "A fake does not look for duplicate keys in a patch.",
	"scale/name-wrong":              "The name on the URL and that of the Scale are the same to a fake.",
	"scale/name-missing":            "The name on the URL and that of the Scale are the same to a fake.",
	"scale/managed-fields":          "A server lists the manager of a scale, which has no time, first.",
	"discovery/invalid-version":     noDiscovery,
	"discovery/unknown-group":       noDiscovery,
	"discovery/unknown-version":     noDiscovery,
	"discovery/unserved-version":    noDiscovery,
	"discovery/preferred-resources": "The fake discovery client of client-go has no preferred resources.",
}
