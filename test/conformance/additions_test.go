package conformance

import "github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/allowed"

// additions are the exported symbols that only our output may have, for each input of the API comparison. Users who switch back
// to upstream lose them, so each needs a good reason.
var additions = map[string][]allowed.Addition{
	"examples": {
		{Package: "applyconfiguration/*/*", Symbol: "Extract*", Reason: "upstream writes them if it is given a schema; we have always one"},
	},
	"register": {
		{Package: "*/*", Symbol: "Kind", Reason: "handwritten registrations have it beside Resource, and code that used them needs it"},
	},
}
