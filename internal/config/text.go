package config

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v4"
)

// Keys returns the keys of an output in order: packages, and every flag except those about the file.
func Keys() []string {
	keys := []string{PackagesKey}
	defaults().VisitAll(func(flag *pflag.Flag) {
		if flagOf(flag.Name) != nil {
			keys = append(keys, flag.Name)
		}
	})
	return keys
}

// DefaultOf returns the default of a key that is a flag, as text.
func DefaultOf(key string) string {
	if flag := flagOf(key); flag != nil {
		return flag.DefValue
	}
	return ""
}

// defaults returns the flags with their defaults.
func defaults() *pflag.FlagSet {
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	new(Flags).Register(flags)
	return flags
}

// flagOf returns the flag for a key, or nil.
func flagOf(key string) *pflag.Flag {
	if key == "config" || key == "prune" {
		return nil
	}
	return defaults().Lookup(key)
}

// Keys that callers of Text set.
const (
	OutputDirKey = "output-dir"
	KindsKey     = "kinds"
)

// Roots is the value of KindsKey that selects controller-gen's root types.
const Roots = "roots"

const textHead = `# Configuration of informer-gen-lite. Keys are flags of generate; the command line takes precedence.
# Paths and packages are relative to this file. Lines that begin with # and no space show defaults.

# Packages to generate for, as patterns of the go command.
`

const textTail = `
# With several API roots, each has its own output. The keys above are defaults for all outputs.
#outputs: [{packages: [./apis/...], output-dir: pkg/generated}]
`

// Text returns a configuration file with the chosen keys. All other keys are comments with their defaults.
func Text(chosen map[string]any) string {
	var b strings.Builder
	b.WriteString(textHead)
	writeSetting(&b, PackagesKey, []string{"./..."}, chosen)
	defaults().VisitAll(func(flag *pflag.Flag) {
		if flagOf(flag.Name) == nil {
			return
		}
		_, usage := pflag.UnquoteUsage(flag)
		usage = strings.TrimSuffix(usage, ",…") // lists have their own form in the file
		fmt.Fprintf(&b, "\n# %s.\n", strings.ToUpper(usage[:1])+usage[1:])
		var value any = flag.DefValue
		switch v := flag.Value.(type) {
		case pflag.SliceValue:
			value = v.GetSlice()
		default:
			if v.Type() == "bool" {
				value = flag.DefValue == "true"
			}
		}
		writeSetting(&b, flag.Name, value, chosen)
	})
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
	if err := node.Encode(value); err != nil {
		return fmt.Sprint(value)
	}
	node.Style |= yaml.FlowStyle
	text, err := yaml.Marshal(&node)
	if err != nil {
		return fmt.Sprint(value)
	}
	return strings.TrimSpace(string(text))
}
