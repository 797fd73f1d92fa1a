// Package shipped finds the typed clients that other modules ship for their kinds. It reads the facts about a kind, such as its resource
// and the verbs of its client, from the source of generated clientsets, whichever generator wrote them.
package shipped

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/spelling"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
)

// Problem is the reason why a kind has no usable client, with a hint.
type Problem struct{ Message, Hint string }

// Error returns the reason.
func (p *Problem) Error() string { return p.Message }

// Finder finds clients. It reads each kind once.
type Finder struct {
	universe *gotype.Universe
	found    map[model.Type]answer
	packages map[string]*syntax
}

type answer struct {
	kind model.Related
	err  error
}

// NewFinder returns a finder for the packages of a universe.
func NewFinder(universe *gotype.Universe) *Finder {
	return &Finder{universe, map[model.Type]answer{}, map[string]*syntax{}}
}

// HasPackage reports whether there is a package with an import path.
func (f *Finder) HasPackage(importPath string) bool { return f.universe.Package(importPath) != nil }

// Find returns the kind whose Go type has a name in a package, with the client that its module ships or, if that ships none, another
// required module of the same owner. An error is a *Problem.
func (f *Finder) Find(importPath, name string) (model.Related, error) {
	t := model.Type{Package: importPath, Name: name}
	a, known := f.found[t]
	if !known {
		a.kind, a.err = f.find(importPath, name)
		f.found[t] = a
	}
	return a.kind, a.err
}

func (f *Finder) find(importPath, name string) (model.Related, error) {
	pkg := f.universe.Package(importPath)
	if pkg == nil {
		reason, _ := f.universe.Loaded.Unavailable(importPath)
		return model.Related{}, &Problem{
			"package " + importPath + " is not available: " + cmp.Or(strings.TrimPrefix(reason.Reason, reason.Module+": "), "it has no Go files"),
			cmp.Or(reason.Remedy, "run go get "+importPath),
		}
	}
	if pkg.Types[name] == nil {
		exported := lists.Filter(pkg.TypeNames, func(other string) bool { return pkg.Types[other+"List"] != nil })
		return model.Related{}, &Problem{
			"package " + importPath + " has no type " + name,
			spelling.DidYouMean(name, exported, "write the import path of a package, a dot, and the name of a type in it"),
		}
	}
	c, err := f.clientOf(pkg, name)
	if err != nil {
		return model.Related{}, err
	}
	return f.describe(pkg, name, c)
}

// clientOf returns the client of a type.
func (f *Finder) clientOf(pkg *gotype.Package, name string) (client, error) {
	for _, elsewhere := range []bool{false, true} {
		var clients []client
		var clientsets []string
		for _, clientset := range f.universe.Loaded.PackagesWithFile(pkg.Package, "clientset.go", elsewhere) {
			if c, ok := f.clientIn(clientset, pkg.Path, name); ok {
				clients, clientsets = append(clients, c), append(clientsets, clientset)
			}
		}
		switch len(clients) {
		case 0:
		case 1:
			return clients[0], nil
		default:
			return client{}, &Problem{
				"several clientsets have a client for " + pkg.Path + "." + name + ": " + strings.Join(clientsets, ", "),
				"call controller.Own, Refer or Watch with the clientset of your choice",
			}
		}
	}
	return client{}, noClient(pkg, name)
}

// noClient says where no client was found.
func noClient(pkg *gotype.Package, name string) *Problem {
	where, hint := "package "+pkg.Path+", which is in no module,", "run go get for the module that has the clientset, or call "+
		"controller.Own, Refer or Watch with another client"
	if pkg.Module != nil {
		where = "module " + pkg.Module.Path
		if pkg.Module.Dir == "" {
			hint = "the vendor directory has only what is imported: import the clientset in a Go file, and run go mod vendor"
		}
	}
	return &Problem{where + " has no clientset with a client for " + name + ", and neither has a required module of the same owner", hint}
}

// describe adds facts from the API package and the packages next to the client.
func (f *Finder) describe(pkg *gotype.Package, name string, c client) (model.Related, error) {
	if lacking := model.ReadOnlyVerbs.Without(c.verbs...); len(lacking) > 0 {
		return model.Related{}, &Problem{
			"the client for " + name + " in " + c.clientset + " lacks the verbs " + strings.Join(lacking.Strings(), ", "),
			"informers need the verbs get, list and watch",
		}
	}
	group, version, ok := f.groupVersion(pkg)
	if !ok || c.resource == "" {
		what := "API group of package " + pkg.Path
		if ok {
			what = "resource of " + name + " in " + c.clientset
		}
		return model.Related{}, &Problem{"cannot determine the " + what, "call controller.Own, Refer or Watch with this client"}
	}
	goVersion := goname.UpperFirst(version)
	kind := model.Related{
		Name: name, Plural: c.plural, Resource: c.resource, Group: group, Namespaced: c.namespaced,
		Package: pkg.Path, GroupGoName: strings.TrimSuffix(c.group, goVersion), GoVersion: goVersion,
		Shipped: &model.Shipped{Clientset: c.clientset, Name: nameOf(pkg), Group: c.group, Version: version, Verbs: c.verbs},
	}
	kind.Alias = model.Type{Package: pkg.Path, Name: name}.Alias()
	if f.declares(c.apply, name) && f.declares(c.apply, "Extract"+name) {
		kind.Shipped.Apply = c.apply
	}
	if root := path.Dir(path.Dir(c.apply)); c.apply != "" && f.declares(root, "NewTypeConverter") {
		kind.Shipped.Converter = root
	}
	for _, constructor := range []string{"NewSimpleClientset", "NewClientset"} { // the second replaces the first
		if f.declares(c.clientset+"/fake", constructor) {
			kind.Shipped.Fake = constructor
		}
	}
	return kind, nil
}

// groupVersion returns group and version of an API package.
func (f *Finder) groupVersion(pkg *gotype.Package) (group, version string, ok bool) {
	s := source.NewReader(f.universe).Read(pkg)
	declared := s.GroupVersion()
	group, version = declared.Group, cmp.Or(declared.Version, path.Base(pkg.Path))
	if m, marked := s.Scanned.Get(marker.GroupName); marked && group == "" {
		group = m.Value
	}
	return group, version, group != "" && goname.IsVersion(version)
}

// nameOf returns a name for the clientset of a package: the last part of the module path that says more than what every such module has.
func nameOf(pkg *gotype.Package) string {
	modulePath := pkg.Path
	if pkg.Module != nil {
		modulePath = pkg.Module.Path
	}
	parts := strings.Split(modulePath, "/")
	parts[0], _, _ = strings.Cut(parts[0], ".") // of a host
	for _, part := range slices.Backward(parts[1:]) {
		if !slices.Contains([]string{"api", "apis", "client", "client-go", "clientset", "pkg"}, part) && !goname.IsVersion(part) {
			return goname.Package(strings.ReplaceAll(part, "_", ""))
		}
	}
	return goname.Package(parts[0])
}
