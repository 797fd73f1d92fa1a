// Package foreign writes Go types for the kinds of other projects, from their CustomResourceDefinitions.
//
// The types have controller-tools' markers for all that a schema says, so that a definition that is generated from them equals the
// original, and every property that may be absent is a pointer, a slice or a map: properties that a client does not know stay absent.
package foreign

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"go/token"
	"maps"
	"path"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/manifest"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/spelling"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/importing/known"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/importing/structural"
)

//go:embed *.tmpl
var templates embed.FS

// Options say which types to write.
type Options struct {
	// Versions are the versions of all groups; if there are none, the served versions.
	Versions []string
	// Names has names for types by the names that they get otherwise; NamesPos is their position.
	Names    map[string]string
	NamesPos token.Position
	// GroupGoNames has the Go names of groups that a configuration names.
	GroupGoNames map[string]string
	// Recognize returns the type of Kubernetes for a property; nil recognizes none.
	Recognize func(names []string, s *Schema) (known.Found, bool)
	// Source describes where the definitions are from, for the top of the files. Header is the text above.
	Source string
	Header []byte
	// Dir is the last element of the directory for all files, and Holder returns the group that has types in a directory below, as Dirs takes
	// them.
	Dir    string
	Holder func(dir string) string
}

// groupVersion is a version of a group.
type groupVersion struct{ group, version string }

// served is a kind in a version.
type served struct {
	manifest.Definition
	index int
}

func (s served) version() apiextensionsv1.CustomResourceDefinitionVersion {
	return s.Spec.Versions[s.index]
}

// Files returns the files with the types, with paths relative to the directory for all files, and warnings about the definitions.
func (d *Definitions) Files(opts Options) (files []render.File, diags diag.List, err error) {
	if opts.Recognize == nil {
		opts.Recognize = func([]string, *Schema) (known.Found, bool) { return known.Found{}, false }
	}
	renderer, err := render.New(templates, opts.Header)
	if err != nil {
		return nil, nil, err
	}
	packages := d.packages(opts.Versions)
	diags = d.unselected(opts.Versions, packages)
	dirs := d.Dirs(opts.Dir, opts.Holder)
	var declared []string
	for _, gv := range slices.SortedFunc(maps.Keys(packages), func(a, b groupVersion) int {
		return cmp.Or(cmp.Compare(a.group, b.group), cmp.Compare(a.version, b.version))
	}) {
		p := newPackage(gv, packages[gv], opts)
		diags = append(diags, p.warnings.list()...)
		declared = append(declared, p.declared...)
		p.checkGiven(opts, &diags)
		made, err := p.files(renderer, opts, dirs[gv.group])
		if err != nil {
			return nil, diags, err
		}
		for _, f := range made {
			files = append(files, render.File{Path: path.Join(dirs[gv.group], gv.version, f.Path), Content: f.Content})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(opts.Names)) {
		if slices.ContainsFunc(d.all, func(m manifest.Definition) bool { return goType(m) == name }) {
			diags.Add(opts.NamesPos, "names: %s is a kind, and its type has the same name", name)
		} else if !slices.Contains(declared, name) {
			diags.AddHint(opts.NamesPos, spelling.DidYouMean(name, declared, ""), "names: no type is called %s", name)
		}
	}
	return files, diags, diags.Err()
}

// packages returns the kinds by version of their group.
func (d *Definitions) packages(versions []string) map[groupVersion][]served {
	packages := map[groupVersion][]served{}
	for _, definition := range d.all {
		for i, v := range definition.Spec.Versions {
			if selects(versions, v) {
				gv := groupVersion{definition.Spec.Group, v.Name}
				packages[gv] = append(packages[gv], served{definition, i})
			}
		}
	}
	for _, kinds := range packages {
		slices.SortFunc(kinds, func(a, b served) int { return cmp.Compare(a.Spec.Names.Kind, b.Spec.Names.Kind) })
	}
	return packages
}

// unselected reports versions that no definition has, and warns about kinds that get no types.
func (d *Definitions) unselected(versions []string, packages map[groupVersion][]served) (diags diag.List) {
	for _, definition := range d.all {
		wanted := func(v apiextensionsv1.CustomResourceDefinitionVersion) bool { return selects(versions, v) }
		if !slices.ContainsFunc(definition.Spec.Versions, wanted) {
			diags.Warn(definition.At("spec", "versions"), "", "%s has none of the wanted versions: there are no types for it", definition.Name)
		}
	}
	var names []string
	for gv := range packages {
		names = append(names, gv.version)
	}
	for _, version := range versions {
		if !slices.Contains(names, version) {
			diags.Add(d.all[0].At("spec", "versions"), "no kind has the version %s", version)
		}
	}
	return diags
}

// selects reports whether a version is wanted: it is named or, if no version is, served.
func selects(versions []string, v apiextensionsv1.CustomResourceDefinitionVersion) bool {
	return len(versions) == 0 && v.Served || slices.Contains(versions, v.Name)
}

// Dirs returns the directories of groups below one with the last element base: their first label or, if that is also the label of another
// group, or a name that the go command treats specially, all of their name. Base itself may be the directory of a single group. Groups stay
// in directories that they hold: holder returns the group that has types in a directory; "" if there are none.
func (d *Definitions) Dirs(base string, holder func(dir string) string) map[string]string {
	groups, dirs, labels := groupsOf(d.all), map[string]string{}, map[string]int{}
	for _, group := range groups {
		labels[label(group)]++
	}
	for _, group := range groups {
		first, places := label(group), []string{"", label(group), group}
		dirs[group] = first
		switch i := slices.IndexFunc(places, func(dir string) bool { return holder(dir) == group }); {
		case i >= 0:
			dirs[group] = places[i]
		case len(groups) == 1 && (base == first || base == group) && holder("") == "":
			dirs[group] = ""
		case labels[first] > 1 || holder(first) != "" || first == "internal" || module.Ignored(first):
			dirs[group] = group
		}
	}
	return dirs
}

// label returns the first label of a group.
func label(group string) string {
	first, _, _ := strings.Cut(group, ".")
	return first
}

// Text returns the definitions of a group as YAML in the order of their names, without additions by a cluster.
func (d *Definitions) Text(group string) ([]byte, error) {
	var all bytes.Buffer
	byName := func(a, b manifest.Definition) int { return cmp.Compare(a.Name, b.Name) }
	for _, definition := range slices.SortedFunc(slices.Values(d.all), byName) {
		if definition.Spec.Group != group {
			continue
		}
		text, err := yaml.Marshal(map[string]any{
			"apiVersion": definition.APIVersion, "kind": definition.Kind, "metadata": map[string]any{"name": definition.Name},
			"spec": definition.Spec,
		})
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&all, "---\n%s", text)
	}
	return all.Bytes(), nil
}

// warnings has the warnings about the schemas of a version, by kind and message. A message appears once for each kind, at the first
// place, and names the others.
type warnings struct{ nodes map[warned][]*node }

type warned struct{ kind, message, hint string }

// add adds a warning about a node.
func (w *warnings) add(n *node, hint, format string, args ...any) {
	if w.nodes == nil {
		w.nodes = map[warned][]*node{}
	}
	key := warned{n.names[0], fmt.Sprintf(format, args...), hint}
	w.nodes[key] = append(w.nodes[key], n)
}

// check warns about parts of a schema that its Go type does not express, and that the list or map that holds it does not.
func (w *warnings) check(n, holder *node) {
	rules := n.unmarked()
	if holder != nil {
		maps.Copy(rules, n.unmarkedUse(holder))
	}
	for _, rule := range slices.Sorted(maps.Keys(rules)) {
		w.add(n, "", "no marker expresses %s: it is in a comment, and only servers check it", rule)
	}
	isOpen := structural.Preserves(n.schema) || n.schema.AdditionalProperties != nil && n.schema.AdditionalProperties.Allows
	if n.form == object && isOpen && len(n.names) > 1 {
		w.add(n, "update such objects with Patch or Apply",
			"the schema keeps unknown fields, which the struct does not have: an update with the typed client drops them")
	}
}

// shown is the number of places that a warning names.
const shown = 3

func (w *warnings) list() (diags diag.List) {
	for key, nodes := range w.nodes {
		slices.SortFunc(nodes, func(a, b *node) int { return slices.Compare(a.names, b.names) })
		places := lists.Map(nodes[:min(len(nodes), shown)], func(n *node) string { return strings.Join(n.names, ".") })
		if more := len(nodes) - shown; more > 0 {
			places = append(places, fmt.Sprintf("and %d more", more))
		}
		diags.Warn(nodes[0].definition.At(nodes[0].path...), key.hint, "%s: %s", strings.Join(places, ", "), key.message)
	}
	return diags
}
