// Package strict answers the requests of a fake clientset as an API server answers them for custom resources. It knows what
// a server does with objects of any kind: resource versions, optimistic locking, the status split, managed fields, finalizers,
// selectors, paging and watches. What a CustomResourceDefinition says in addition (defaults, pruning, validation) is left to
// SetSchema.
//
// All objects are kept as JSON, in the version in which a server would store them. Requests are carried out one after the
// other.
package strict

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/version"
	"k8s.io/client-go/testing"
	"k8s.io/utils/clock"
)

// Kind is a kind that a server serves.
type Kind struct {
	schema.GroupVersionKind
	// Resource is the plural in the paths of the API.
	Resource   string
	Namespaced bool
	// HasStatus is set if the status is written through a subresource.
	HasStatus bool
	// HasScale is set if there is the subresource scale.
	HasScale bool
	// Fields are the fields that field selectors can name in addition to the metadata, such as "spec.nodeName".
	Fields []string
	// BuiltIn is set for kinds of Kubernetes itself. They take updates without a resource version, and strategic merge patches.
	BuiltIn bool
	// NoGeneration is set for kinds without a metadata.generation.
	NoGeneration bool
}

// Config says what a server serves.
type Config struct {
	// Scheme knows the types of all kinds, and of their lists.
	Scheme *runtime.Scheme
	Kinds  []Kind
	// Converter knows the schema of the kinds, for managed fields and server-side apply.
	Converter managedfields.TypeConverter
}

// Convert converts an object to another version of its kind. It must not modify the object.
type Convert = func(object runtime.Object, to schema.GroupVersionKind) (runtime.Object, error)

// Option changes how a server behaves.
type Option func(*Server)

// WithGarbageCollection says whether the dependents of deleted objects are deleted, as the garbage collector of a cluster does.
// The default is true. The server knows only the owners that its clientset serves.
func WithGarbageCollection(on bool) Option { return func(s *Server) { s.collects = on } }

// WithConversion sets the function that converts objects between the versions of their kind. The default keeps the fields that
// the types of both versions have.
func WithConversion(convert Convert) Option { return func(s *Server) { s.convert = convert } }

// WithHistory sets how many changes of each resource a server remembers, for watches and pages that begin in the past. The
// default is 10,000.
func WithHistory(changes int) Option { return func(s *Server) { s.remembered = max(changes, 1) } }

// WithClock sets the clock that tells creation and deletion times.
func WithClock(c clock.PassiveClock) Option { return func(s *Server) { s.clock = c } }

// Server holds objects and answers requests for them. Its methods are safe for concurrent use.
type Server struct {
	collects   bool
	convert    Convert
	remembered int
	clock      clock.PassiveClock

	lock sync.Mutex
	// revision is that of the last change; compacted is the oldest one that is remembered.
	revision, compacted uint64
	resources           map[schema.GroupResource]*resource
	kinds               map[schema.GroupVersionResource]*served
	byKind              map[schema.GroupVersionKind]*served
	schemes             []*runtime.Scheme
	// fakes are the clientsets that answer from the server.
	fakes   []*testing.Fake
	garbage *collector
}

// served is a kind with what a server needs to serve it.
type served struct {
	Kind
	*resource
	scheme    *runtime.Scheme
	converter managedfields.TypeConverter
	fields    map[string]*managedfields.FieldManager
	schema    Schema
	// own is set if the schema is not that of the Go type.
	own bool
}

// firstRevision is the revision of a server without objects. Real ones do not begin at 0 either, which means "any version".
const firstRevision = 1

// NewServer returns a server without objects.
func NewServer(config Config, options ...Option) *Server {
	s := &Server{
		collects: true, remembered: 10_000, clock: clock.RealClock{},
		revision: firstRevision, compacted: firstRevision,
		resources: map[schema.GroupResource]*resource{}, kinds: map[schema.GroupVersionResource]*served{},
		byKind: map[schema.GroupVersionKind]*served{}, garbage: newCollector(),
	}
	s.Serve(config)
	for _, option := range options {
		option(s)
	}
	return s
}

// Serve adds kinds to those that the server knows.
func (s *Server) Serve(config Config) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.schemes = append(s.schemes, config.Scheme)
	for _, kind := range config.Kinds {
		gvr := kind.GroupVersion().WithResource(kind.Resource)
		r := s.resources[gvr.GroupResource()]
		if r == nil {
			r = newResource(gvr.GroupResource())
			s.resources[gvr.GroupResource()] = r
		}
		k := &served{Kind: kind, resource: r, scheme: config.Scheme, converter: config.Converter, fields: map[string]*managedfields.FieldManager{}}
		k.schema = goType{k}
		s.kinds[gvr], s.byKind[kind.GroupVersionKind] = k, k
		if r.storage == nil || version.CompareKubeAwareVersionStrings(kind.Version, r.storage.Version) > 0 {
			r.storage = k
		}
	}
}

// Schema is what a server knows of one version of a kind beyond what all kinds have in common. It gets objects as JSON. The type
// has no name of its own, so that packages without an import of this one can implement it.
type Schema = interface {
	// Prune removes the fields that the schema does not have, and returns their paths.
	Prune(object map[string]any) (unknown []string)
	// Default sets the fields that have a default and are not set.
	Default(object map[string]any)
	// Validate returns what is wrong with a new object, or with a change; old is nil for new objects. The subresource is "",
	// "status" or "scale". What is wrong with the metadata of a change is known already.
	Validate(object, old map[string]any, subresource string) field.ErrorList
	// Version returns whether the version is served, and whether objects are stored in it.
	Version() (served, storage bool)
	// Subresources returns whether there is a status, and whether there is a scale.
	Subresources() (status, scale bool)
	// ScalePaths returns the fields that a scale reads and writes, such as ".spec.replicas"; the selector may be "".
	ScalePaths() (specReplicas, statusReplicas, selector string)
	// Names returns the other names that discovery tells.
	Names() (singular string, shortNames, categories []string)
	// SelectableFields returns the fields that field selectors can name in addition to the metadata, such as "spec.nodeName".
	SelectableFields() []string
}

// SetSchema replaces what the server knows of a version of a kind from its Go type. Objects that are there already get the
// defaults of the schema, and lose what it does not have. SetSchema returns an error if the server does not know the version.
func (s *Server) SetSchema(kind schema.GroupVersionKind, to Schema) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	k, ok := s.byKind[kind]
	if !ok {
		return fmt.Errorf("the clientset has no client for %v", kind)
	}
	k.schema, k.own = to, true
	clear(k.fields)
	if _, storage := to.Version(); storage {
		k.storage = k
	}
	s.announce()
	return s.convertStored(k.resource)
}

// Kinds returns the kinds that the server knows, in no order.
func (s *Server) Kinds() []schema.GroupVersionKind {
	s.lock.Lock()
	defer s.lock.Unlock()
	return slices.Collect(maps.Keys(s.byKind))
}

// Compact forgets the history: watches and pages cannot begin before this moment, and are told so with status 410.
func (s *Server) Compact() {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.compacted = s.revision
	for _, r := range s.resources {
		r.forget(s.revision)
	}
}

func (s *Server) now() metav1.Time { return metav1.NewTime(s.clock.Now().Truncate(time.Second)) }

// AddTo makes a fake clientset answer from the server, and list its kinds in discovery. Reactors that are prepended later take
// precedence.
func (s *Server) AddTo(fake *testing.Fake) {
	fake.PrependReactor("*", "*", s.react)
	fake.PrependWatchReactor("*", s.reactToWatch)
	s.lock.Lock()
	defer s.lock.Unlock()
	s.fakes = append(s.fakes, fake)
	s.announce()
}

// Add stores an object as it would be stored after its creation, status and deletion time included. What a server sets is set,
// unless the object has it. The items of a list are added one by one.
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
	s.lock.Lock()
	defer s.lock.Unlock()
	kind, err := s.kindOf(object)
	if err != nil {
		return err
	}
	return s.seed(kind, object)
}

// kindOf returns the kind of an object.
func (s *Server) kindOf(object runtime.Object) (*served, error) {
	for _, scheme := range s.schemes {
		kinds, _, _ := scheme.ObjectKinds(object) // another scheme may know it
		for _, kind := range kinds {
			if k, ok := s.byKind[kind]; ok {
				return k, nil
			}
		}
	}
	return nil, fmt.Errorf("the clientset has no client for a %T", object)
}
