package deepcopy

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/mod/module"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
)

// runtimeObject is the interface of all API objects.
const runtimeObject = "k8s.io/apimachinery/pkg/runtime.Object"

// typeMarkers are the interpreted deep copy markers of a type.
type typeMarkers struct {
	// excluded is the marker that excludes the type. root is the marker that makes the type an object.
	excluded, root *marker.Marker
	// demand is the first marker that has no effect without deep copies.
	demand     *marker.Marker
	interfaces marker.Set
	nonPointer bool
}

// onlyDeepCopy returns the markers about deep copies.
func onlyDeepCopy(set marker.Set) marker.Set {
	return slices.DeleteFunc(slices.Clone(set), func(m marker.Marker) bool { return !marker.AboutDeepCopies(m) })
}

// packageRequest is the request of a package's markers: all types, none, or neither.
type packageRequest struct {
	all bool
	// never is the marker that excludes deep copies.
	never *marker.Marker
}

// readPackageRequest reads the markers of the package.
func readPackageRequest(s *source.Package, diags *diag.List) packageRequest {
	var request packageRequest
	markers := marker.Check(onlyDeepCopy(s.Markers), marker.OnPackage, diags)
	gen, said := markers.Get(marker.DeepCopyGen)
	switch value, _ := marker.As[marker.CopiedTypes](gen, diags); {
	case said && value == marker.CopiesPackage:
		request.all = true
	case said && value == marker.CopiesNothing:
		request.never = &gen
	case said:
		diags.AddHint(gen.ValuePos(0), "write +k8s:deepcopy-gen=package for all types of the package, or +k8s:deepcopy-gen=true above a type",
			"marker +%s of a package must be package or false, got %q", gen.Name, gen.Value)
	}
	generate, ok := markers.Get(marker.ObjectGenerate)
	if ok && said && request.all != marker.Enabled(generate) {
		diags.AddHint(generate.Pos, "keep the correct one", "+%s=%s contradicts +%s=%s at %s",
			generate.Name, generate.Value, gen.Name, gen.Value, diag.Line(gen.Pos))
	}
	request.all = request.all || ok && marker.Enabled(generate)
	return request
}

// readMarkers interprets the markers of a type, and reports invalid ones.
func readMarkers(set marker.Set, diags *diag.List) typeMarkers {
	var t typeMarkers
	if gen, ok := set.Get(marker.DeepCopyGen); ok {
		switch value, _ := marker.As[marker.CopiedTypes](gen, diags); value {
		case marker.CopiesType: // see demand
		case marker.CopiesNothing:
			t.excluded = &gen
		default:
			diags.AddHint(gen.ValuePos(0), "write true or false: the value package belongs above the package clause or in doc.go",
				"marker +%s of a type must be true or false, got %q", gen.Name, gen.Value)
		}
	}
	if generate, ok := set.Get(marker.ObjectGenerate); ok && !marker.Enabled(generate) {
		t.excluded = &generate
	}
	if i := slices.IndexFunc(set, func(m marker.Marker) bool { return !m.Disables() }); i >= 0 {
		t.demand = &set[i]
	}
	t.readInterfaces(set, diags)
	return t
}

// readInterfaces interprets the markers that name interfaces.
func (t *typeMarkers) readInterfaces(set marker.Set, diags *diag.List) {
	t.interfaces = set.All(marker.DeepCopyInterfaces)
	isObject := func(m marker.Marker) bool {
		return slices.ContainsFunc(namesIn(m), func(name marker.Written) bool { return name.Text == runtimeObject })
	}
	if root, ok := set.Get(marker.ObjectRoot); ok && marker.Enabled(root) {
		t.root = &root
	} else if i := slices.IndexFunc(t.interfaces, isObject); ok && i >= 0 {
		diags.AddHint(root.Pos, "keep the correct one", "+%s=false contradicts +%s=%s at %s",
			root.Name, t.interfaces[i].Name, t.interfaces[i].Value, diag.Line(t.interfaces[i].Pos))
	}
	if m, ok := set.Get(marker.DeepCopyNonPointer); ok {
		var valid bool
		t.nonPointer, valid = marker.As[bool](m, diags)
		switch {
		case !valid:
		case len(t.interfaces) == 0 && t.root == nil:
			diags.Warn(m.Pos, "add // +"+marker.DeepCopyInterfaces+"=<import path>.<Interface>, or remove it",
				"marker +%s has no effect on a type without interfaces", m.Name)
		}
	}
}

// wants reports whether methods are requested for a type, and adds a diagnostic if its markers contradict each other.
func wants(decl *source.Type, t typeMarkers, all packageRequest, diags *diag.List) bool {
	if t.demand == nil {
		return all.all && t.excluded == nil
	}
	contradiction := cmp.Or(t.excluded, all.never)
	if contradiction != nil && t.demand.Name != marker.DeepCopyNonPointer {
		diags.AddHint(t.demand.Pos, "keep the correct one", "+%s of type %s contradicts +%s=%s at %s",
			t.demand.Name, decl.Name(), contradiction.Name, contradiction.Value, diag.Line(contradiction.Pos))
		return false
	}
	return contradiction == nil
}

// interfaceRequest is an interface to generate DeepCopy<Name> for.
type interfaceRequest struct {
	marker marker.Marker
	// path and pkg are the import path and the name of the package, name is the identifier in it.
	path, pkg, name string
	methods         []string
}

// object returns runtime.Object. Its methods are listed here to avoid loading its package.
func object(m marker.Marker) interfaceRequest {
	importPath, name := runtimeObject[:strings.LastIndex(runtimeObject, ".")], "Object"
	return interfaceRequest{m, importPath, "runtime", name, []string{"DeepCopyObject", "GetObjectKind"}}
}

// interfaces resolves the interfaces that the markers of a type name, sorted by name and without duplicates.
func interfaces(universe *gotype.Universe, t typeMarkers, diags *diag.List) []interfaceRequest {
	var requests []interfaceRequest
	add := func(m marker.Marker, written marker.Written) {
		request, ok := findInterface(universe, m, written, diags)
		same := func(req interfaceRequest) bool { return req.path == request.path && req.name == request.name }
		if ok && !slices.ContainsFunc(requests, same) {
			requests = append(requests, request)
		}
	}
	if t.root != nil {
		add(*t.root, marker.Written{Text: runtimeObject, Pos: t.root.Pos})
	}
	for _, m := range t.interfaces {
		for _, written := range namesIn(m) {
			add(m, written)
		}
	}
	slices.SortFunc(requests, func(a, b interfaceRequest) int { return strings.Compare(a.name, b.name) })
	for i := 1; i < len(requests); i++ {
		if requests[i].name == requests[i-1].name {
			diags.Add(requests[i].marker.Pos, "DeepCopy%s cannot return both %s and %s",
				requests[i].name, requests[i-1].path+"."+requests[i].name, requests[i].path+"."+requests[i].name)
		}
	}
	return requests
}

// namesIn returns the names of interfaces in a marker.
func namesIn(m marker.Marker) []marker.Written {
	names, _ := marker.As[[]marker.Written](m, new(diag.List)) // there are no mistakes without the packages
	return names
}

// findInterface resolves an interface that a marker names.
func findInterface(universe *gotype.Universe, m marker.Marker, named marker.Written, diags *diag.List) (interfaceRequest, bool) {
	written, pos := named.Text, named.Pos
	if written == runtimeObject {
		return object(m), true
	}
	dot := strings.LastIndex(written, ".")
	if dot < 0 || dot < strings.LastIndex(written, "/") || module.CheckImportPath(written[:max(dot, 0)]) != nil {
		diags.AddHint(pos, "write it in full, as in "+runtimeObject, "%q is not the name of an interface", written)
		return interfaceRequest{}, false
	}
	pkg := universe.Package(written[:dot])
	if pkg == nil {
		diags.AddHint(pos, "check the import path, and that go.mod requires its module", "package %s cannot be found", written[:dot])
		return interfaceRequest{}, false
	}
	request := interfaceRequest{marker: m, path: pkg.Path, pkg: pkg.Name, name: written[dot+1:]}
	decl := pkg.Types[request.name]
	if decl == nil {
		diags.Add(pos, "package %s has no type %s", pkg.Path, request.name)
		return interfaceRequest{}, false
	}
	i, ok := universe.Underlying(universe.Type(decl)).(*types.Interface)
	if !ok {
		diags.Add(pos, "%s is not an interface", written)
		return interfaceRequest{}, false
	}
	for method := range i.Methods() {
		request.methods = append(request.methods, method.Name())
	}
	return request, true
}

// implies reports whether a package gets deep copies without requesting them: it has kinds with clients, no marker requests or
// excludes deep copies, and no methods exist. Markers that exclude single types do not matter.
func (f *finder) implies(s *source.Package) bool {
	generators := []string{marker.ClientGen, marker.ListerGen, marker.InformerGen, marker.ApplyConfigurationGen}
	hasClients := len(s.ClientTypes()) > 0 && slices.ContainsFunc(generators, s.Activated)
	requests := func(m marker.Marker) bool { return marker.AboutDeepCopies(m) && !m.Disables() }
	return hasClients && !s.Internal() && !onPackage(s) && !onType(s, requests) && !hasMethods(s)
}

// hasMethods reports whether a type of the package has a deep copy method, apart from those generated by an earlier run.
func hasMethods(s *source.Package) bool {
	except := ourFiles(s)
	return slices.ContainsFunc(s.TypeNames, func(name string) bool {
		return slices.ContainsFunc(s.Decls[name].MethodNames(except...), func(method string) bool {
			return strings.HasPrefix(method, "DeepCopy")
		})
	})
}

// implied returns the objects of a package, and the types of the package that they contain.
func (f *finder) implied(s *source.Package) []*request {
	objects := s.Objects()
	h := holder{f.universe, s.Package, map[*gotype.Decl]bool{}}
	for _, name := range objects {
		h.visit(f.universe.Type(s.Decls[name].Decl))
	}
	var requests []*request
	for _, name := range slices.Sorted(slices.Values(s.TypeNames)) {
		decl := s.Decls[name]
		excluded := readMarkers(onlyDeepCopy(decl.Markers), &diag.List{}).excluded != nil // marked reports mistakes
		if !h.held[decl.Decl] || excluded || decl.Spec.TypeParams != nil {
			continue
		}
		req := &request{decl: decl}
		if slices.Contains(objects, name) && !f.reportedElsewhere(decl) {
			req.interfaces = []interfaceRequest{object(marker.Marker{Name: marker.GenClient, Pos: decl.Pos})}
		}
		if f.copyable(req, typeMarkers{}) {
			f.methods.requests[decl.Decl] = req
			requests = append(requests, req)
		}
	}
	return requests
}

// reportedElsewhere reports whether a type is a kind without TypeMeta, which the client needs too.
func (f *finder) reportedElsewhere(decl *source.Type) bool {
	structType := f.universe.Struct(decl.Decl)
	return decl.Markers.Has(marker.GenClient) && !embedsMore(structType) && !gotype.FieldNames(structType)["TypeMeta"]
}

// holder finds the types of a package that other types contain.
type holder struct {
	universe *gotype.Universe
	pkg      *gotype.Package
	held     map[*gotype.Decl]bool
}

// visit adds a type and the types that it contains. Types of other packages contain none of this package, except as type arguments.
func (h holder) visit(t types.Type) {
	t = types.Unalias(t)
	if named, ok := t.(*types.Named); ok {
		for arg := range named.TypeArgs().Types() {
			h.visit(arg)
		}
		decl := h.universe.Decl(named)
		if decl == nil || decl.Package != h.pkg || h.held[decl] {
			return
		}
		h.held[decl] = true
	}
	for part := range gotype.Parts(h.universe.Underlying(t)) {
		h.visit(part)
	}
}
