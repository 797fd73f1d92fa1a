package strictfake

import (
	"errors"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/testing"
	"k8s.io/utils/clock"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/fakes"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/release"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/codec"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/store"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/verbs"
)

// defaultHistory is how many changes of each resource are kept by default.
const defaultHistory = 10_000

// Option configures a Server.
type Option func(*config)

// config is the configuration of a Server.
type config struct {
	store         store.Config
	convert       codec.Convert
	is38, sharded bool
}

// WithGarbageCollection sets whether the dependents of deleted objects are deleted too, as the garbage collector of a cluster does.
// The default is true. Dependents are gone when the request that deletes their last owner returns. Owners of kinds that the server
// does not serve count as existing.
func WithGarbageCollection(on bool) Option { return func(c *config) { c.store.CollectsGarbage = on } }

// WithConversion sets the function that converts objects between versions of their kind, like a conversion webhook. Objects are
// stored in the latest version, or in the storage version of the schemas that SetSchema sets. The default keeps the fields that
// both versions have. The function must not modify the object and must not call clients of the server, which wait for the
// conversion.
func WithConversion(convert func(object runtime.Object, to schema.GroupVersionKind) (runtime.Object, error)) Option {
	return func(c *config) { c.convert = convert }
}

// WithHistory sets how many changes of each resource are kept for watches and lists from older resource versions. Older ones fail
// with status 410. The default is 10,000, the minimum is 1.
func WithHistory(changes int) Option { return func(c *config) { c.store.History = max(changes, 1) } }

// WithClock sets the clock for creation and deletion timestamps. The default is the real clock. The times of managed fields and the
// timeouts of watches always follow the real clock, which is the bubble's clock in tests with testing/synctest.
func WithClock(now clock.PassiveClock) Option { return func(c *config) { c.store.Clock = now } }

// Schema is the schema of one version of a kind: pruning, defaults, validation, subresources, selectable fields. Its methods take
// objects in JSON form. They must not call clients of the server, which wait for them. Schema is an alias, so that packages can
// implement it without importing this one. A schema may have a method TypeConverter() managedfields.TypeConverter in addition: its types
// replace the clientset's types in managed fields and server-side apply, unless it returns nil.
type Schema = codec.Schema

// Server stores objects and answers the requests of the clientsets that it serves. It is safe for concurrent use.
type Server struct {
	verbs *verbs.Server
	// lock guards fakes. It is taken before the lock of the store, which guards everything else, and never while that one is held.
	lock sync.Mutex
	// fakes are the clientsets that the server serves.
	fakes []*testing.Fake
}

// NewServer returns a server without clientsets and objects.
func NewServer(options ...Option) *Server {
	c := config{store: store.Config{CollectsGarbage: true, History: defaultHistory, Clock: clock.RealClock{}}}
	c.is38, c.sharded = release.Has38(), release.Has38()
	for _, option := range options {
		option(&c)
	}
	return &Server{verbs: verbs.NewServer(c.store, c.convert, c.is38, c.sharded)}
}

// Add stores objects, including their status and deletion timestamp, and sets missing metadata that a server would set. It adds the
// items of lists one by one. Add stops at the first object that a server would reject, or that no clientset has a client for, and
// returns an error that names it. The objects before it stay.
func (s *Server) Add(objects ...runtime.Object) error {
	for _, object := range objects {
		if err := s.verbs.Add(object); err != nil {
			return err
		}
	}
	return nil
}

// SetSchema sets the schema of a version of a kind, in place of the schema that follows from its Go type, and updates discovery.
// Stored objects are converted to the storage version, pruned and defaulted, but not validated. SetSchema returns an error if no
// clientset has a client for the version, or if a conversion fails. Package crdfake calls it with the schemas of
// CustomResourceDefinitions.
//
// Discovery clients must not be in use while SetSchema runs, because client-go's fake reads what SetSchema writes without a lock.
func (s *Server) SetSchema(kind schema.GroupVersionKind, to Schema) error {
	if err := s.verbs.SetSchema(kind, to); err != nil {
		return err
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	s.announce()
	return nil
}

// Kinds returns the kinds of all clientsets in all versions, in no particular order.
func (s *Server) Kinds() []schema.GroupVersionKind { return s.verbs.Kinds() }

// Compact drops the history of all resources: from now on, watches and lists from older resource versions fail with status 410, as
// after a compaction of etcd. Watches that have started go on.
func (s *Server) Compact() { s.verbs.Compact() }

// Serves reports whether the server serves a clientset.
func (s *Server) Serves(clientset Clientset) bool {
	fake, err := fakes.Of(clientset)
	if err != nil {
		return false
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	return slices.Contains(s.fakes, fake)
}

// announce updates the discovery clients of all clientsets.
func (s *Server) announce() {
	for _, fake := range s.fakes {
		fake.Resources = s.verbs.Resources()
	}
}

// errServed is the error for a clientset that is served already.
var errServed = errors.New("the server serves this clientset already: call Serve once for each clientset")
