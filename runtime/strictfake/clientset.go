package strictfake

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/testing"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/codec"
)

// verbNames are the methods of clients, in the order in which they are tried, with the options that distinguish them from others
// of the same name.
var verbNames = []struct {
	name    string
	options reflect.Type
}{
	{"Get", reflect.TypeFor[metav1.GetOptions]()},
	{"Create", reflect.TypeFor[metav1.CreateOptions]()},
	{"Update", reflect.TypeFor[metav1.UpdateOptions]()},
	{"UpdateStatus", reflect.TypeFor[metav1.UpdateOptions]()},
	{"Patch", reflect.TypeFor[metav1.PatchOptions]()},
	{"List", reflect.TypeFor[metav1.ListOptions]()},
	{"Apply", reflect.TypeFor[metav1.ApplyOptions]()},
	{"ApplyStatus", reflect.TypeFor[metav1.ApplyOptions]()},
	{"Delete", reflect.TypeFor[metav1.DeleteOptions]()},
	{"DeleteCollection", reflect.TypeFor[metav1.DeleteOptions]()},
	{"Watch", reflect.TypeFor[metav1.ListOptions]()},
}

// verbsOf returns the verbs that the interface of a client has.
func verbsOf(t reflect.Type) (names []string) {
	for _, verb := range verbNames {
		method, ok := t.MethodByName(verb.name)
		if !ok || method.Type.NumIn() < 2 || method.Type.In(0) != reflect.TypeFor[context.Context]() {
			continue
		}
		if slices.Contains(slices.Collect(method.Type.Ins()), verb.options) {
			names = append(names, verb.name)
		}
	}
	return names
}

// client is a method of a group that returns a client, such as Deployments of AppsV1.
type client struct {
	// path is how users call it, for errors.
	path string
	// get is the method, which takes a namespace if namespaced is set.
	get        reflect.Value
	namespaced bool
	// declared is the interface of the client. The fake behind it may have more methods.
	declared reflect.Type
	verbs    []string
}

// clientsOf returns the clients of a clientset that have verbs.
func clientsOf(clientset any) (found []client) {
	v := reflect.ValueOf(clientset)
	for i := range v.NumMethod() {
		t := v.Method(i).Type()
		if t.NumIn() != 0 || t.NumOut() != 1 || t.Out(0).Kind() != reflect.Interface {
			continue
		}
		clients := clientMethods(t.Out(0))
		if len(clients) == 0 {
			continue
		}
		group := v.Method(i).Call(nil)[0].Elem()
		if !group.IsValid() {
			continue
		}
		for _, c := range clients {
			c.get = group.MethodByName(c.path)
			c.path = v.Type().Method(i).Name + "()." + c.path
			found = append(found, c)
		}
	}
	return found
}

// clientMethods returns the methods of a group that return clients, with their names as paths. There are none if the interface does
// not belong to a group.
func clientMethods(group reflect.Type) (found []client) {
	for method := range group.Methods() {
		t := method.Type
		if t.NumOut() != 1 || t.Out(0).Kind() != reflect.Interface {
			continue
		}
		namespaced := t.NumIn() == 1 && t.In(0).Kind() == reflect.String
		if t.NumIn() > 0 && !namespaced {
			continue
		}
		if verbs := verbsOf(t.Out(0)); len(verbs) > 0 {
			found = append(found, client{path: method.Name, namespaced: namespaced, declared: t.Out(0), verbs: verbs})
		}
	}
	return found
}

// kindsOf returns the kinds of all clients of a clientset, sorted. It calls each client once, to see the action.
func kindsOf(clientset any, fake *testing.Fake, scheme *runtime.Scheme) (kinds []codec.Description, err error) {
	r := startRecording(fake)
	defer r.stop()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("a method of %T panicked: %v", clientset, p)
		}
	}()
	known := map[schema.GroupVersionResource]bool{}
	for _, c := range clientsOf(clientset) {
		d, err := c.describe(r, scheme)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.path, err)
		}
		if resource := d.GroupVersion().WithResource(d.Resource); !known[resource] {
			known[resource] = true
			kinds = append(kinds, d)
		}
	}
	if len(kinds) == 0 {
		return nil, fmt.Errorf("a %T has no clients: pass a fake clientset, such as fake.NewClientset()", clientset)
	}
	slices.SortFunc(kinds, func(a, b codec.Description) int { return cmp.Compare(a.String(), b.String()) })
	return kinds, nil
}

// describe describes the kind of a client.
func (c client) describe(r *recording, scheme *runtime.Scheme) (codec.Description, error) {
	var arguments []reflect.Value
	if c.namespaced {
		arguments = append(arguments, reflect.ValueOf("default"))
	}
	target := c.get.Call(arguments)[0].Elem()
	if !target.IsValid() {
		return codec.Description{}, errors.New("the method returns no client")
	}
	resource, ok := r.resourceOf(target.MethodByName(c.verbs[0]))
	if !ok {
		return codec.Description{}, fmt.Errorf(
			"%s is not recorded as an action of the clientset: serve the clientset that the client belongs to", c.verbs[0])
	}
	kind, err := c.kind(target, resource.GroupVersion(), scheme)
	if err != nil {
		return codec.Description{}, err
	}
	object, err := scheme.New(kind)
	if err != nil {
		return codec.Description{}, err
	}
	t := reflect.TypeOf(object).Elem()
	d := codec.Description{
		GroupVersionKind: kind, Resource: resource.Resource, Namespaced: c.namespaced,
		HasStatus: c.hasStatus(t), HasScale: c.hasScale(),
	}
	c.describeBuiltIn(&d, t)
	return d, nil
}

// named is a client that knows its kind, as clients of client-go's gentype do.
type named interface {
	Kind() schema.GroupVersionKind
}

// kind returns the kind of a client's objects, which follows from their Go type, or from the client's method Kind.
func (c client) kind(target reflect.Value, version schema.GroupVersion, scheme *runtime.Scheme) (schema.GroupVersionKind, error) {
	self, isNamed := reflect.TypeAssert[named](target)
	t := c.objectType()
	switch {
	case t == nil && isNamed:
		return self.Kind(), nil
	case t == nil:
		return schema.GroupVersionKind{}, fmt.Errorf("no object has a kind in %s: add get, list or create", strings.Join(c.verbs, ", "))
	}
	var candidates []string
	for kind, registered := range scheme.KnownTypes(version) {
		if registered == t {
			candidates = append(candidates, kind)
		}
	}
	if len(candidates) == 0 {
		return schema.GroupVersionKind{}, fmt.Errorf(
			"type %v is not in the scheme as a kind of %s: pass the scheme of the clientset", t, version)
	}
	if isNamed && slices.Contains(candidates, self.Kind().Kind) {
		return self.Kind(), nil
	}
	kind := slices.Min(candidates)
	if c.isListOnly() {
		kind = strings.TrimSuffix(kind, "List")
	}
	return version.WithKind(kind), nil
}

// objectType returns the type of the first verb's result that is an object, or a list if no verb returns an object. It returns nil
// if no verb returns either.
func (c client) objectType() reflect.Type {
	for _, verb := range c.verbs {
		method, _ := c.declared.MethodByName(verb)
		if method.Type.NumOut() != 2 {
			continue
		}
		if t := method.Type.Out(0); t.Kind() == reflect.Pointer && t.Implements(reflect.TypeFor[runtime.Object]()) {
			return t.Elem()
		}
	}
	return nil
}

// isListOnly reports whether List is the only verb with a result.
func (c client) isListOnly() bool {
	return c.has("List") && !slices.ContainsFunc([]string{"Get", "Create", "Update", "UpdateStatus", "Patch"}, c.has)
}

// hasStatus reports whether the status is a subresource: there is a verb for it, or there is a status, and markers limit the
// verbs. If only the verb for the status is missing, the status is an ordinary field.
func (c client) hasStatus(t reflect.Type) bool {
	all := []string{"Create", "Update", "Delete", "DeleteCollection", "Get", "List", "Watch", "Patch"} // of kinds without status
	return c.has("UpdateStatus") || c.has("ApplyStatus") ||
		hasStatusField(t) && slices.ContainsFunc(all, func(verb string) bool { return !c.has(verb) })
}

func (c client) has(verb string) bool { return slices.Contains(c.verbs, verb) }

// hasStatusField reports whether a type has a field for the status.
func hasStatusField(t reflect.Type) bool {
	_, ok := t.FieldByName("Status")
	return ok
}

// hasScale reports whether the client has a method for the scale.
func (c client) hasScale() bool {
	scale := reflect.TypeFor[*autoscalingv1.Scale]()
	for method := range c.declared.Methods() {
		switch method.Name {
		case "GetScale", "UpdateScale", "ApplyScale":
			return true
		}
		if method.Type.NumOut() == 2 && method.Type.Out(0) == scale {
			return true
		}
	}
	return false
}
