package config

import "cmp"

// removed has flags and keys that earlier states of main had, and what to do instead. Those of a single command have its name in front.
var removed = map[string]string{
	"openapi-schema": "omit it: the schema of apply configurations follows from the types",
	"timings":        "run time informer-gen-lite generate",

	"import from-cluster": "run kubectl get crd NAME… -o yaml | informer-gen-lite import - --group GROUP",
	"import kubeconfig":   "run kubectl --kubeconfig FILE get crd NAME… -o yaml | informer-gen-lite import -",
	"import context":      "run kubectl --context CONTEXT get crd NAME… -o yaml | informer-gen-lite import -",
}

// Removed returns what to do instead of a flag of a command, or of a key if the command is empty; "" if it was not removed.
func Removed(command, name string) string { return cmp.Or(removed[command+" "+name], removed[name]) }
