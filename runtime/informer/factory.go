package informer

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/broadcast"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/served"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/shared"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/trim"
)

// Factory has one informer for each type, resource and scope, see [For], and runs them. It has the methods of the SharedInformerFactory
// of generated informers, except methods that know types, and can be embedded in one. All methods may be called concurrently. Methods
// that wait for handlers say so: handlers must not call them.
type Factory struct {
	changed *broadcast.Broadcast

	// scoping serializes changes of namespaces. It is taken before lock.
	scoping sync.Mutex

	// lock guards the fields below, and the fields of members. It is not held while informers are waited for.
	lock     sync.Mutex
	settings *settings
	errs     []error
	members  map[key]*member
	// order has the members in the order in which they were requested.
	order        []*member
	shuttingDown bool
	// follower is the informer of WithNamespaceSelector, or nil, and followed is set when it has set the namespaces once.
	follower *member
	followed bool
	values   map[any]any
	// managers are the field managers of Extend. It has a lock of its own.
	managers trim.Managers
}

// key identifies an informer. Informers of callers have no resource.
type key struct {
	object   reflect.Type
	resource schema.GroupVersionResource
	scope    scope
}

// member is an informer of a factory.
type member struct {
	object   reflect.Type
	resource schema.GroupVersionResource
	informer cache.SharedIndexInformer
	// own is the informer, and typed the *Informer[T], if this package created it. Callers of InformerFor may pass any informer.
	own   *shared.Informer
	typed any
	// options come from the request for the informer. Scoped is set if it has the namespaces of the factory, sharded for arcs.
	options         *settings
	scoped, sharded bool
	// ownScope is set if the informer is only returned for its own scope.
	ownScope bool

	// run runs the informer until ctx is done. If it is nil, nothing but the informer runs.
	run func(ctx context.Context)
	// ctx, cancel and done belong to the last run and are nil before the first. Done is closed when the run has ended.
	ctx    context.Context
	cancel context.CancelFunc
	done   chan struct{}
	// started is the context of the last Start, or nil if there was none, or if Stop was called after it.
	started context.Context
	// holders is the number of Acquire calls that have not been released.
	holders int
	// served asks the API server whether it serves the resource. It is nil if the informer does not wait for that. Awaited is set if
	// StartWhenServed runs the informer, and unserved while it waits. Asked is set once there was an answer.
	served                   func() (bool, error)
	awaited, asked, unserved bool
}

// String names the member in errors.
func (m *member) String() string {
	if m.own == nil {
		return m.object.String()
	}
	return fmt.Sprintf("%s (%v)", m.resource.GroupResource(), m.object)
}

// NewFactory returns a factory without informers. If options contradict each other, [Factory.Err] has the errors.
func NewFactory(options ...Option) *Factory {
	f := &Factory{changed: broadcast.New(), settings: newSettings(options...), members: map[key]*member{}}
	f.note(f.settings.factoryErr())
	if f.settings.follow != nil {
		var err error
		f.follower, err = f.settings.follow(f)
		f.note(err)
	}
	return f
}

// Extend adds options to a factory that only add cached data: [WithManagedFields]. It returns an error for others. Call it
// before the factory is started: objects that are cached have lost the rest.
func (f *Factory) Extend(options ...Option) error {
	more := newSettings(options...)
	for _, given := range more.given {
		if given.Setting != settingManagedFields {
			return fmt.Errorf("%s cannot be added to a factory: pass it to NewFactory", given.Text)
		}
	}
	if more.keepManagedFields {
		f.managers.Add(more.managers...)
	}
	return more.err()
}

// KeepsManagedFields reports whether caches of the factory have managed fields, see [WithManagedFields]. Their clients must ask for them.
func (f *Factory) KeepsManagedFields() bool {
	return slices.ContainsFunc(f.own(), func(m *member) bool { return m.own.KeepsManagedFields() })
}

// Err returns the errors in the options of the factory and of its informers, or nil. If there are any, the factory starts no
// informers, and WaitForSync returns them.
func (f *Factory) Err() error {
	f.lock.Lock()
	defer f.lock.Unlock()
	return errors.Join(f.errs...)
}

// For returns the informer of a factory for the type and resource of a source, and for the scope that its options select: namespaces,
// shards, labels, fields, and a transform. The first call creates it; later calls with the same scope return the same informer, so that
// everybody shares one cache and one watch. Without an option, the scope comes from the factory and [ForKind]. Start the factory
// afterwards.
//
// The options only apply to this informer, and override options of the factory and of ForKind. Options that do not belong to the scope
// count for the first call: if another call has different ones, [Factory.Err] says so. Indexes are an exception: missing ones are
// added.
func For[T Object](f *Factory, source Source[T], options ...Option) *Informer[T] {
	call := newSettings(options...)
	where := fmt.Sprintf("For[%v]", reflect.TypeFor[T]())
	f.lock.Lock()
	defer f.lock.Unlock()
	f.note(call.errIn(where))
	kind := f.kindOf(reflect.TypeFor[T](), source.whole)
	key := key{reflect.TypeFor[T](), source.resource, f.scopeOf(kind, call)}
	if m, ok := f.members[key]; ok {
		f.note(call.errExisting(where, m.options))
		m.own.AddMissingIndexers(call.indexers)
		m.own.AddMissingIndexers(source.indexers)
		return m.typed.(*Informer[T])
	}
	if !source.namespaced {
		f.note(kind.errScope(fmt.Sprintf("ForKind[%v]", key.object)))
		f.note(call.errScope(where))
	}
	m := &member{object: key.object, resource: key.resource, options: call, ownScope: key.scope != f.scopeOf(kind, newSettings())}
	m.scoped = source.namespaced && kind.namespaces == nil && call.namespaces == nil
	m.sharded = kind.shards == nil && call.shards == nil
	m.own = shared.New(f.config(m, kind, source.indexers, shared.Config{
		Unsettled:     m.scoped && f.settings.follow != nil && !f.followed,
		Object:        source.object(),
		Resource:      source.resource,
		Namespaced:    source.namespaced,
		ListerWatcher: source.lists,
		Changed:       f.changed,
	}))
	if f.settings.whenServed || kind.whenServed || call.whenServed {
		var err error
		m.served, err = served.By(source.clientset, source.resource)
		f.note(inside(where, err))
	}
	informer := &Informer[T]{factory: f, member: m, source: source}
	m.informer, m.typed = m.own, informer
	f.add(key, m)
	return informer
}

// kindOf returns the options of ForKind for a type. For metadata without options of its own, it returns the options for the
// whole objects, as far as they can concern metadata. The caller holds the lock.
func (f *Factory) kindOf(object, whole reflect.Type) *settings {
	if kind := f.settings.kinds[object]; kind != nil {
		return kind
	}
	kind := newSettings()
	if of := f.settings.kinds[whole]; of != nil {
		kind.namespaces, kind.labels, kind.fields, kind.tweak = of.namespaces, of.labels, of.fields, of.tweak
		kind.given, kind.whenServed, kind.shards, kind.shardLabel = of.given, of.whenServed, of.shards, of.shardLabel
	}
	return kind
}

// config adds options to the configuration of an informer. The caller holds the lock.
func (f *Factory) config(m *member, kind *settings, indexers cache.Indexers, config shared.Config) shared.Config {
	configure(&config, f.settings, kind, m.options)
	config.Trimmer.Also = &f.managers
	if slices.ContainsFunc(f.order, func(other *member) bool { return other.resource == config.Resource }) {
		config.InformerName = nil // client-go has one metric for each name and resource
	}
	for name, keys := range indexers {
		if _, ok := config.Indexers[name]; ok && name != cache.NamespaceIndex {
			f.note(fmt.Errorf("WithIndexers: duplicate index %q, which the source of %s has: leave it out, or choose another name",
				name, config.Resource.GroupResource()))
		}
		config.Indexers[name] = keys
	}
	return config
}

// note records an error. The caller holds the lock.
func (f *Factory) note(err error) {
	if err != nil {
		f.errs = append(f.errs, err)
	}
}

// add adds a member. The caller holds the lock.
func (f *Factory) add(key key, m *member) {
	f.members[key] = m
	f.order = append(f.order, m)
}

// InformerFor returns the shared informer for the type of an object: the informer of [For] without a scope, if there is one, or else the
// result of newInformer. The first call calls newInformer, with the resync period of the factory or of the type, and the factory runs
// the result. Later calls of [For] for the type do not return it: it has no source, and none of the options.
//
// If newInformer calls [For] for the type, InformerFor returns that informer. Of concurrent first calls, one wins, and the factory
// drops the informers of the others.
func (f *Factory) InformerFor(
	object runtime.Object, newInformer func(resync time.Duration) cache.SharedIndexInformer,
) cache.SharedIndexInformer {
	kind := reflect.TypeOf(object)
	existing, resync := f.requested(kind)
	if existing != nil {
		return existing
	}
	return f.keep(kind, newInformer(resync))
}

// requested returns the informer for a type that was requested first, or nil and the resync period for a new one.
func (f *Factory) requested(kind reflect.Type) (cache.SharedIndexInformer, time.Duration) {
	f.lock.Lock()
	defer f.lock.Unlock()
	if m := f.first(kind); m != nil {
		return m.informer, 0
	}
	var config shared.Config
	configure(&config, f.settings, f.kindOf(kind, nil))
	return nil, config.Resync
}

// keep adds an informer that a caller has made, unless there is one for the type by now, and returns the informer for the type.
func (f *Factory) keep(kind reflect.Type, made cache.SharedIndexInformer) cache.SharedIndexInformer {
	f.lock.Lock()
	defer f.lock.Unlock()
	if m := f.first(kind); m != nil {
		return m.informer
	}
	f.add(key{object: kind}, &member{object: kind, informer: made})
	return made
}

// first returns the member for a type that was requested first, or nil. Members with ownScope do not count. The caller holds the lock.
func (f *Factory) first(kind reflect.Type) *member {
	for _, m := range f.order {
		if m.object == kind && !m.ownScope {
			return m
		}
	}
	return nil
}

// InformerName returns the name that WithInformerName has set, or nil.
func (f *Factory) InformerName() *cache.InformerName { return f.settings.informerName }

// Value returns the value that the factory keeps under a key, which is comparable and of a type of the caller's package. If there is
// none, Value keeps what create returns; if create is nil, it returns nil. It is for packages that work on factories, such as
// controller, and share something between those who use the same factory. The function create must not call the factory.
func (f *Factory) Value(key any, create func() any) any {
	f.lock.Lock()
	defer f.lock.Unlock()
	if value, ok := f.values[key]; ok || create == nil {
		return value
	}
	if f.values == nil {
		f.values = map[any]any{}
	}
	f.values[key] = create()
	return f.values[key]
}

// own returns the members that this package created.
func (f *Factory) own() (members []*member) {
	f.lock.Lock()
	defer f.lock.Unlock()
	for _, m := range f.order {
		if m.own != nil {
			members = append(members, m)
		}
	}
	return members
}
