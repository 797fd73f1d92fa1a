package contract

// The reasons that several differences share.
const (
	noContext     = "A fake works in memory: it does not look at the context of a request."
	noPath        = "The client refuses a name that cannot be part of a path; a fake has no paths and does not find it."
	noNumber      = "A version that is not a number is one that nobody has: the error differs."
	noDiscovery   = "The fake discovery client of client-go answers; it words this error itself."
	noSubresource = "A server with custom resources words a missing subresource like a missing object."
	noNames       = "Discovery of a fake does not have the short names, categories and scale kinds of a definition."
	listEmpty     = "Items of an empty list are nil, as those of the other fakes."
	noDefaults    = "A fake does not add defaults after a conversion by function."
	scaleOfOwn    = "A fake validates a Scale itself; a server validates the custom resource too and words the error for it."
)

// differences are the probes that strict fakes do not answer as a server does, with the reasons.
var differences = map[string]string{
	"create/context-cancelled":                noContext,
	"get/context-cancelled":                   noContext,
	"create/resource-version-garbage":         noNumber,
	"update/version-garbage":                  noNumber,
	"status/version-garbage":                  noNumber,
	"patch/merge-version-garbage":             noNumber,
	"apply/version-garbage":                   noNumber,
	"scale/version-garbage":                   noNumber,
	"get/version-garbage":                     "A server answers reads with 500 that lists answer with 400; a fake answers all with 400.",
	"get/version-negative":                    "A server answers reads with 500 that lists answer with 400; a fake answers all with 400.",
	"watch/from-garbage":                      "A server answers watches with 500 that lists answer with 400; a fake answers all with 400.",
	"create/self-link":                        "A fake keeps a selfLink, which servers drop since v1.20.",
	"update/self-link-set":                    "A fake keeps a selfLink, which servers drop since v1.20.",
	"create/too-large":                        "A fake has no limit for the size of requests.",
	"delete/name-empty":                       noPath,
	"get/name-empty":                          noPath,
	"get/name-parent":                         noPath,
	"get/name-with-percent":                   noPath,
	"get/name-with-slash":                     noPath,
	"patch/name-empty":                        noPath,
	"apply/name-missing":                      noPath,
	"update/name-missing":                     "The client refuses an empty name with an error that is no API error; a fake makes it one.",
	"status/name-missing":                     "The client refuses an empty name with an error that is no API error; a fake makes it one.",
	"namespaces/name-with-slash":              noPath,
	"status/kind-without-subresource":         noSubresource,
	"status/kind-without-status":              noSubresource,
	"patch/unknown-subresource":               noSubresource,
	"patch/scale-of-a-kind-without":           noSubresource,
	"list/empty":                              listEmpty,
	"list/no-match":                           listEmpty,
	"list/continue-with-version":              "With version 0 and a continue token, a server ignores the limit; a fake does not.",
	"watch/from-version-too-old":              "A fake remembers its whole, short history.",
	"watch/from-future":                       "A fake sends events that are older than the version; a server waits for it.",
	"patch/merge-null":                        "The error for the patch null has another code.",
	"patch/merge-wrong-type-of-labels":        "Metadata of a wrong type is refused in other words.",
	"patch/merge-wrong-type-of-metadata":      "Metadata of a wrong type is refused in other words.",
	"patch/merge-api-version":                 "Another apiVersion is refused before validation, as for built-in kinds.",
	"patch/json-object":                       "The error names the Go type that the patch is decoded into.",
	"patch/duplicate-field-strict":            "A fake does not look for duplicate keys in a patch.",
	"apply/null":                              "An applied null is taken for a field that is not there.",
	"apply/unknown-field":                     "The schema of a server knows no fields but those of the definition; a fake prunes an unknown field first.",
	"scale/name-wrong":                        "The name on the URL and that of the Scale are the same to a fake.",
	"scale/name-missing":                      "The name on the URL and that of the Scale are the same to a fake.",
	"scale/negative":                          scaleOfOwn,
	"scale/patch-negative":                    scaleOfOwn,
	"scale/managed-fields":                    "A server leaves out the time of the manager that a scale gets; a fake has it.",
	"versions/default-of-other-version":       noDefaults,
	"versions/managed-fields-of-two-versions": noDefaults,
	"versions/update-old-read-new":            noDefaults,
	"discovery/categories":                    noNames,
	"discovery/names":                         noNames,
	"discovery/scale-kind":                    noNames,
	"discovery/resources-fleet-v1beta1":       "Discovery of a fake lists the kinds that have a client, also those that are never stored.",
	"discovery/invalid-version":               noDiscovery,
	"discovery/unknown-group":                 noDiscovery,
	"discovery/unknown-version":               noDiscovery,
	"discovery/unserved-version":              noDiscovery,
	"discovery/preferred-resources":           "The fake discovery client of client-go has no preferred resources.",
	"discovery/server-version":                "A fake discovery client has no version unless a test gives it one.",
}
