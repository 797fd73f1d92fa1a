package controller

import (
	"errors"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/caches"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// WithFactory makes [NewFactory] return a factory that is shared with others. Run then runs the informers of the controller while
// it needs them; neither does the creator of the factory have to start them, nor does Run shut it down. New ignores the option.
func WithFactory(factory *informer.Factory) Option { return func(s *settings) { s.factory = factory } }

// WithInformers sets options of the factory that [NewFactory] makes: namespaces, selectors, transform functions, managed fields. If
// it is passed several times, all options count. It cannot be combined with WithFactory.
func WithInformers(options ...informer.Option) Option {
	return func(s *settings) { s.informers = append(s.informers, options...) }
}

// NewFactory returns the factory for the informers of a controller: that of [WithFactory] or, without it, a new one with the
// options of [WithInformers]. Run of the controller starts all informers that were requested from a new one, also those that the
// controller does not watch, waits until they have synced, and shuts it down at the end. Other options are ignored, so that
// constructors can pass the same options to NewFactory and [New].
//
//	factory := controller.NewFactory(options...)
//	core, err := controller.New(informer.For(factory, source), reconciler, options...)
func NewFactory(options ...Option) *informer.Factory {
	s := newSettings("", options)
	if s.factory != nil {
		return s.factory
	}
	factory := informer.NewFactory(s.informers...)
	caches.Own(factory)
	return factory
}

// errBothFactories is the error of New for options that contradict each other.
var errBothFactories = errors.New("WithInformers has no effect on the factory of WithFactory: " +
	"pass its options to informer.NewFactory")
