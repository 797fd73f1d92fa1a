package option

import (
	"errors"
	"strings"

	"go.yaml.in/yaml/v4"
)

// FileName is the file at the root of a module that carries the flags.
const FileName = ".informer-gen.yaml"

// The keys of the configuration file that are not flags.
const (
	PackagesKey = "packages"
	OutputsKey  = "outputs"
)

// Question begins values that the user still has to fill in: migrate could not determine them. The rest of the value says where and why.
const Question = "?"

// Edit is a configuration file with more keys.
type Edit struct {
	// Name is the absolute name of the file, Text its new text, and Keys the added keys; none if the file has them all.
	Name string
	Text []byte
	Keys []string
	// Lacking are the Deployments that the file does not name although it names others.
	Lacking []string
}

// ErrFlowStyle is the error for configuration files to which keys can only be added by hand.
var ErrFlowStyle = errors.New("the top level is not a block of keys")

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
	if o := Keyed(key); o != nil {
		return o.Default
	}
	return ""
}

// FlowYAML formats a value of the configuration on one line.
func FlowYAML(value any) string {
	var node yaml.Node
	_ = node.Encode(value) // values of options can be encoded
	node.Style |= yaml.FlowStyle
	text, _ := yaml.Marshal(&node)
	return strings.TrimSpace(string(text))
}
