package foreign

import (
	"cmp"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/gobuffalo/flect"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/manifest"
)

// declared are the names that registration and deep copies declare in API packages.
var declared = []string{
	"AddToScheme", "GroupName", "GroupVersion", "Install", "Kind", "Resource", "SchemeBuilder", "SchemeGroupVersion",
}

// goType returns the name of the Go type of a kind, which may begin with a small letter and have hyphens.
func goType(d manifest.Definition) string { return goname.Camel(d.Spec.Names.Kind) }

// initialisms are words that Go writes in upper case.
var initialisms = map[string]string{
	"Api": "API", "Cpu": "CPU", "Dns": "DNS", "Http": "HTTP", "Https": "HTTPS", "Id": "ID", "Ip": "IP", "Json": "JSON", "Sql": "SQL",
	"Ssh": "SSH", "Tcp": "TCP", "Tls": "TLS", "Ttl": "TTL", "Udp": "UDP", "Uid": "UID", "Uri": "URI", "Url": "URL", "Uuid": "UUID",
}

// exported returns the Go name of a property.
func exported(property string) string {
	var b strings.Builder
	for _, word := range words(goname.Camel(property)) {
		b.WriteString(cmp.Or(initialisms[word], word))
	}
	name := b.String()
	if !token.IsExported(name) {
		return "X" + name
	}
	return name
}

// words splits a name before upper-case letters that follow lower-case ones.
func words(name string) (all []string) {
	begin := 0
	for i := 1; i < len(name); i++ {
		if isUpper(name[i]) && !isUpper(name[i-1]) {
			all = append(all, name[begin:i])
			begin = i
		}
	}
	return append(all, name[begin:])
}

func isUpper(b byte) bool { return 'A' <= b && b <= 'Z' }

// nameShapes names the declared types and returns them in the order of their names, with the names that they have unless given another.
// Names depend on the names of kinds and properties alone, not on their order: a type is named after its kind and the properties that
// lead to it, without spec; if there are several such paths, after the shortest one.
func (t *tree) nameShapes(kinds []string, given map[string]string) (all []*shape, derived []string) {
	all = slices.Collect(maps.Values(t.shapes))
	for _, s := range all {
		slices.SortFunc(s.nodes, byNames)
	}
	slices.SortFunc(all, func(a, b *shape) int { return byNames(a.nodes[0], b.nodes[0]) })
	taken := map[string]bool{} // in lower case: files of apply configurations are named after types
	scope := goname.NewScope(func(name string) bool { return taken[strings.ToLower(name)] })
	for _, name := range slices.Concat(declared, kinds) {
		taken[strings.ToLower(name)], taken[strings.ToLower(name+"List")] = true, true
	}
	for _, s := range all {
		name := scope.Free(s.candidates()...)
		taken[strings.ToLower(name)] = true
		derived = append(derived, name)
		s.name = cmp.Or(given[name], name)
	}
	slices.SortFunc(all, func(a, b *shape) int { return cmp.Compare(a.name, b.name) })
	return all, derived
}

// byNames orders nodes: first those with the fewest and shortest names.
func byNames(a, b *node) int {
	return cmp.Or(cmp.Compare(len(a.names), len(b.names)), cmp.Compare(len(strings.Join(a.names, "")), len(strings.Join(b.names, ""))),
		slices.Compare(a.names, b.names), cmp.Compare(len(a.path), len(b.path)))
}

// candidates returns names for a type, the best one first. They are those of its first node, so that nodes after it do not change them.
func (s *shape) candidates() []string {
	first := s.nodes[0]
	names := first.names[1:]
	if len(names) > 1 && names[0] == "spec" {
		names = names[1:]
	}
	return []string{typeName(first, names), typeName(first, first.names[1:])}
}

// typeName returns the name of the type of a node: its kind, and names of properties. Elements have the singular.
func typeName(n *node, names []string) string {
	var name strings.Builder
	name.WriteString(n.names[0])
	for i, property := range names {
		if i == len(names)-1 && n.path[len(n.path)-1] != any(property) {
			property = flect.Singularize(property)
		}
		name.WriteString(exported(property))
	}
	return name.String()
}

// checkGiven reports given names that another type of the package or the registration has.
func (p *apiPackage) checkGiven(opts Options, diags *diag.List) {
	taken := map[string]string{}
	for _, name := range declared {
		taken[strings.ToLower(name)] = "the registration"
	}
	for _, k := range p.kinds {
		kind := goType(k.Definition)
		taken[strings.ToLower(kind)], taken[strings.ToLower(kind+"List")] = "kind "+kind, "kind "+kind
	}
	for _, name := range p.declared {
		if opts.Names[name] == "" {
			taken[strings.ToLower(name)] = "type " + name
		}
	}
	for _, name := range p.declared {
		given := opts.Names[name]
		if by, ok := taken[strings.ToLower(given)]; ok {
			diags.Add(opts.NamesPos, "names: %s cannot be called %s: %s has this name", name, given, by)
		} else if given != "" {
			taken[strings.ToLower(given)] = "the type for " + name
		}
	}
}
