package shared

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/tools/cache"
)

// Settings are configured by the options of a factory or of one kind. Err returns an error for options that contradict each
// other.
type Settings struct {
	namespaces        []string
	labels            labels.Selector
	fields            fields.Selector
	tweak             func(*metav1.ListOptions)
	resync            *time.Duration
	indexers          cache.Indexers
	transform         cache.TransformFunc
	keepManagedFields bool
	watchErrorHandler cache.WatchErrorHandlerWithContext
	mutations         Reporter
	metadata          metadata.Interface
	informerName      *cache.InformerName //emit:if InformerNames

	// given has the options in the order in which they were passed, each with its setting.
	given []given
	errs  []error
}

// given is an option, as written by the caller.
type given struct{ setting, option string }

// The settings of options.
const (
	settingNamespaces        = "namespaces"
	settingLabels            = "labels"
	settingFields            = "fields"
	settingTweak             = "list options"
	settingResync            = "resync"
	settingTransform         = "transform"
	settingManagedFields     = "managed fields"
	settingWatchErrorHandler = "watch error handler"
	settingMutations         = "mutation detector"
	settingMetadata          = "metadata client"
	settingInformerName      = "informer name"
)

// give records an option. It returns false if an earlier option has the same setting, and records an error if they contradict
// each other.
func (s *Settings) give(setting, option string) bool {
	for _, before := range s.given {
		if before.setting != setting {
			continue
		}
		if before.option != option || !strings.Contains(option, "(") {
			s.errs = append(s.errs, fmt.Errorf("%s contradicts %s", option, before.option))
		}
		return false
	}
	s.given = append(s.given, given{setting, option})
	return true
}

// Namespaces limits informers to some namespaces. The parameter option is the name of the option.
func (s *Settings) Namespaces(option string, namespaces ...string) {
	quoted := make([]string, len(namespaces))
	for n, namespace := range namespaces {
		quoted[n] = fmt.Sprintf("%q", namespace)
	}
	option += "(" + strings.Join(quoted, ", ") + ")"
	if err := CheckNamespaces(namespaces); err != nil {
		s.errs = append(s.errs, fmt.Errorf("%s: %w", option, err))
		return
	}
	if s.give(settingNamespaces, option) {
		s.namespaces = slices.Clone(namespaces)
	}
}

// Labels limits informers to objects whose labels match.
func (s *Settings) Labels(selector labels.Selector) {
	if s.give(settingLabels, fmt.Sprintf("WithLabels(%q)", selector)) {
		s.labels = selector
	}
}

// Fields limits informers to objects whose fields match.
func (s *Settings) Fields(selector fields.Selector) {
	if s.give(settingFields, fmt.Sprintf("WithFields(%q)", selector)) {
		s.fields = selector
	}
}

// Tweak modifies the options of lists and watches.
func (s *Settings) Tweak(tweak func(*metav1.ListOptions)) {
	if s.give(settingTweak, "WithTweakListOptions") {
		s.tweak = tweak
	}
}

// Resync sets the period after which handlers receive all objects again.
func (s *Settings) Resync(period time.Duration) {
	option := fmt.Sprintf("WithResync(%v)", period)
	if period < 0 {
		s.errs = append(s.errs, fmt.Errorf("%s: negative period", option))
		return
	}
	if s.give(settingResync, option) {
		s.resync = &period
	}
}

// Indexers adds indexes.
func (s *Settings) Indexers(indexers cache.Indexers) {
	for name, keys := range indexers {
		if _, ok := s.indexers[name]; ok {
			s.errs = append(s.errs, fmt.Errorf("WithIndexers: duplicate index %q", name))
			continue
		}
		if s.indexers == nil {
			s.indexers = cache.Indexers{}
		}
		s.indexers[name] = keys
	}
	s.given = append(s.given, given{"indexers", "WithIndexers"})
}

// Transform sets the function that modifies objects before they are stored.
func (s *Settings) Transform(transform cache.TransformFunc) {
	if s.give(settingTransform, "WithTransform") {
		s.transform = transform
	}
}

// KeepManagedFields keeps the managed fields of objects.
func (s *Settings) KeepManagedFields() {
	s.give(settingManagedFields, "WithManagedFields()")
	s.keepManagedFields = true
}

// WatchErrorHandler sets the function that is called when a list or watch fails.
func (s *Settings) WatchErrorHandler(handler cache.WatchErrorHandlerWithContext) {
	if s.give(settingWatchErrorHandler, "WithWatchErrorHandler") {
		s.watchErrorHandler = handler
	}
}

// Mutations sets the receiver of reports about changes to cached objects.
func (s *Settings) Mutations(reporter Reporter) {
	if s.give(settingMutations, "WithMutationDetector") {
		s.mutations = reporter
	}
}

// Metadata sets the client for metadata.
func (s *Settings) Metadata(client metadata.Interface) {
	if s.give(settingMetadata, "WithMetadataClient") {
		s.metadata = client
	}
}

// InformerName sets the name of informers in metrics.
func (s *Settings) InformerName(name *cache.InformerName) { //emit:if InformerNames
	if s.give(settingInformerName, "WithInformerName") { //emit:if InformerNames
		s.informerName = name //emit:if InformerNames
	} //emit:if InformerNames
} //emit:if InformerNames

// Err returns the errors in the options.
func (s *Settings) Err() error {
	errs := slices.Clone(s.errs)
	if s.tweak != nil && (s.labels != nil || s.fields != nil) {
		options := s.listOptions()
		s.tweak(&options)
		for _, contradicted := range []struct {
			setting, was, is string
		}{
			{settingLabels, s.listOptions().LabelSelector, options.LabelSelector},
			{settingFields, s.listOptions().FieldSelector, options.FieldSelector},
		} {
			if contradicted.was != contradicted.is {
				errs = append(errs, fmt.Errorf("WithTweakListOptions contradicts %s: it selects %q", s.option(contradicted.setting), contradicted.is))
			}
		}
	}
	return errors.Join(errs...)
}

func (s *Settings) option(setting string) string {
	for _, given := range s.given {
		if given.setting == setting {
			return given.option
		}
	}
	return setting
}

// ErrFor returns the errors in the options of one kind, which the caller passed to For[T].
func (s *Settings) ErrFor(kind reflect.Type, namespaced bool) error {
	errs := []error{s.Err()}
	for _, given := range s.given {
		switch given.setting {
		case settingMutations, settingMetadata, settingInformerName:
			errs = append(errs, fmt.Errorf("%s only applies to the whole factory", given.option))
		case settingNamespaces:
			if !namespaced {
				errs = append(errs, fmt.Errorf("%s has no effect on a cluster-scoped kind", given.option))
			}
		}
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("in For[%v]: %w", kind, err)
	}
	return nil
}

func (s *Settings) listOptions() (options metav1.ListOptions) {
	if s.labels != nil {
		options.LabelSelector = s.labels.String()
	}
	if s.fields != nil {
		options.FieldSelector = s.fields.String()
	}
	return options
}

// selects reports whether the settings modify the options of lists and watches.
func (s *Settings) selects() bool { return s.tweak != nil || s.labels != nil || s.fields != nil }

// apply modifies the options of a list or watch.
func (s *Settings) apply(options *metav1.ListOptions) {
	selected := s.listOptions()
	if s.labels != nil {
		options.LabelSelector = selected.LabelSelector
	}
	if s.fields != nil {
		options.FieldSelector = selected.FieldSelector
	}
	if s.tweak != nil {
		s.tweak(options)
	}
}

// Options returns the options of an informer. Settings of its kind, which may be nil, override those of the factory. Selectors are
// combined. If both select by labels, or both by fields, only the kind's selector applies.
func (s *Settings) Options(kind *Settings, indexers cache.Indexers) Options {
	if kind == nil {
		kind = &Settings{}
	}
	options := Options{
		Namespaces:        []string{metav1.NamespaceAll},
		Resync:            *firstSet(kind.resync, s.resync, new(time.Duration)),
		Indexers:          cache.Indexers{},
		Transform:         s.transform,
		KeepManagedFields: s.keepManagedFields || kind.keepManagedFields,
		ShareStrings:      true,
		WatchErrorHandler: s.watchErrorHandler,
		Mutations:         s.mutations,
		InformerName:      s.informerName, //emit:if InformerNames
	}
	if s.namespaces != nil {
		options.Namespaces = s.namespaces
	}
	if kind.namespaces != nil {
		options.Namespaces = kind.namespaces
	}
	if kind.transform != nil {
		options.Transform = kind.transform
	}
	if kind.watchErrorHandler != nil {
		options.WatchErrorHandler = kind.watchErrorHandler
	}
	for _, more := range []cache.Indexers{s.indexers, kind.indexers} {
		maps.Copy(options.Indexers, more)
	}
	for name, keys := range indexers {
		if _, ok := options.Indexers[name]; ok && name != cache.NamespaceIndex {
			utilruntime.HandleError(fmt.Errorf("WithIndexers: ignored index %q, which a lookup of the lister uses: choose another name", name))
		}
		options.Indexers[name] = keys
	}
	if s.selects() || kind.selects() {
		options.Tweak = func(listOptions *metav1.ListOptions) {
			s.apply(listOptions)
			kind.apply(listOptions)
		}
	}
	return options
}

// DefaultResync sets the resync period if no option does.
func (s *Settings) DefaultResync(period time.Duration) {
	if s.resync == nil {
		s.resync = &period
	}
}

// Name returns the name of informers in metrics, or nil.
func (s *Settings) Name() *cache.InformerName { return s.informerName } //emit:if InformerNames

// Scoped reports whether a kind has the namespaces of the factory. A nil s means that the kind has no settings.
func (s *Settings) Scoped() bool { return s == nil || s.namespaces == nil }

// SetNamespaces sets the namespaces of informers that are created later, and returns the previous namespaces.
func (s *Settings) SetNamespaces(namespaces []string) (before []string) {
	before, s.namespaces = s.namespaces, slices.Clone(namespaces)
	if before == nil {
		before = []string{metav1.NamespaceAll}
	}
	return before
}

// ForMetadata returns the options of an informer for metadata, without the functions that take whole objects.
func (o Options) ForMetadata() Options {
	o.Transform = nil
	o.Indexers = cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}
	return o
}

// MetadataClient returns the client for metadata, or nil.
func (s *Settings) MetadataClient() metadata.Interface { return s.metadata }

func firstSet[T any](values ...*T) *T {
	return values[slices.IndexFunc(values, func(v *T) bool { return v != nil })]
}
