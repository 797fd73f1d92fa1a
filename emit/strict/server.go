// Package strict serves the requests of a fake clientset as an API server serves custom resources. It implements the behavior
// that does not depend on the kind: resource versions, optimistic locking, the status subresource, managed fields, finalizers,
// selectors, paging and watches. Set the schema of a CustomResourceDefinition (defaults, pruning, validation) with SetSchema.
//
// All objects are stored in JSON form, in the storage version. Requests are serialized.
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
	// HasStatus is set if the status is a subresource.
	HasStatus bool
	// HasScale is set if the kind has the subresource scale.
	HasScale bool
	// Fields are the selectable fields in addition to the metadata, such as "spec.nodeName".
	Fields []string
	// BuiltIn is set for built-in kinds. They accept updates without a resource version, and strategic merge patches.
	BuiltIn bool
	// NoGeneration is set for kinds without a metadata.generation.
	NoGeneration bool
}

// Config configures a server.
type Config struct {
	// Scheme has the types of all kinds and of their lists.
	Scheme *runtime.Scheme
	Kinds  []Kind
	// Converter has the schemas of all kinds, for managed fields and server-side apply.
	Converter managedfields.TypeConverter
}

// Convert converts an object to another version of its kind. It must not modify the object.
type Convert = func(object runtime.Object, to schema.GroupVersionKind) (runtime.Object, error)

// Option configures a server.
type Option func(*Server)

// WithGarbageCollection sets whether the dependents of deleted objects are deleted too, as the garbage collector of a cluster
// does. The default is true. Owners that the server does not serve are ignored.
func WithGarbageCollection(on bool) Option { return func(s *Server) { s.collects = on } }

// WithConversion sets the function that converts objects between versions of their kind. The default keeps the fields that both
// versions have.
func WithConversion(convert Convert) Option { return func(s *Server) { s.convert = convert } }

// WithHistory sets how many changes of each resource are kept for watches and lists from older resource versions. The default is
// 10,000.
func WithHistory(changes int) Option { return func(s *Server) { s.remembered = max(changes, 1) } }

// WithClock sets the clock for creation and deletion timestamps. The default is the real clock.
func WithClock(c clock.PassiveClock) Option { return func(s *Server) { s.clock = c } }

// Server stores objects and serves requests for them. It is safe for concurrent use.
type Server struct {
	collects   bool
	convert    Convert
	remembered int
	clock      clock.PassiveClock

	lock sync.Mutex
	// revision is the revision of the last change, and compacted the oldest revision that is kept.
	revision, compacted uint64
	resources           map[schema.GroupResource]*resource
	kinds               map[schema.GroupVersionResource]*served
	byKind              map[schema.GroupVersionKind]*served
	schemes             []*runtime.Scheme
	// fakes are the clientsets that the server serves.
	fakes   []*testing.Fake
	garbage *collector
}

// served is a served kind.
type served struct {
	Kind
	*resource
	scheme    *runtime.Scheme
	converter managedfields.TypeConverter
	fields    map[string]*managedfields.FieldManager
	schema    Schema
	// own is set if the schema is not derived from the Go type.
	own bool
}

// firstRevision is the revision of a server without objects. It is not 0, which means "any version".
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

// Serve adds kinds to the server.
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

// Schema is the schema of one version of a kind. Its methods take objects in JSON form. It is an alias, so that packages can
// implement it without importing this one.
type Schema = interface {
	// Prune removes unknown fields and returns their paths.
	Prune(object map[string]any) (unknown []string)
	// Default sets unset fields that have a default.
	Default(object map[string]any)
	// Validate validates a new object, or an update if old is not nil. The subresource is "", "status" or "scale". The metadata of
	// updates has already been validated.
	Validate(object, old map[string]any, subresource string) field.ErrorList
	// Version reports whether the version is served, and whether it is the storage version.
	Version() (served, storage bool)
	// Subresources reports whether the kind has the subresources status and scale.
	Subresources() (status, scale bool)
	// ScalePaths returns the paths of the fields of a scale, such as ".spec.replicas". The selector may be empty.
	ScalePaths() (specReplicas, statusReplicas, selector string)
	// Names returns the other names in discovery.
	Names() (singular string, shortNames, categories []string)
	// SelectableFields returns the selectable fields in addition to the metadata, such as "spec.nodeName".
	SelectableFields() []string
}

// SetSchema sets the schema of a version of a kind, in place of the schema derived from its Go type. Existing objects are defaulted
// and pruned. SetSchema returns an error if the server does not serve the version.
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

// Kinds returns the served kinds, in no particular order.
func (s *Server) Kinds() []schema.GroupVersionKind {
	s.lock.Lock()
	defer s.lock.Unlock()
	return slices.Collect(maps.Keys(s.byKind))
}

// Compact drops the history: watches and lists from older resource versions fail with status 410.
func (s *Server) Compact() {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.compacted = s.revision
	for _, r := range s.resources {
		r.forget(s.revision)
	}
}

func (s *Server) now() metav1.Time { return metav1.NewTime(s.clock.Now().Truncate(time.Second)) }

// AddTo makes a fake clientset serve from the server, including discovery. Reactors that are prepended later take precedence.
func (s *Server) AddTo(fake *testing.Fake) {
	fake.PrependReactor("*", "*", s.react)
	fake.PrependWatchReactor("*", s.reactToWatch)
	s.lock.Lock()
	defer s.lock.Unlock()
	s.fakes = append(s.fakes, fake)
	s.announce()
}

// Add stores an object, including its status and deletion timestamp. It sets missing metadata that a server would set. The items
// of a list are added one by one.
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
		kinds, _, _ := scheme.ObjectKinds(object) // it may be registered in another scheme
		for _, kind := range kinds {
			if k, ok := s.byKind[kind]; ok {
				return k, nil
			}
		}
	}
	return nil, fmt.Errorf("the clientset has no client for a %T", object)
}
