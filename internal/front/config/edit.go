package config

import (
	"bytes"
	"path/filepath"
	"slices"

	"go.yaml.in/yaml/v4"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
)

// With returns the configuration file of a command line with options about manifests, at the top level, that it lacks and the command line
// does not set: an operator, which is a Deployment, and directories by key, slash-separated and relative to the working directory. A file
// that does not exist yet has the options of the command line. Roles get the name of the operator, unless they are generated already. The
// generators are the names of all generators.
func (c CommandLine) With(directories map[string]string, operator string, generators []string) (option.Edit, error) {
	name, text, existing, err := c.read()
	if err != nil {
		return option.Edit{}, err
	}
	e := option.Edit{Name: name}
	chosen := c.chosen()
	b := bytes.NewBuffer(bytes.TrimRight(text, "\r\n"))
	values := map[string]any{option.ManifestsDeploymentsKey: []string{operator}}
	if _, set := chosen[option.RBACOutputDirKey]; !set && !existing.sets(option.RBACOutputDirKey) {
		values[option.RBACRoleNameKey] = operator
	}
	for key, dir := range directories {
		values[key] = filepath.ToSlash(diag.Relative(filepath.Dir(name), diag.Absolute(c.Dir, dir)))
	}
	e.Lacking = c.lacking(existing, []string{operator})
	for _, key := range option.Keys() {
		value, wanted := values[key]
		if _, set := chosen[key]; !wanted || set || existing.sets(key) {
			continue
		}
		chosen[key] = value
		e.Keys = append(e.Keys, key)
		b.WriteString("\n" + key + ": " + option.FlowYAML(value))
	}
	switch {
	case len(e.Keys) == 0:
		return e, nil
	case len(text) == 0:
		e.Text = []byte(Text(chosen, generators))
	case isFlow(text):
		return e, option.ErrFlowStyle
	default:
		b.WriteString("\n")
		e.Text = linesLike(text, b.Bytes())
	}
	return e, nil
}

// isFlow reports whether the top level of a document is in braces.
func isFlow(text []byte) bool {
	var document yaml.Node
	return yaml.Unmarshal(text, &document) == nil && len(document.Content) == 1 && document.Content[0].Style&yaml.FlowStyle != 0
}

// chosen returns the values of the options that a command line sets.
func (c CommandLine) chosen() map[string]any {
	values := map[string]any{}
	for _, o := range option.Options {
		if !o.FlagOnly && c.Given.Changed(o.Flag) {
			values[o.Flag] = c.Values.Of(o).Interface()
		}
	}
	if len(c.Packages) > 0 {
		values[option.PackagesKey] = c.Packages
	}
	return values
}

// lacking returns the Deployments that a configuration does not name although it names others.
func (c CommandLine) lacking(f *file, deployments []string) []string {
	named := slices.Clone(c.Values.ManifestsDeployments)
	for _, b := range append(f.outputs, f.top) {
		for _, s := range b.settings {
			if s.option.Flag == option.ManifestsDeploymentsKey {
				named = append(named, s.value.([]string)...)
			}
		}
	}
	if len(named) == 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(deployments), func(name string) bool { return slices.Contains(named, name) })
}

// sets reports whether a key is set at the top level or in one of the outputs.
func (f *file) sets(key string) bool {
	return slices.ContainsFunc(append(f.outputs, f.top), func(b block) bool {
		return slices.ContainsFunc(b.settings, func(s setting) bool { return s.option.Flag == key })
	})
}
