package resolve

import (
	"go/token"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
)

// Fact is something that was decided about a version or a kind, and what decided it.
type Fact struct {
	Name, Value string
	// Because says what decided: a marker, a declaration, or a default. Pos is where that stands; defaults have none.
	Because string
	Pos     token.Position
}

// Facts are what is known of a version or kind, in the order in which people want to read it.
type Facts []Fact

func (f *Facts) add(name, value, because string, pos token.Position) {
	*f = append(*f, Fact{name, value, because, pos})
}

func (f *Facts) addMarker(name, value string, m marker.Marker) {
	f.add(name, value, "+"+m.Name, m.Pos)
}

// setScope decides whether a kind is namespaced.
func (r *resolver) setScope(kind *model.Kind, decl *typeDecl, facts *Facts) {
	tag, tagged := decl.tags.Get(marker.NonNamespaced)
	scope := readKubebuilderTags(decl.scanned).scope
	switch {
	case tagged && scope != nil && scope.value == scopeNamespaced:
		r.diags.AddHint(tag.Pos, "keep the one that is right", "+%s contradicts scope=%s at %s", marker.NonNamespaced, scope.value, line(scope.pos))
	case tagged:
		facts.addMarker("scope", scopeCluster, tag)
	case scope != nil && scope.value == scopeCluster:
		facts.add("scope", scopeCluster, "+"+resourcePrefix+"scope", scope.pos)
	case scope != nil && scope.value == scopeNamespaced:
		facts.add("scope", scopeNamespaced, "+"+resourcePrefix+"scope", scope.pos)
	case scope != nil:
		r.diags.AddHint(scope.pos, "a scope is "+scopeCluster+" or "+scopeNamespaced, "unknown scope %q", scope.value)
	default:
		facts.add("scope", scopeNamespaced, "default", token.Position{})
	}
	kind.Namespaced = !tagged && (scope == nil || scope.value != scopeCluster)
}

// setResource decides the plural in the API's paths.
func (r *resolver) setResource(kind *model.Kind, decl *typeDecl, opts Options, facts *Facts) {
	tag, tagged := decl.tags.Get(marker.ResourceName)
	path := readKubebuilderTags(decl.scanned).path
	_, exception := opts.Plurals[kind.Name]
	switch {
	case tagged && path != nil && path.value != tag.Value:
		r.diags.AddHint(tag.Pos, "keep the one that is right", "+%s=%s contradicts path=%s at %s", marker.ResourceName, tag.Value, path.value, line(path.pos))
	case tagged:
		kind.Resource = tag.Value
		checkResource(tag.Value, tag.ValuePos(0), &r.diags)
		facts.addMarker("resource", kind.Resource, tag)
	case path != nil:
		kind.Resource = path.value
		checkResource(path.value, path.pos, &r.diags)
		facts.add("resource", kind.Resource, "+"+resourcePrefix+"path", path.pos)
	case exception:
		facts.add("resource", kind.Resource, "--plural-exceptions", token.Position{})
	default:
		facts.add("resource", kind.Resource, "default", token.Position{})
	}
}

// setStatus decides whether the client may update the status by itself.
func setStatus(kind *model.Kind, decl *typeDecl, hasField bool, facts *Facts) {
	kubebuilder := readKubebuilderTags(decl.scanned)
	if noStatus, ok := decl.tags.Get(marker.NoStatus); ok {
		facts.addMarker("status", "no", noStatus)
	} else if kubebuilder.status != nil {
		kind.HasStatus = true
		facts.addMarker("status", "yes", *kubebuilder.status)
	} else if hasField {
		kind.HasStatus = true
		facts.add("status", "yes", "field Status", decl.pos)
	} else {
		facts.add("status", "no", "no field Status", decl.pos)
	}
}

// addVerbFacts records what decided the verbs, and the subresources and methods that come of tags.
func addVerbFacts(kind *model.Kind, decl *typeDecl, methods []MethodTag, facts *Facts) {
	because := "default"
	var pos token.Position
	for _, name := range []string{marker.NoVerbs, marker.ReadOnly, marker.OnlyVerbs, marker.SkipVerbs} {
		if m, ok := decl.tags.Get(name); ok {
			because, pos = "+"+name, m.Pos
			break
		}
	}
	facts.add("verbs", strings.Join(kind.ClientVerbs(true).Strings(), ","), because, pos)
	if scale := readKubebuilderTags(decl.scanned).scale; scale != nil {
		facts.add("subresource", "scale", "+"+scaleMarker, scale.Pos)
	}
	for _, m := range methods {
		value := m.Name + " (" + m.Verb
		if m.Subresource != "" {
			value += " " + m.Subresource
		}
		facts.add("method", value+")", "+"+marker.Method, m.Pos)
	}
}

func checkResource(resource string, pos token.Position, diags *diag.List) {
	if !isDNSLabel(resource) {
		diags.AddHint(pos, "a resource is a DNS label in lower case, such as networkpolicies", "invalid resource name %q", resource)
	}
}

// line formats a position for use within a message.
func line(pos token.Position) string {
	pos.Column = 0
	pos.Filename = pos.Filename[strings.LastIndexAny(pos.Filename, `/\`)+1:]
	return pos.String()
}
