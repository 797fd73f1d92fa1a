package config

import (
	"fmt"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
)

const textHead = `# Configuration of informer-gen-lite. option.Keys are flags of generate; the command line takes precedence.
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
	writeSetting(&b, option.PackagesKey, []string{"./..."}, chosen)
	values := option.Default()
	for _, o := range option.Options {
		if !o.FlagOnly {
			usage := strings.TrimSuffix(o.Usage(generators), ",…") // lists have their own form in the file
			fmt.Fprintf(&b, "\n# %s.\n", strings.ToUpper(usage[:1])+usage[1:])
			writeSetting(&b, o.Flag, values.Of(o).Interface(), chosen)
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
	fmt.Fprintf(b, "%s%s: %s\n", mark, key, option.FlowYAML(value))
}
