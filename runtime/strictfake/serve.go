package strictfake

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/testing"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/fakes"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/codec"
)

// Clientset is a fake clientset: a pointer to a struct that embeds client-go's testing.Fake and has a method for each group and
// version, such as FleetV1. Our generator, code-generator and client-go itself have such types.
type Clientset interface {
	// Invokes and the other methods are methods of testing.Fake.
	Invokes(action testing.Action, defaultReturnObj runtime.Object) (runtime.Object, error)
	Actions() []testing.Action
	PrependReactor(verb, resource string, reaction testing.ReactionFunc)
	PrependWatchReactor(resource string, reaction testing.WatchReactionFunc)
}

// ServeOption configures Serve.
type ServeOption func(*serving)

// serving has the options of Serve.
type serving struct {
	fields map[schema.GroupVersionKind][]string
	status map[schema.GroupVersionKind]bool
}

// WithSelectableFields sets the fields of a kind that field selectors can use in addition to the metadata, such as
// "spec.regionName". Generated code passes the fields of +kubebuilder:selectablefield. A schema that SetSchema sets replaces them.
func WithSelectableFields(kind schema.GroupVersionKind, fields ...string) ServeOption {
	return func(s *serving) { s.fields[kind] = append(s.fields[kind], fields...) }
}

// WithStatus sets whether the status of a kind is a subresource, for kinds whose client does not show it. The default is that it
// is one if the client has UpdateStatus or ApplyStatus, or if the type has a field Status and markers such as +genclient:onlyVerbs
// limit the verbs of the client. A schema that SetSchema sets replaces it.
func WithStatus(kind schema.GroupVersionKind, isSubresource bool) ServeOption {
	return func(s *serving) { s.status[kind] = isSubresource }
}

// Serve makes a fake clientset answer from the server. From then on, the objects that it held before are no longer visible, and
// discovery lists the kinds of all clientsets of the server. Reactors that are prepended later take precedence over the server.
// Several clientsets can share a server.
//
// The kinds follow from the methods of the clientset, which Serve calls once each: none of the calls is recorded as an action. The
// scheme has the Go types of all kinds and of their lists. The converter has their schemas, for managed fields and server-side
// apply: it is NewTypeConverter of the clientset's own package of apply configurations. A clientset without such a package takes
// managedfields.NewDeducedTypeConverter.
//
// Serve returns an error, and changes nothing, if the clientset has no clients or is served already, if the scheme lacks a type,
// if the converter belongs to another clientset, or if the server has a kind with another Go type already. Nobody may use the
// clientset while Serve runs.
func (s *Server) Serve(
	clientset Clientset, scheme *runtime.Scheme, converter managedfields.TypeConverter, options ...ServeOption,
) error {
	switch {
	case scheme == nil:
		return errors.New("no scheme: pass the scheme of the clientset")
	case converter == nil:
		return errors.New("no type converter: pass managedfields.NewDeducedTypeConverter() if the clientset has no apply configurations")
	}
	fake, err := fakes.Of(clientset)
	if err != nil {
		return err
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	if slices.Contains(s.fakes, fake) {
		return errServed
	}
	kinds, err := kindsOf(clientset, fake, scheme)
	if err != nil {
		return err
	}
	serving := serving{fields: map[schema.GroupVersionKind][]string{}, status: map[schema.GroupVersionKind]bool{}}
	for _, option := range options {
		option(&serving)
	}
	if kinds, err = serving.complete(kinds); err != nil {
		return err
	}
	if err := checkConverter(kinds, converter); err != nil {
		return err
	}
	if err := s.verbs.Register(kinds, scheme, converter); err != nil {
		return err
	}
	fake.PrependReactor("*", "*", s.reactTyped)
	fake.PrependWatchReactor("*", s.reactToWatch)
	s.fakes = append(s.fakes, fake)
	s.announce()
	setServerVersion(clientset)
	return nil
}

// complete adds selectable fields and status subresources from the options to the kinds.
func (s *serving) complete(kinds []codec.Description) ([]codec.Description, error) {
	for i := range kinds {
		kind := kinds[i].GroupVersionKind
		kinds[i].Fields = append(kinds[i].Fields, s.fields[kind]...)
		if status, ok := s.status[kind]; ok {
			kinds[i].HasStatus = status
		}
		delete(s.fields, kind)
		delete(s.status, kind)
	}
	unknown := slices.Concat(slices.Collect(maps.Keys(s.fields)), slices.Collect(maps.Keys(s.status)))
	if len(unknown) > 0 {
		slices.SortFunc(unknown, func(a, b schema.GroupVersionKind) int { return cmp.Compare(a.String(), b.String()) })
		return nil, fmt.Errorf("an option names %v, but the clientset has no client for it: remove the option", unknown[0])
	}
	return kinds, nil
}

// checkConverter returns an error if a converter knows none of the kinds.
func checkConverter(kinds []codec.Description, converter managedfields.TypeConverter) error {
	var reason error
	for _, kind := range kinds {
		u := &unstructured.Unstructured{}
		u.SetGroupVersionKind(kind.GroupVersionKind)
		_, err := converter.ObjectToTyped(u)
		if err == nil {
			return nil
		}
		if reason == nil {
			reason = err
		}
	}
	return fmt.Errorf("the type converter has no schema of a kind of the clientset: %w: pass NewTypeConverter of the clientset's "+
		"own package of apply configurations (client-go's is k8s.io/client-go/applyconfigurations), "+
		"or managedfields.NewDeducedTypeConverter() if it has no schemas", reason)
}
