package informer

import (
	"cmp"
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
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/mutation"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/shared"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/trim"
)

// settings are configured by the options of a factory, of one kind, or of one informer.
type settings struct {
	namespaces        []string
	labels            labels.Selector
	fields            fields.Selector
	tweak             func(*metav1.ListOptions)
	resync            *time.Duration
	indexers          cache.Indexers
	transform         cache.TransformFunc
	versionsOnly      bool
	keepManagedFields bool
	managers          []string
	watchErrorHandler cache.WatchErrorHandlerWithContext
	mutations         MutationReporter
	informerName      *cache.InformerName
	whenServed        bool
	// follow is set by WithNamespaceSelector.
	follow func(*Factory) (*member, error)
	// kinds are the settings of ForKind.
	kinds map[reflect.Type]*settings

	// given has the options in the order in which they were passed, each with its setting.
	given []given
	errs  []error
}

// given is an option, as written by the caller. Options with functions have no parentheses: functions cannot be compared.
type given struct{ setting, option string }

func (g given) comparable() bool { return strings.Contains(g.option, "(") }

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
	settingInformerName      = "informer name"
	settingWhenServed        = "when served"
)

func newSettings(options ...Option) *settings {
	s := &settings{kinds: map[reflect.Type]*settings{}}
	s.add(options)
	return s
}

func (s *settings) add(options []Option) {
	for _, option := range options {
		option(s)
	}
}

// give records an option. It returns false if an earlier option has the same setting, and records an error if they contradict
// each other.
func (s *settings) give(setting, option string) bool {
	for _, before := range s.given {
		if before.setting != setting {
			continue
		}
		if before.option != option || !before.comparable() {
			s.errs = append(s.errs, fmt.Errorf("%s contradicts %s", option, before.option))
		}
		return false
	}
	s.given = append(s.given, given{setting, option})
	return true
}

// option returns the option that was given for a setting.
func (s *settings) option(setting string) string {
	for _, given := range s.given {
		if given.setting == setting {
			return given.option
		}
	}
	return ""
}

func (s *settings) addIndexers(indexers cache.Indexers) {
	for name, keys := range indexers {
		if _, ok := s.indexers[name]; ok && name != cache.NamespaceIndex {
			s.errs = append(s.errs, fmt.Errorf("WithIndexers: duplicate index %q", name))
			continue
		}
		if s.indexers == nil {
			s.indexers = cache.Indexers{}
		}
		s.indexers[name] = keys
	}
}

// err returns the errors in the options.
func (s *settings) err() error {
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
				errs = append(errs, fmt.Errorf("WithTweakListOptions contradicts %s: it selects %q",
					s.option(contradicted.setting), contradicted.is))
			}
		}
	}
	return errors.Join(errs...)
}

// factoryErr returns the errors in the options of a factory.
func (s *settings) factoryErr() error {
	errs := []error{s.err()}
	for kind, of := range s.kinds {
		errs = append(errs, of.errIn(fmt.Sprintf("ForKind[%v]", kind)))
	}
	return errors.Join(errs...)
}

// errIn returns the errors in the options that are not for a whole factory. The text where names the function that takes them.
func (s *settings) errIn(where string) error {
	errs := []error{s.err()}
	if len(s.kinds) > 0 {
		errs = append(errs, errors.New("ForKind is an option of NewFactory"))
	}
	for _, given := range s.given {
		if given.setting == settingMutations || given.setting == settingInformerName || given.setting == settingNamespaces && s.follow != nil {
			errs = append(errs, fmt.Errorf("%s only applies to the whole factory", given.option))
		}
	}
	return inside(where, errs...)
}

// errScope returns an error for namespaces of a cluster-scoped resource.
func (s *settings) errScope(where string) error {
	if s.namespaces == nil {
		return nil
	}
	return inside(where, fmt.Errorf("%s has no effect on a cluster-scoped resource", s.option(settingNamespaces)))
}

// errExisting returns an error if the options ask for something else than what an informer was requested with.
func (s *settings) errExisting(where string, informer *settings) error {
	var errs []error
	for _, given := range s.given {
		switch {
		case given.setting == settingNamespaces, given.setting == settingLabels, given.setting == settingFields:
			// They belong to the scope.
		case !given.comparable():
			errs = append(errs, fmt.Errorf("%s: the informer exists already; pass the option only when it is first requested", given.option))
		case !slices.Contains(informer.given, given):
			errs = append(errs, fmt.Errorf("%s: the informer exists already, with other options; pass the same options each time, or none",
				given.option))
		}
	}
	return inside(where, errs...)
}

// scope is what distinguishes the informers for one resource. It is comparable.
type scope struct {
	// namespaces are empty for those of the factory.
	namespaces, labels, fields, transform string
}

// scopeOf returns the scope of an informer. The caller holds the lock.
func (f *Factory) scopeOf(kind, call *settings) scope {
	var selected metav1.ListOptions
	for _, s := range []*settings{f.settings, kind, call} {
		s.apply(&selected)
	}
	return scope{
		namespaces: cmp.Or(call.option(settingNamespaces), kind.option(settingNamespaces)),
		labels:     selected.LabelSelector,
		fields:     selected.FieldSelector,
		transform:  call.option(settingTransform),
	}
}

func inside(where string, errs ...error) error {
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("in %s: %w", where, err)
	}
	return nil
}

func (s *settings) listOptions() (options metav1.ListOptions) {
	if s.labels != nil {
		options.LabelSelector = s.labels.String()
	}
	if s.fields != nil {
		options.FieldSelector = s.fields.String()
	}
	return options
}

// apply modifies the options of a list or watch.
func (s *settings) apply(options *metav1.ListOptions) {
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

// configure sets the options of an informer. Each of the layers overrides those before it.
func configure(config *shared.Config, layers ...*settings) {
	trimmer := &trim.Trimmer{}
	config.Trimmer = trimmer
	config.Indexers = cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}
	config.Mutations = mutation.ByEnvironment()
	for _, s := range layers {
		s.override(config, trimmer)
	}
	config.Tweak = func(options *metav1.ListOptions) {
		for _, s := range layers {
			s.apply(options)
		}
	}
}

func (s *settings) override(config *shared.Config, trimmer *trim.Trimmer) {
	if s.namespaces != nil {
		config.Namespaces = s.namespaces
	}
	if s.resync != nil {
		config.Resync = *s.resync
	}
	maps.Copy(config.Indexers, s.indexers)
	if s.transform != nil || s.versionsOnly {
		config.Transform, trimmer.VersionsOnly = s.transform, s.versionsOnly
	}
	if s.keepManagedFields {
		trimmer.KeepManagedFields, trimmer.Managers = true, s.managers
	}
	if s.watchErrorHandler != nil {
		config.WatchErrorHandler = s.watchErrorHandler
	}
	if s.mutations != nil {
		config.Mutations = s.mutations
	}
	if s.informerName != nil {
		config.InformerName = s.informerName
	}
}
