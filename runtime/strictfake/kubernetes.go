package strictfake

import (
	"reflect"
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/builtin"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/codec"
)

// describeBuiltIn adds the rules for Kubernetes' own kinds, whose objects have a Go type. Kinds that are not in the table, because
// they are newer, follow from their client and their type.
func (c client) describeBuiltIn(d *codec.Description, t reflect.Type) {
	if !builtin.IsGroup(d.Group) {
		return
	}
	d.BuiltIn = true
	d.Virtual = slices.Contains(c.verbs, "Create") && !slices.Contains(c.verbs, "Get")
	d.HasStatus = !d.Virtual && (d.HasStatus || hasStatusField(t))
	d.NoGeneration = true
	if d.Rules = builtin.Of(d.GroupVersionKind); d.Rules == nil {
		return
	}
	d.NoGeneration, d.ReturnsDeleted, d.Fields = !d.Rules.Counted, d.Rules.Returned, d.Rules.Labels()
	d.Virtual = d.Rules.Virtual
	d.HasStatus, d.HasScale = d.Rules.Subresource(codec.Status) != nil, d.Rules.Subresource(codec.Scale) != nil
}
