package defaults

import (
	"encoding/json"
	"go/scanner"
	"go/token"
	"reflect"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/shape"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
)

// This file has the warnings about defaults that upstream's program ignores without a word. Markers that users write end them.

const silence = "// +" + marker.DefaulterGen + "=false"

// lost warns about something that is not set in the current field. It returns the warning, or an unused one.
func (b *builder) lost(hint, format string, args ...any) *diag.Diagnostic {
	if b.at.silent || !b.at.pos.IsValid() {
		return new(diag.Diagnostic)
	}
	b.diags.Warn(b.run.World.Fset.Position(b.at.pos), hint+", and end this warning with "+silence+" above the field", format, args...)
	return &(*b.diags)[len(*b.diags)-1]
}

// reportMap warns about a map whose values have defaults.
func (b *builder) reportMap() {
	const format = "the defaults of the values of %s are not set, because they are in a map"
	b.lost("set them in a handwritten function", format, b.at.name).Trap = option.UnsetDefaults
}

// reportRecursion warns about a part of a type that has this type again, if there are defaults.
func (b *builder) reportRecursion(t *shape.Type) {
	if b.run.existing[t] == nil && !b.run.hasDefaults(t) {
		return
	}
	const format = "the defaults of %s are not set, because it is a part of a %s again"
	b.lost("set them in a handwritten function", format, b.at.name, t.Short()).Trap = option.UnsetDefaults
}

// reportValue warns about a field without a default whose type has one: that counts behind pointers only.
func (b *builder) reportValue(t *shape.Type) {
	if m, ok := t.Closest().Get(marker.Default); ok && m.Value != "" && t.Kind != shape.Pointer {
		b.lost("put +default="+m.Value+" above the field", "the default of type %s is not set in %s, which is no pointer", t.Short(), b.at.name)
	}
}

// reportStranger warns about a type with a handwritten function in a package that is neither part of the run nor a peer, once for each
// package.
func (b *builder) reportStranger(t *shape.Type) {
	strangers := b.run.strangers(t)
	if len(strangers) == 0 || b.at.silent || b.warned[t.Package] {
		return
	}
	b.warned[t.Package] = true
	hint := "generate defaults for package " + t.Package + " in the same run, or make it a peer"
	const format = "%s is not called for %s: this run does not generate defaults for its package"
	if b.at.pos.IsValid() {
		b.lost(hint, format, strangers[0].Name, b.at.name)
	} else { // no field on the way can be edited
		b.diags.Warn(b.target.request.Pos, hint, format, strangers[0].Name, b.at.name)
	}
}

// strangers returns the functions for a type in its package, if that is a package whose functions are not called.
func (r *run) strangers(t *shape.Type) (found []*shape.Function) {
	if _, known := r.handwritten[t.Package]; known || t.Package == "" {
		return nil
	}
	all, known := r.outside[t.Package]
	if pkg := r.World.Package(t.Package); !known && pkg != nil {
		all = r.World.Functions(pkg, prefix, r.Peers.Tag())
		r.outside[t.Package] = all
	}
	for _, f := range all {
		if defaulted(f) == t && (f.Name == prefix+t.Name || strings.HasPrefix(f.Name, prefix+t.Name+"_")) {
			found = append(found, f)
		}
	}
	return found
}

// compare warns about a field with another default for CustomResourceDefinitions.
func (b *builder) compare(markers marker.Set) {
	ours, ok := markers.Get(marker.Default)
	theirs, both := markers.Get("kubebuilder:default")
	var a, c any
	if !ok || !both || reference(ours) || ours.Value == "" || json.Unmarshal([]byte(ours.Value), &a) != nil {
		return
	}
	if json.Unmarshal([]byte(theirs.Value), &c) != nil {
		if strings.HasPrefix(theirs.Value, "{") { // lists and objects have another syntax
			return
		}
		c = theirs.Value
	}
	if !reflect.DeepEqual(a, c) {
		b.diags.Warn(ours.Pos, "write the same value in both", "+default=%s differs from +kubebuilder:default=%s at %s",
			ours.Value, theirs.Value, diag.Line(theirs.Pos))
	}
}

// reportLost warns about handwritten functions that nothing calls.
func (r *run) reportLost() {
	for _, s := range r.Packages {
		if !s.InMainModule() {
			continue
		}
		var lost []*shape.Function
		for _, f := range r.handwritten[s.Path] {
			if !r.called[f] && !silences(f.Markers()) {
				lost = append(lost, f)
			}
		}
		if len(lost) == 0 {
			continue
		}
		uses := r.identifiers(s)
		for _, f := range lost {
			if reason := why(f); reason != "" && uses[f.Name] < 2 { // it occurs in its declaration
				r.Diags.Warn(f.Pos, "call it in another function, or end this warning with "+silence+" above it", "%s is not called: %s",
					f.Name, reason)
			}
		}
	}
}

// why explains why a function is not called. It returns "" for functions that are called so for another reason.
func why(f *shape.Function) string {
	t := defaulted(f)
	if t == nil {
		isOwn := func(param *shape.Type) bool { return end(param).Joined(0) == strings.TrimPrefix(f.Name, prefix) }
		if slices.ContainsFunc(f.Params, isOwn) {
			return "it would have to have no result, and a pointer as its only parameter"
		}
		return ""
	}
	if expected := prefix + t.Joined(0); f.Name != expected && !strings.HasPrefix(f.Name, expected+"_") {
		return "for its parameter, the name would have to be " + expected
	}
	return "no object with generated defaults has a " + t.Short()
}

// identifiers counts the identifiers in the handwritten files of a package. The bodies of functions have not been parsed.
func (r *run) identifiers(s *source.Package) map[string]int {
	counts := map[string]int{}
	for _, file := range s.Files {
		content, err := file.Read()
		if err != nil || file.Excludes(r.Peers.Tag()) {
			continue
		}
		var scan scanner.Scanner
		scan.Init(token.NewFileSet().AddFile("", -1, len(content)), content, nil, 0)
		for {
			_, tok, literal := scan.Scan()
			if tok == token.EOF {
				break
			}
			if tok == token.IDENT {
				counts[literal]++
			}
		}
	}
	return counts
}
