package resolve

import (
	"go/types"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/marker"
)

// runtimeObject is the interface of all API objects.
const runtimeObject = "k8s.io/apimachinery/pkg/runtime.Object"

// copyTags is what the markers of a type say about its deep copies.
type copyTags struct {
	// wanted and unwanted are the markers that say yes and no, root the one that makes the type an object.
	wanted, unwanted, root *marker.Marker
	// demand is the first marker that is in vain unless there are deep copies.
	demand     *marker.Marker
	interfaces marker.Set
	nonPointer bool
}

// onlyDeepCopy returns the markers that are about deep copies.
func onlyDeepCopy(set marker.Set) marker.Set {
	return slices.DeleteFunc(slices.Clone(set), func(m marker.Marker) bool { return !aboutDeepCopies(m) })
}

// aboutDeepCopies tells whether a marker is about deep copies, or meant to be.
func aboutDeepCopies(m marker.Marker) bool {
	name := strings.ToLower(m.Name)
	return strings.HasPrefix(name, "k8s:deep") || strings.HasPrefix(name, marker.KubebuilderObject)
}

// asksForDeepCopies tells whether anything in the package speaks of deep copies.
func (s *source) asksForDeepCopies() bool {
	if slices.ContainsFunc(s.tags, aboutDeepCopies) || slices.ContainsFunc(s.loose, aboutDeepCopies) {
		return true
	}
	return slices.ContainsFunc(s.TypeNames, func(name string) bool {
		return slices.ContainsFunc(s.types[name].tags, aboutDeepCopies)
	})
}

// copyValueOf returns the value of the marker that code-generator and controller-gen know, less the parameter "register",
// which says nothing any more.
func copyValueOf(m marker.Marker) string {
	if value, rest, _ := strings.Cut(m.Value, ","); rest == "register" || strings.HasPrefix(rest, "register=") {
		return value
	}
	return m.Value
}

// packageWish is what a package says of its types: all of them, none at all, or nothing.
type packageWish struct {
	all bool
	// never is the marker that rules deep copies out.
	never *marker.Marker
}

// packageWish reads the markers of the package.
func (s *source) packageWish(diags *diag.List) packageWish {
	var wish packageWish
	tags := marker.Check(onlyDeepCopy(s.tags), marker.OnPackage, diags)
	gen, said := tags.Get(marker.DeepCopyGen)
	switch value := copyValueOf(gen); {
	case said && value == "package":
		wish.all = true
	case said && value == "false":
		wish.never = &gen
	case said:
		diags.AddHint(gen.ValuePos(0), "for all types of the package write +k8s:deepcopy-gen=package, for one of them +k8s:deepcopy-gen=true above it",
			"marker +%s of a package is package or false, got %q", gen.Name, gen.Value)
	}
	generate, ok := tags.Get(marker.ObjectGenerate)
	if ok && said && wish.all == (generate.Value == "false") {
		diags.AddHint(generate.Pos, "keep the one that is right", "+%s=%s contradicts +%s=%s at %s",
			generate.Name, generate.Value, gen.Name, gen.Value, line(gen.Pos))
	}
	wish.all = wish.all || ok && generate.Value != "false"
	return wish
}

// readCopyTags reads the markers of a type, and reports those that make no sense.
func readCopyTags(tags marker.Set, diags *diag.List) copyTags {
	var t copyTags
	if gen, ok := tags.Get(marker.DeepCopyGen); ok {
		switch copyValueOf(gen) {
		case "true":
			t.wanted = &gen
		case "false":
			t.unwanted = &gen
		default:
			diags.AddHint(gen.ValuePos(0), "the value package belongs above the package clause, or into doc.go",
				"marker +%s of a type is true or false, got %q", gen.Name, gen.Value)
		}
	}
	if generate, ok := tags.Get(marker.ObjectGenerate); ok {
		if generate.Value == "false" {
			t.unwanted = &generate
		} else {
			t.wanted = &generate
		}
	}
	if i := slices.IndexFunc(tags, func(m marker.Marker) bool { return m.Value != "false" }); i >= 0 {
		t.demand = &tags[i]
	}
	t.readInterfaces(tags, diags)
	return t
}

// readInterfaces reads the markers that name interfaces.
func (t *copyTags) readInterfaces(tags marker.Set, diags *diag.List) {
	t.interfaces = tags.All(marker.DeepCopyInterfaces)
	if root, ok := tags.Get(marker.ObjectRoot); ok && root.Value != "false" {
		t.root = &root
	} else if i := slices.IndexFunc(t.interfaces, func(m marker.Marker) bool { return strings.Contains(m.Value, runtimeObject) }); ok && i >= 0 {
		diags.AddHint(root.Pos, "keep the one that is right", "+%s=false contradicts +%s=%s at %s",
			root.Name, t.interfaces[i].Name, t.interfaces[i].Value, line(t.interfaces[i].Pos))
	}
	if m, ok := tags.Get(marker.DeepCopyNonPointer); ok {
		t.nonPointer = m.Value == "true"
		switch {
		case m.Value != "true" && m.Value != "false":
			diags.Add(m.ValuePos(0), "marker +%s is true or false, got %q", m.Name, m.Value)
		case len(t.interfaces) == 0 && t.root == nil:
			diags.AddHint(m.Pos, "add // +"+marker.DeepCopyInterfaces+"=<import path>.<Interface>, or remove it",
				"marker +%s has no effect on a type without interfaces", m.Name)
		}
	}
}

// wants tells whether methods are wanted for a type, and reports markers that contradict each other.
func (d *deepCopies) wants(decl *typeDecl, t copyTags, all packageWish) bool {
	if t.demand == nil {
		return all.all && t.unwanted == nil
	}
	contradiction := t.unwanted
	if contradiction == nil {
		contradiction = all.never
	}
	if contradiction != nil && t.demand.Name != marker.DeepCopyNonPointer {
		d.diags.AddHint(t.demand.Pos, "keep the one that is right", "+%s of type %s contradicts +%s=%s at %s",
			t.demand.Name, decl.Name(), contradiction.Name, contradiction.Value, line(contradiction.Pos))
		return false
	}
	return contradiction == nil
}

// interfaceWish is an interface that copies of a type are to be returned as.
type interfaceWish struct {
	tag marker.Marker
	// path and pkg are those of the package, name is the identifier in it.
	path, pkg, name string
	methods         []string
}

// object is the interface of all API objects. It is known well enough not to load a package for it.
func object(tag marker.Marker) interfaceWish {
	importPath, name := runtimeObject[:strings.LastIndex(runtimeObject, ".")], "Object"
	return interfaceWish{tag, importPath, "runtime", name, []string{"DeepCopyObject", "GetObjectKind"}}
}

// interfaces finds the interfaces that the markers of a type name, in the order of their names, each once.
func (d *deepCopies) interfaces(t copyTags) []interfaceWish {
	var wishes []interfaceWish
	add := func(tag marker.Marker, written string, offset int) {
		wish, ok := d.findInterface(tag, written, offset)
		same := func(w interfaceWish) bool { return w.path == wish.path && w.name == wish.name }
		if ok && !slices.ContainsFunc(wishes, same) {
			wishes = append(wishes, wish)
		}
	}
	if t.root != nil {
		add(*t.root, runtimeObject, 0)
	}
	for _, tag := range t.interfaces {
		offset := 0
		for written := range strings.SplitSeq(tag.Value, ",") {
			add(tag, strings.TrimSpace(written), offset)
			offset += len(written) + len(",")
		}
	}
	slices.SortFunc(wishes, func(a, b interfaceWish) int { return strings.Compare(a.name, b.name) })
	for i := 1; i < len(wishes); i++ {
		if wishes[i].name == wishes[i-1].name {
			d.diags.Add(wishes[i].tag.Pos, "DeepCopy%s cannot return both %s and %s",
				wishes[i].name, wishes[i-1].path+"."+wishes[i].name, wishes[i].path+"."+wishes[i].name)
		}
	}
	return wishes
}

// findInterface finds what a marker names.
func (d *deepCopies) findInterface(tag marker.Marker, written string, offset int) (interfaceWish, bool) {
	if written == runtimeObject {
		return object(tag), true
	}
	pos := tag.ValuePos(offset)
	dot := strings.LastIndex(written, ".")
	if dot < 0 || dot < strings.LastIndex(written, "/") || !ValidImportPath(written[:max(dot, 0)]) {
		d.diags.AddHint(pos, "write it in full, as in "+runtimeObject, "%q is not the name of an interface", written)
		return interfaceWish{}, false
	}
	pkg := d.universe.Package(written[:dot])
	if pkg == nil {
		d.diags.AddHint(pos, "is the import path right, and its module required by go.mod?", "package %s cannot be found", written[:dot])
		return interfaceWish{}, false
	}
	wish := interfaceWish{tag: tag, path: pkg.Path, pkg: pkg.Name, name: written[dot+1:]}
	decl := pkg.Types[wish.name]
	if decl == nil {
		d.diags.Add(pos, "package %s has no type %s", pkg.Path, wish.name)
		return interfaceWish{}, false
	}
	i, ok := d.universe.Underlying(d.universe.Type(decl)).(*types.Interface)
	if !ok {
		d.diags.Add(pos, "%s is not an interface", written)
		return interfaceWish{}, false
	}
	for m := range i.Methods() {
		wish.methods = append(wish.methods, m.Name())
	}
	return wish, true
}
