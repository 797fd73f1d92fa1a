package config

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Keys returns the keys of an output in order: packages, and every option that is not about the file.
func Keys() []string {
	keys := []string{PackagesKey}
	for _, o := range Options {
		if !o.FlagOnly {
			keys = append(keys, o.Flag)
		}
	}
	return keys
}

// DefaultOf returns the default of a key, or "" if it has none.
func DefaultOf(key string) string {
	if o := keyed(key); o != nil {
		return o.Default
	}
	return ""
}

const textHead = `# Configuration of informer-gen-lite. Keys are flags of generate; the command line takes precedence.
# Paths and packages are relative to this file. Lines that begin with # and no space show defaults.

# Packages to generate for, as patterns of the go command.
`

const textTail = `
# With several API roots, each has its own output. The keys above are defaults for all outputs.
#outputs: [{packages: [./apis/...], output-dir: pkg/generated}]

# Sources of the types of other projects: import adds them.
#imports: [{from: crds/other.yaml, into: apis}]
`

// Text returns a configuration file with the chosen keys. All other keys are comments with their defaults. The generators are the
// names of all generators.
func Text(chosen map[string]any, generators []string) string {
	var b strings.Builder
	b.WriteString(textHead)
	writeSetting(&b, PackagesKey, []string{"./..."}, chosen)
	values := Default()
	for _, o := range Options {
		if !o.FlagOnly {
			usage := strings.TrimSuffix(o.usage(generators), ",…") // lists have their own form in the file
			fmt.Fprintf(&b, "\n# %s.\n", strings.ToUpper(usage[:1])+usage[1:])
			writeSetting(&b, o.Flag, values.of(o).Interface(), chosen)
		}
	}
	b.WriteString(textTail)
	return b.String()
}

// writeSetting writes a key with its default as a comment, or with the chosen value.
func writeSetting(b *strings.Builder, key string, byDefault any, chosen map[string]any) {
	value, mark := byDefault, "#"
	if set, ok := chosen[key]; ok {
		value, mark = set, ""
	}
	fmt.Fprintf(b, "%s%s: %s\n", mark, key, FlowYAML(value))
}

// FlowYAML formats a value of the configuration on one line.
func FlowYAML(value any) string {
	var node yaml.Node
	_ = node.Encode(value) // values of options can be encoded
	node.Style |= yaml.FlowStyle
	text, _ := yaml.Marshal(&node)
	return strings.TrimSpace(string(text))
}
