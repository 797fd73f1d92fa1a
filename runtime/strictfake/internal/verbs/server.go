// Package verbs answers requests as an API server does: it checks them in a server's order and returns a server's errors. Objects
// are in the store room, kinds and schemas in the codec room.
//
// Every write passes the same stages, see Server.write: decode → admit → own → complete → validate → commit. Create, update, patch, apply,
// status and scale only differ in how they decode.
//
// Requests are serialized by the lock of the store. The exported methods take it, all others expect that it is held.
package verbs

import (
	"errors"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/codec"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/store"
)

// Server answers requests. It is safe for concurrent use.
type Server struct {
	store *store.Store
	codec *codec.Codec
	// resources are the resources in the store, by the kinds in the codec.
	resources map[*codec.Kind]*store.Resource
	// is38 chooses among the answers that package release describes, and sharded is set if lists and watches can be of a shard.
	is38, sharded bool
}

// NewServer returns a server without kinds and objects. What is38 means says package release.
func NewServer(config store.Config, convert codec.Convert, is38, sharded bool) *Server {
	return &Server{store.New(config), codec.New(convert), map[*codec.Kind]*store.Resource{}, is38, sharded}
}

// Register adds the kinds of a clientset. If it returns an error, it has added none.
func (s *Server) Register(kinds []codec.Description, scheme *runtime.Scheme, converter managedfields.TypeConverter) error {
	s.store.Lock()
	defer s.store.Unlock()
	for _, d := range kinds {
		if err := s.codec.Check(d, scheme); err != nil {
			return err
		}
	}
	for _, d := range kinds {
		k := s.codec.Add(d, scheme, converter)
		if !k.Virtual {
			s.resources[k] = s.store.Register(k.StoredAs(), k.GroupVersionKind, k.Namespaced, !k.NoGeneration)
		}
	}
	return nil
}

// Serves reports whether the server stores objects of a resource.
func (s *Server) Serves(resource schema.GroupVersionResource) bool {
	s.store.Lock()
	defer s.store.Unlock()
	return s.resources[s.codec.Kind(resource)] != nil
}

// KindOf returns the kind of a resource. It reports whether the server knows it.
func (s *Server) KindOf(resource schema.GroupVersionResource) (schema.GroupVersionKind, bool) {
	s.store.Lock()
	defer s.store.Unlock()
	k := s.codec.Kind(resource)
	if k == nil {
		return schema.GroupVersionKind{}, false
	}
	return k.GroupVersionKind, true
}

// Kinds returns all kinds, in no particular order.
func (s *Server) Kinds() []schema.GroupVersionKind {
	s.store.Lock()
	defer s.store.Unlock()
	var kinds []schema.GroupVersionKind
	for _, k := range s.codec.Kinds() {
		kinds = append(kinds, k.GroupVersionKind)
	}
	return kinds
}

// SetSchema sets the schema of a version of a kind. Existing objects are read with it: converted to the storage version, pruned and
// defaulted. If a conversion fails, SetSchema returns its error, and the objects stay as they were.
func (s *Server) SetSchema(kind schema.GroupVersionKind, to codec.Schema) error {
	s.store.Lock()
	defer s.store.Unlock()
	k, err := s.codec.SetSchema(kind, to)
	if err != nil || k.Virtual {
		return err
	}
	return s.store.Reread(s.resources[k], func(u *unstructuredObject) (*unstructuredObject, error) { return s.codec.FromStorage(k, u) })
}

// Compact drops the history: watches and lists from older resource versions fail with status 410.
func (s *Server) Compact() {
	s.store.Lock()
	defer s.store.Unlock()
	s.store.Compact()
}

// Add stores an object, including its status and deletion timestamp. It sets missing metadata that a server would set. The items of
// a list are added one by one.
func (s *Server) Add(object runtime.Object) error {
	if meta.IsListType(object) {
		items, err := meta.ExtractList(object)
		if err != nil {
			return err
		}
		for _, item := range items {
			if err := s.Add(item); err != nil {
				return err
			}
		}
		return nil
	}
	s.store.Lock()
	defer s.store.Unlock()
	k, err := s.codec.KindOf(object)
	if err != nil {
		return err
	}
	if k.Virtual {
		return errors.New("servers do not store objects of kind " + k.Kind)
	}
	r := s.request(k, Target{}, http.MethodPost)
	r.manager, r.seeds = defaultManager, true
	_, err = s.write(&r, func() (decoded, error) { return r.decodeSeed(object) })
	return asStatus(err)
}

// Target names the objects of a request.
type Target struct {
	// Resource is the resource.
	Resource schema.GroupVersionResource
	// Namespace and Name may be empty.
	Namespace, Name string
	// Subresource is empty for requests of the object.
	Subresource string
}

// serve calls handle with a request, while the lock is held.
func (s *Server) serve(t Target, method string, handle func(*request) error) error {
	s.store.Lock()
	defer s.store.Unlock()
	k, err := s.kindOf(t)
	if err != nil {
		return err
	}
	r := s.request(k, t, method)
	return asStatus(handle(&r))
}

// kindOf returns the kind of a target. It returns an error if the server does not store such objects.
func (s *Server) kindOf(t Target) (*codec.Kind, error) {
	if k := s.codec.Kind(t.Resource); s.resources[k] != nil {
		return k, nil
	}
	return nil, errors.New("the clientset has no client for " + t.Resource.String())
}

// asStatus returns an error as clients receive it.
func asStatus(err error) error {
	if err == nil {
		return nil
	}
	if unsent := (clientError{}); errors.As(err, &unsent) {
		return unsent.error
	}
	if status := apierrors.APIStatus(nil); errors.As(err, &status) {
		return err
	}
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusInternalServerError, Reason: metav1.StatusReasonUnknown, Message: err.Error(),
	}}
}
