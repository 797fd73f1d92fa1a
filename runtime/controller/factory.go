package controller

import (
	"reflect"
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/caches"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// WithFactory makes a controller get its informers from a factory that is shared with others. Run then runs the informers of the
// controller while it needs them; the creator need not start the factory, and Run does not shut it down. Without the
// option, a controller has a factory of its own. Run starts all informers that were requested from it, even if the controller does
// not watch them, waits until they have synced, and shuts the factory down at the end.
func WithFactory(factory *informer.Factory) Option { return func(s *settings) { s.factory = factory } }

// WithInformers sets options of the controller's own factory, which concern all of its informers: namespaces, managed fields. If it is
// passed several times, all options count. With WithFactory, only informer.WithManagedFields is possible, see [informer.Factory.Extend].
// Selectors belong in the options of one use: [WithReconciled], [WithOwned], [WithReferred].
func WithInformers(options ...informer.Option) Option {
	return func(s *settings) { s.informers = append(s.informers, options...) }
}

// WithReconciled sets options of the informer for the objects that are reconciled, and of no other: a selector here
// does not hide objects that they refer to.
//
//	controller.WithReconciled(informer.WithLabels(selector))
func WithReconciled(options ...informer.Option) Option {
	return func(s *settings) { s.reconciled = append(s.reconciled, options...) }
}

// WithOwned sets options of the informer for owned objects of one type, such as [informer.WhenServed]. [Own] sets the label selector.
func WithOwned[O Object](options ...informer.Option) Option {
	return func(s *settings) { s.owned[reflect.TypeFor[O]()] = append(with[O](s.owned), options...) }
}

// WithReferred sets options of the informers for objects of one type that others refer to, see [Refer] and [Watch].
func WithReferred[R Object](options ...informer.Option) Option {
	return func(s *settings) { s.referred[reflect.TypeFor[R]()] = append(with[R](s.referred), options...) }
}

// byType has the options of informers by type.
type byType map[reflect.Type][]informer.Option

// with returns options, and the options for a type.
func with[O Object](b byType, options ...informer.Option) []informer.Option {
	return slices.Concat(options, b[reflect.TypeFor[O]()])
}

// newFactory returns the factory for the informers of a controller.
func (s *settings) newFactory() *informer.Factory {
	if s.factory != nil {
		return s.factory
	}
	factory := informer.NewFactory(s.informers...)
	caches.Own(factory)
	return factory
}
