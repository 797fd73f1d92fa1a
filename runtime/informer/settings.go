package informer

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/arcs"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/given"
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
	// shards is nil if the option was not given.
	shards     arcs.Set
	shardLabel string
	// kinds are the settings of ForKind.
	kinds map[reflect.Type]*settings

	// given has the options in the order in which they were passed, each with its setting.
	given given.Options
	errs  []error
}

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
	settingShards            = "shards"
	settingShardLabel        = "shard label"
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
	first, err := s.given.Add(given.Option{Setting: setting, Text: option})
	if err != nil {
		s.errs = append(s.errs, err)
	}
	return first
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
					s.given.Of(contradicted.setting), contradicted.is))
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
		if given.Setting == settingMutations || given.Setting == settingInformerName || given.Setting == settingNamespaces && s.follow != nil {
			errs = append(errs, fmt.Errorf("%s only applies to the whole factory", given.Text))
		}
	}
	return inside(where, errs...)
}

// errScope returns an error for namespaces of a cluster-scoped resource.
func (s *settings) errScope(where string) error {
	if s.namespaces == nil {
		return nil
	}
	return inside(where, fmt.Errorf("%s has no effect on a cluster-scoped resource", s.given.Of(settingNamespaces)))
}

// errExisting returns an error if the options ask for something else than what an informer was requested with.
func (s *settings) errExisting(where string, informer *settings) error {
	var errs []error
	for _, given := range s.given {
		switch {
		case slices.Contains([]string{settingNamespaces, settingLabels, settingFields, settingShards, settingShardLabel}, given.Setting):
			// They belong to the scope.
		case !given.Comparable():
			errs = append(errs, fmt.Errorf("%s: the informer exists already; pass the option only when it is first requested", given.Text))
		case !slices.Contains(informer.given, given):
			errs = append(errs, fmt.Errorf("%s: the informer exists already, with other options; pass the same options each time, or none",
				given.Text))
		}
	}
	return inside(where, errs...)
}

// scope distinguishes the informers for one resource. It is comparable.
type scope struct {
	// namespaces and shards are empty unless an option of For or ForKind sets them.
	namespaces, shards, shardLabel, labels, fields, transform string
}

// scopeOf returns the scope of an informer. The caller holds the lock.
func (f *Factory) scopeOf(kind, call *settings) scope {
	var selected metav1.ListOptions
	for _, s := range []*settings{f.settings, kind, call} {
		s.apply(&selected)
	}
	return scope{
		namespaces: cmp.Or(call.given.Of(settingNamespaces), kind.given.Of(settingNamespaces)),
		shards:     cmp.Or(call.given.Of(settingShards), kind.given.Of(settingShards)),
		shardLabel: cmp.Or(call.given.Of(settingShardLabel), kind.given.Of(settingShardLabel)),
		labels:     selected.LabelSelector,
		fields:     selected.FieldSelector,
		transform:  call.given.Of(settingTransform),
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
	if s.shards != nil {
		config.Arcs = s.shards
	}
	config.Key.Label = cmp.Or(s.shardLabel, config.Key.Label)
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
