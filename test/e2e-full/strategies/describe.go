package main

import (
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"k8s.io/apimachinery/pkg/runtime/schema"
	genericregistry "k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
)

// describe returns the kinds of all storages.
func describe(groups map[schema.GroupVersion]map[string]rest.Storage) (kinds []kind, err error) {
	for version, storages := range groups {
		byResource := map[string]*kind{}
		for name, storage := range storages {
			if !strings.Contains(name, "/") {
				if byResource[name], err = describeKind(version, name, storage); err != nil {
					return nil, fmt.Errorf("%s of %s: %w", name, version, err)
				}
			}
		}
		for name, storage := range storages {
			resource, sub, isSub := strings.Cut(name, "/")
			if !isSub {
				continue
			}
			described, err := describeSubresource(version, sub, storage)
			if err != nil {
				return nil, fmt.Errorf("%s of %s: %w", name, version, err)
			}
			byResource[resource].Subresources = append(byResource[resource].Subresources, described)
		}
		for _, k := range byResource {
			slices.SortFunc(k.Subresources, subresource.compare)
			kinds = append(kinds, *k)
		}
	}
	return kinds, nil
}

// kindOf returns the kind of a storage, as discovery names it.
func kindOf(version schema.GroupVersion, storage rest.Storage) (schema.GroupVersionKind, error) {
	if provider, ok := storage.(rest.GroupVersionKindProvider); ok {
		return provider.GroupVersionKind(version), nil
	}
	kinds, _, err := legacyscheme.Scheme.ObjectKinds(storage.New())
	if err != nil {
		return schema.GroupVersionKind{}, err
	}
	for _, kind := range kinds {
		if kind.Group == version.Group || legacyscheme.Scheme.Recognizes(version.WithKind(kind.Kind)) {
			return version.WithKind(kind.Kind), nil
		}
	}
	return kinds[0], nil
}

func describeKind(version schema.GroupVersion, name string, storage rest.Storage) (*kind, error) {
	of, err := kindOf(version, storage)
	if err != nil {
		return nil, err
	}
	k := &kind{Group: version.Group, Version: version.Version, Kind: of.Kind, Resource: name, Verbs: verbsOf(storage)}
	if scoper, ok := storage.(rest.Scoper); ok {
		k.Namespaced = scoper.NamespaceScoped()
	}
	if provider, ok := storage.(rest.SingularNameProvider); ok {
		k.Singular = provider.GetSingularName()
	}
	if provider, ok := storage.(rest.ShortNamesProvider); ok {
		k.ShortNames = provider.ShortNames()
	}
	if provider, ok := storage.(rest.CategoriesProvider); ok {
		k.Categories = provider.Categories()
	}
	_, isRead := storage.(rest.Getter)
	k.Virtual = !isRead
	store := storeOf(reflect.ValueOf(storage), 0)
	if store == nil {
		return k, nil
	}
	k.Returned = store.ReturnDeletedObject
	s := strategies{of, store}
	if k.Create, k.Counted, err = s.create(); err != nil {
		return nil, err
	}
	if k.Keeps, err = s.update(); err != nil {
		return nil, err
	}
	k.Fields, err = s.labels()
	return k, err
}

func describeSubresource(version schema.GroupVersion, name string, storage rest.Storage) (subresource, error) {
	of, err := kindOf(version, storage)
	if err != nil {
		return subresource{}, err
	}
	sub := subresource{Name: name, Group: of.Group, Version: of.Version, Kind: of.Kind, Verbs: verbsOf(storage)}
	store := storeOf(reflect.ValueOf(storage), 0)
	if _, updates := storage.(rest.Updater); store == nil || name == "scale" || !updates {
		return sub, nil
	}
	sub.Keeps, err = strategies{of, store}.update()
	return sub, err
}

// verbsOf returns the verbs of a storage, as discovery lists them.
func verbsOf(storage rest.Storage) (verbs []string) {
	add := func(ok bool, verb string) {
		if ok {
			verbs = append(verbs, verb)
		}
	}
	_, creates := storage.(rest.Creater)
	_, createsNamed := storage.(rest.NamedCreater)
	add(creates || createsNamed, "create")
	_, ok := storage.(rest.Getter)
	add(ok, "get")
	_, ok = storage.(rest.Lister)
	add(ok, "list")
	_, ok = storage.(rest.Watcher)
	add(ok, "watch")
	_, ok = storage.(rest.Updater)
	add(ok, "update")
	_, ok = storage.(rest.Patcher)
	add(ok, "patch")
	_, ok = storage.(rest.GracefulDeleter)
	add(ok, "delete")
	_, ok = storage.(rest.CollectionDeleter)
	add(ok, "deletecollection")
	if connecter, ok := storage.(rest.Connecter); ok {
		for _, method := range connecter.ConnectMethods() {
			verb, known := map[string]string{
				http.MethodGet: "get", http.MethodPost: "create", http.MethodPut: "update", http.MethodPatch: "patch",
				http.MethodDelete: "delete",
			}[method]
			add(known, verb)
		}
	}
	return sorted(verbs)
}

// maxDepth is how deep storages wrap stores.
const maxDepth = 4

// storeOf returns the store in a storage, or nil. The field is not exported in storages of subresources.
func storeOf(v reflect.Value, depth int) *genericregistry.Store {
	for v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return nil
		}
		if store, ok := reflect.TypeAssert[*genericregistry.Store](v); ok {
			return store
		}
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct || depth > maxDepth || !v.CanAddr() {
		return nil
	}
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if !field.Anonymous && field.Name != "store" && field.Name != "Store" {
			continue
		}
		value := reflect.NewAt(field.Type, unsafe.Pointer(v.Field(i).UnsafeAddr())).Elem()
		if store := storeOf(value, depth+1); store != nil {
			return store
		}
	}
	return nil
}
