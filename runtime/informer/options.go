package informer

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/given"
)

// Option configures all informers of a factory in [NewFactory], the informers for one type in [ForKind], or one informer in [For].
// The more specific option counts. Selectors for labels and for fields are separate: one does not replace the other.
type Option func(*settings)

// ForKind returns an option for the informers of one type, such as *corev1.Pod.
//
//	informer.NewFactory(informer.WithNamespaces("a", "b"), informer.ForKind[*corev1.Secret](informer.WithLabels(selector)))
func ForKind[T Object](options ...Option) Option {
	kind := reflect.TypeFor[T]()
	return func(s *settings) {
		if s.kinds[kind] == nil {
			s.kinds[kind] = newSettings()
		}
		s.kinds[kind].add(options)
	}
}

// WithNamespaces limits informers to some namespaces; metav1.NamespaceAll means all. Each is listed and watched separately, so
// roles in these namespaces suffice. All objects are in one cache. [Factory.SetNamespaces] changes the namespaces. For
// cluster-scoped resources, the option of a factory has no effect.
func WithNamespaces(namespaces ...string) Option {
	option := call("WithNamespaces", namespaces...)
	return func(s *settings) {
		if err := given.CheckNamespaces(namespaces); err != nil {
			s.errs = append(s.errs, fmt.Errorf("%s: %w", option, err))
			return
		}
		if s.give(settingNamespaces, option) {
			s.namespaces = slices.Clone(namespaces)
		}
	}
}

// WithLabels limits informers to objects whose labels match. The API server evaluates the selector.
func WithLabels(selector labels.Selector) Option {
	return func(s *settings) {
		if s.give(settingLabels, call("WithLabels", selector.String())) {
			s.labels = selector
		}
	}
}

// WithFields limits informers to objects whose fields match. The API server evaluates the selector, which may use metadata.name,
// metadata.namespace and the selectable fields of the kind.
func WithFields(selector fields.Selector) Option {
	return func(s *settings) {
		if s.give(settingFields, call("WithFields", selector.String())) {
			s.fields = selector
		}
	}
}

// WithTweakListOptions sets a function that modifies the options of each list and watch. It must not change a selector that
// another option sets.
func WithTweakListOptions(tweak func(*metav1.ListOptions)) Option {
	return func(s *settings) {
		if s.give(settingTweak, "WithTweakListOptions") {
			s.tweak = tweak
		}
	}
}

// WithResync sets the period after which handlers receive all objects again, as updates; 0, the default, means never. Periods
// below one second are raised to it. A handler can override the period.
func WithResync(period time.Duration) Option {
	option := fmt.Sprintf("WithResync(%v)", period)
	return func(s *settings) {
		if period < 0 {
			s.errs = append(s.errs, fmt.Errorf("%s: negative period", option))
			return
		}
		if s.give(settingResync, option) {
			s.resync = &period
		}
	}
}

// WithIndexers adds indexes to informers, see [github.com/informer-gen-lite/informer-gen-lite/runtime/lister.Indexers] for typed
// ones. If an informer exists already, [For] adds the indexes that it lacks. The index cache.NamespaceIndex is always there, and
// always is the index by namespace. An index function that fails leaves the object out of the index and is logged.
func WithIndexers(indexers cache.Indexers) Option {
	return func(s *settings) { s.addIndexers(indexers) }
}

// WithTransform sets a function that modifies objects before they are cached, for instance to drop fields that nobody reads. It
// receives a shallow copy: it may set fields, but must not modify maps and slices in place. If it fails for an object, the informer
// does not sync, and the error is a reason in [Factory.WaitForSync].
func WithTransform(transform cache.TransformFunc) Option {
	return func(s *settings) {
		if s.give(settingTransform, "WithTransform") {
			s.transform = transform
		}
	}
}

// WithVersionsOnly makes informers for metadata cache nothing but what identifies the version of an object: its name, namespace, UID and
// resource version. Labels and annotations, which can be as large as the object, are dropped. It contradicts WithTransform, and has no
// effect on whole objects.
func WithVersionsOnly() Option {
	return func(s *settings) {
		if s.give(settingTransform, call("WithVersionsOnly")) {
			s.versionsOnly = true
		}
	}
}

// WithManagedFields keeps managed fields of cached objects: fields of the given field managers, or all if none is given. By
// default, all are dropped to save memory.
func WithManagedFields(managers ...string) Option {
	return func(s *settings) {
		if s.give(settingManagedFields, call("WithManagedFields", managers...)) {
			s.keepManagedFields, s.managers = true, slices.Clone(managers)
		}
	}
}

// WithWatchErrorHandler sets the function that is called when a list or watch fails. The default is
// cache.DefaultWatchErrorHandler, which logs.
func WithWatchErrorHandler(handler cache.WatchErrorHandlerWithContext) Option {
	return func(s *settings) {
		if s.give(settingWatchErrorHandler, "WithWatchErrorHandler") {
			s.watchErrorHandler = handler
		}
	}
}

// WhenServed makes informers wait until the API server serves their resource, and wait again when it no longer does, see
// [Informer.StartWhenServed]. CustomResourceDefinitions may then be installed later: neither
// WaitForSync nor a controller waits for its informer. The source must be made with a clientset, which has discovery.
func WhenServed() Option {
	return func(s *settings) {
		if s.give(settingWhenServed, call("WhenServed")) {
			s.whenServed = true
		}
	}
}

// MutationReporter receives reports of changes to cached objects. It is implemented by *testing.T.
type MutationReporter interface {
	Errorf(format string, args ...any)
}

// WithMutationDetector reports changes to cached objects, which are read-only. A report names the object, the field and, if a
// handler made the change before it returned, the handler. In a test, pass the *testing.T. The detector copies each object, which
// takes time and memory. It is for the whole factory.
//
// Without the option, the environment variable KUBE_CACHE_MUTATION_DETECTOR decides, as for client-go's informers: if it is true, a
// change ends the process.
func WithMutationDetector(reporter MutationReporter) Option {
	return func(s *settings) {
		if s.give(settingMutations, "WithMutationDetector") {
			s.mutations = reporter
		}
	}
}

// WithInformerName sets the name of informers in metrics: the store's resource version. [Factory.Shutdown] releases the name. It is
// for the whole factory; of several informers for one resource, the first one has the metric.
func WithInformerName(name *cache.InformerName) Option {
	return func(s *settings) {
		if s.give(settingInformerName, "WithInformerName") {
			s.informerName = name
		}
	}
}

// call returns the text of an option with arguments.
func call(option string, args ...string) string {
	quoted := make([]string, len(args))
	for n, arg := range args {
		quoted[n] = fmt.Sprintf("%q", arg)
	}
	return option + "(" + strings.Join(quoted, ", ") + ")"
}
