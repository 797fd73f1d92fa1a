package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/authentication/user"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	genericregistry "k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
)

// strategies are the strategies of a kind or a subresource.
type strategies struct {
	schema.GroupVersionKind
	store *genericregistry.Store
}

// object is an object in JSON form.
type object = map[string]any

// decoded returns an object as strategies receive it. Without a filler, it is empty, or only has defaults.
func (s strategies) decoded(f *filler, defaulted bool) (runtime.Object, error) {
	typed, err := legacyscheme.Scheme.New(s.GroupVersionKind)
	if err != nil {
		return nil, err
	}
	if f != nil {
		f.fill(reflect.ValueOf(typed).Elem(), "")
	}
	if defaulted {
		legacyscheme.Scheme.Default(typed)
	}
	return legacyscheme.Scheme.ConvertToVersion(typed, runtime.InternalGroupVersioner)
}

// encoded returns an object as clients receive it.
func (s strategies) encoded(internal runtime.Object) (object, error) {
	typed, err := legacyscheme.Scheme.ConvertToVersion(internal.DeepCopyObject(), s.GroupVersion())
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(typed)
	if err != nil {
		return nil, err
	}
	var u object
	return u, json.Unmarshal(data, &u)
}

// request returns the context of a request.
func (s strategies) request() context.Context {
	ctx := genericapirequest.WithNamespace(context.Background(), "shop")
	ctx = genericapirequest.WithRequestInfo(ctx, &genericapirequest.RequestInfo{
		IsResourceRequest: true, APIGroup: s.Group, APIVersion: s.Version, Resource: s.store.DefaultQualifiedResource.Resource,
	})
	return genericapirequest.WithUser(ctx, &user.DefaultInfo{Name: "user"})
}

// protected calls a strategy, and returns its panic as an error.
func protected(call func()) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the strategy panics: %v", p)
		}
	}()
	call()
	return nil
}

// created returns an object before and after its creation.
func (s strategies) created(f *filler) (was, is object, err error) {
	internal, err := s.decoded(f, f == nil)
	if err != nil {
		return nil, nil, err
	}
	if was, err = s.encoded(internal); err != nil {
		return nil, nil, err
	}
	if err := protected(func() { s.store.CreateStrategy.PrepareForCreate(s.request(), internal) }); err != nil {
		return nil, nil, err
	}
	is, err = s.encoded(internal)
	return was, is, err
}

// create returns what the strategy does to new objects, and whether it counts generations.
func (s strategies) create() (*creation, bool, error) {
	if s.store.CreateStrategy == nil {
		return nil, false, nil
	}
	was, is, err := s.created(before())
	if err != nil {
		return nil, false, err
	}
	_, made, err := s.created(nil)
	if err != nil {
		return nil, false, err
	}
	// Of other fields, what a strategy sets depends on the request, or is a default.
	set := object{}
	if status := constants(made["status"], object{}, is["status"]); len(status) > 0 {
		set["status"] = status
	}
	metadata, _ := is["metadata"].(object)
	drops := slices.DeleteFunc(compare(was, object{}, dropComputed(was, is)), func(path string) bool {
		return slices.Contains(conditional[s.Kind], path) || strings.HasPrefix(path, "metadata.")
	})
	c := &creation{Drops: drops, Sets: set}
	if len(c.Drops) == 0 && len(c.Sets) == 0 {
		c = nil
	}
	return c, fmt.Sprint(metadata["generation"]) == "1", nil
}

// conditional are fields that a strategy only removes from some objects, such as data sources of kinds that it does not know.
var conditional = map[string][]string{"PersistentVolumeClaim": {"spec.dataSource", "spec.dataSourceRef"}}

// dropComputed returns an object without the fields of the status that a strategy has changed: clients cannot set them.
func dropComputed(was, is object) object {
	before, _ := was["status"].(object)
	after, _ := is["status"].(object)
	kept := object{}
	for name, value := range after {
		if reflect.DeepEqual(value, before[name]) {
			kept[name] = value
		}
	}
	dropped := maps.Clone(is)
	dropped["status"] = kept
	return dropped
}

// update returns the fields that an update cannot change.
func (s strategies) update() ([]string, error) {
	if s.store.UpdateStrategy == nil {
		return nil, nil
	}
	old, err := s.decoded(before(), false)
	if err != nil {
		return nil, err
	}
	updated, err := s.decoded(after(), false)
	if err != nil {
		return nil, err
	}
	was, err := s.encoded(old)
	if err != nil {
		return nil, err
	}
	wanted, err := s.encoded(updated)
	if err != nil {
		return nil, err
	}
	if err := protected(func() { s.store.UpdateStrategy.PrepareForUpdate(s.request(), updated, old) }); err != nil {
		return nil, err
	}
	is, err := s.encoded(updated)
	return compare(wanted, was, is), err
}

// compare returns the fields of is that have the value of was instead of the wanted one. A field stands for all fields below it.
func compare(wanted, was, is object) []string {
	kept, _, _ := compareBelow(wanted, was, is, "")
	return kept
}

// compareBelow also reports whether there are fields with the value of was, and others.
func compareBelow(wanted, was, is any, path string) (kept []string, has, hasOthers bool) {
	w, isObject := wanted.(object)
	if !isObject {
		switch {
		case reflect.DeepEqual(wanted, was): // nothing to tell apart
		case reflect.DeepEqual(is, was):
			return []string{path}, true, false
		default:
			return nil, false, true
		}
		return nil, false, false
	}
	o, _ := was.(object)
	i, _ := is.(object)
	for _, name := range slices.Sorted(maps.Keys(w)) {
		if path == "metadata" && name == "generation" || path == "" && (name == "kind" || name == "apiVersion") {
			continue
		}
		below := name
		if path != "" {
			below = path + "." + name
		}
		names, hasHere, othersHere := compareBelow(w[name], o[name], i[name], below)
		kept, has, hasOthers = append(kept, names...), has || hasHere, hasOthers || othersHere
	}
	if has && !hasOthers && path != "" {
		kept = []string{path}
	}
	return kept, has, hasOthers
}

// constants returns what a strategy has set in an object without fields, if a filled object has the same values.
func constants(made, bare, filled any) object {
	m, _ := made.(object)
	b, _ := bare.(object)
	f, _ := filled.(object)
	set := object{}
	for name, value := range m {
		if name == "metadata" || reflect.DeepEqual(value, b[name]) {
			continue
		}
		if _, isObject := value.(object); isObject {
			if below := constants(value, b[name], f[name]); len(below) > 0 {
				set[name] = below
			}
		} else if _, isText := value.(string); isText && !strings.HasSuffix(name, "Time") && reflect.DeepEqual(value, f[name]) {
			set[name] = value
		}
	}
	return set
}
