package contract

// Reasons for several differences.
const (
	noContext     = "Fakes ignore the context of a request."
	otherCEL      = "Strict fakes parse shard selectors and no other CEL, so their syntax errors have other texts."
	noListOptions = "client-go's fake metadata client drops the options of lists, but for label and field selectors."
	noDiscovery   = "client-go's fake discovery client returns this error with another message."
)

// differences are the probes for which strict fakes do not respond like a server, with the reasons.
var differences = map[string]string{
	"create/context-canceled":              noContext,
	"get/context-canceled":                 noContext,
	"apply/name-missing":                   "client-go's fakes reject a nil apply configuration with another message.",
	"watch/from-version-too-old":           "By default, fakes keep the last 10,000 changes of each resource, so no version of the probe is too old.",
	"untyped/create-embedded-labels-wrong": "Validation, and not decoding, reports malformed metadata of embedded resources: with status 422.",
	"definitions/version-column-type":      "Fakes print no tables, so crdfake only logs what is wrong with printer columns.",
	"scale/name-wrong":                     "Fakes cannot tell the name in the URL from the name of the Scale.",
	"scale/name-missing":                   "Fakes cannot tell the name in the URL from the name of the Scale.",
	"discovery/invalid-version":            noDiscovery,
	"discovery/unknown-group":              noDiscovery,
	"discovery/unknown-version":            noDiscovery,
	"discovery/unserved-version":           noDiscovery,
	"discovery/preferred-resources":        "client-go's fake discovery client has no preferred resources.",
	"sharded/spelled-comma-at-end":         otherCEL,
	"sharded/bad-syntax":                   otherCEL,
	"sharded/bad-other-expression":         otherCEL,
	"sharded/metadata":                     noListOptions,
	"sharded/built-in-metadata":            noListOptions,
	"sharded/built-in-dynamic":             "client-go's fake dynamic client drops shardInfo of lists.",
}
