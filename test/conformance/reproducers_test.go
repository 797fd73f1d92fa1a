package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	coreinformers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/tools/cache"

	webappv1 "example.com/guestbook/api/v1"
	guestbook "example.com/guestbook/pkg/generated/informers/externalversions"
	guestbooklisters "example.com/guestbook/pkg/generated/listers/api/v1"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	examples "github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions"
	fleetinformers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// TestReproducers turns ten public threads about shared informers into predicates, and applies each to upstream's output, as
// client-go v0.37 ships it, and to ours. Upstream fails with the listed findings; attempts without findings show workarounds
// that work. Ours passes.
func TestReproducers(t *testing.T) {
	needsFinal(t)
	// The default handlers limit their rate by the real clock, which blocks reflectors in a synctest bubble.
	handlers := utilruntime.ErrorHandlers
	utilruntime.ErrorHandlers = nil                            //nolint:reassign // as its documentation says
	t.Cleanup(func() { utilruntime.ErrorHandlers = handlers }) //nolint:reassign // as its documentation says

	for _, thread := range []struct {
		name     string
		attempts []attempt
	}{
		{"kubernetes#74415", severalNamespacesAttempts()},
		{"knative-pkg#3367", namespacesOfOneKindAttempts()},
		{"kubernetes#79610", removedDefinitionAttempts()},
		{"kubernetes#142256", releasedInformerAttempts()},
		{"kubernetes#99767", indexedListerAttempts()},
		{"kubernetes#123457", oneTypeAttempts()},
		{"kubernetes#132367", transformAttempts()},
		{"client-go#801", selectorsByKindAttempts()},
		{"rancher#46267", syncTimeoutAttempts()},
		{"tektoncd-pipeline#9316", trimmedCacheAttempts()},
	} {
		t.Run(thread.name, func(t *testing.T) {
			for _, a := range thread.attempts {
				t.Run(a.name, func(t *testing.T) { synctest.Test(t, a.judge) })
			}
		})
	}
}

// attempt is a way to do what a thread asks for, with upstream's API or ours.
type attempt struct {
	name string
	// predicate returns what is wrong, or nil.
	predicate func(*testing.T) error
	// fails are findings that the predicate must return; there may be more. If empty, the predicate must pass.
	fails []string
}

func (a attempt) judge(t *testing.T) {
	err := a.predicate(t)
	if len(a.fails) == 0 {
		assert.NoError(t, err)
		return
	}
	t.Log(err)
	require.Error(t, err, "this passes now: adapt the test and the documentation")
	for _, finding := range a.fails {
		assert.ErrorContains(t, err, finding)
	}
}

// severalNamespaces: one informer, one lister and one handler for the namespaces a and b, without requests for others.
//
// https://github.com/kubernetes/kubernetes/issues/74415 asks for a list of namespaces. Upstream's factory takes one namespace or
// all. By hand: a factory for each namespace, each with its own informer, lister and handler registration.
func severalNamespaces(t *testing.T, s *subject) error {
	var f findings
	s.items.create(t, "a/1", "b/2", "c/3")
	events, err := s.items.record()
	require.NoError(t, err)
	if err := s.run(t.Context()); err != nil {
		return err
	}
	synctest.Wait()
	f.expectEqual("lister", s.items.listed(metav1.NamespaceAll), "a/1 b/2")
	f.expectEqual("lister for b", s.items.listed("b"), "b/2")
	f.expectEqual("handler", events.take(), "add a/1, add b/2")
	f.expectEqual("requests for namespaces", namespacesOf(s.server.requests(s.items)), "a b")

	s.items.label(t, "a/1", "changed")
	s.items.delete(t, "b/2")
	s.items.create(t, "c/4")
	synctest.Wait()
	f.expectEqual("handler after changes", events.take(), "delete b/2, update a/1")
	f.expectEqual("lister after changes", s.items.listed(metav1.NamespaceAll), "a/1")
	return f.err()
}

// namespacesOf returns the namespaces of requests; "*" stands for all.
func namespacesOf(requests []request) string {
	var namespaces []string
	for _, r := range requests {
		namespaces = append(namespaces, r.namespace)
	}
	slices.Sort(namespaces)
	namespaces = slices.Compact(namespaces)
	if len(namespaces) > 0 && namespaces[0] == metav1.NamespaceAll {
		namespaces[0] = "*"
	}
	return strings.Join(namespaces, " ")
}

func severalNamespacesAttempts() []attempt {
	return []attempt{
		{"upstream, option given twice", func(t *testing.T) error {
			return severalNamespaces(t, upstreamSubject(t, informers.WithNamespace("a"), informers.WithNamespace("b")))
		}, []string{"lister: [b/2], want [a/1 b/2]", "requests for namespaces: [b], want [a b]"}}, // the last option silently wins
		{"upstream, one option with both names", func(t *testing.T) error {
			return severalNamespaces(t, upstreamSubject(t, informers.WithNamespace("a,b")))
		}, []string{"lister: [], want [a/1 b/2]", "requests for namespaces: [a,b], want [a b]"}},
		{"ours", func(t *testing.T) error {
			return severalNamespaces(t, ourSubject(t, informer.WithNamespaces("a", "b")))
		}, nil},
	}
}

// namespacesOfOneKind: roles allow items in two namespaces, and others everywhere. One factory serves both kinds.
//
// https://github.com/knative/pkg/issues/3367 asks for Secrets of a few namespaces, for least privilege, and for other kinds in
// the whole cluster. Upstream's WithNamespace limits all kinds to one namespace. By hand: a factory for each namespace, and code
// that merges their listers.
func namespacesOfOneKind(t *testing.T, s *subject) error {
	var f findings
	s.server.refuseIf(func(r request) error {
		if r.resource == s.items.resource.Resource && r.namespace != "a" && r.namespace != "b" {
			return forbidden(s.items)
		}
		return nil
	})
	s.items.create(t, "a/1", "b/2", "c/3")
	s.others.create(t, "c/4")
	items, others := s.items.informer(), s.others.informer()
	err := s.run(t.Context())
	f.expect(err == nil, "items synced %t, others synced %t: %v", items.HasSynced(), others.HasSynced(), err)
	f.expectEqual("lister of items", s.items.listed(metav1.NamespaceAll), "a/1 b/2")
	f.expectEqual("lister of others", s.others.listed(metav1.NamespaceAll), "c/4")
	f.expectEqual("requests for items", namespacesOf(s.server.requests(s.items)), "a b")
	f.expectEqual("requests for others", namespacesOf(s.server.requests(s.others)), "*")
	return f.err()
}

func forbidden(k kind) error {
	return apierrors.NewForbidden(k.resource.GroupResource(), "", fmt.Errorf("User %q cannot list resource %q", "x", k.resource.Resource))
}

func namespacesOfOneKindAttempts() []attempt {
	return []attempt{
		{"upstream, all namespaces", func(t *testing.T) error { return namespacesOfOneKind(t, upstreamSubject(t)) }, []string{
			"items synced false, others synced true: does not sync: failed to sync all caches: *v1.Secret",
			"requests for items: [*], want [a b]",
		}},
		{"upstream, one namespace", func(t *testing.T) error {
			return namespacesOfOneKind(t, upstreamSubject(t, informers.WithNamespace("a")))
		}, []string{"lister of items: [a/1], want [a/1 b/2]", "lister of others: [], want [c/4]"}},
		{"ours", func(t *testing.T) error {
			return namespacesOfOneKind(t, ourSubject(t, informer.ForKind[*fleetv1.Workload](informer.WithNamespaces("a", "b"))))
		}, nil},
	}
}

// removedDefinition: when the CustomResourceDefinition of items is removed, handlers receive deletions, lists and watches end,
// and others go on. When the definition is back, the same handlers receive the new objects.
//
// https://github.com/kubernetes/kubernetes/issues/79610 is about dynamic informers. Generated ones do the same: they list with
// backoff for as long as the factory runs, and keep the objects. Both find a definition that comes back. Ours behave like
// upstream's with StartWithContext, and pass with StartWhenServed, which polls discovery while the resource is not served.
func removedDefinition(t *testing.T, s *subject) error {
	var f findings
	s.items.create(t, "a/1")
	items, err := s.items.record()
	require.NoError(t, err)
	others, err := s.others.record()
	require.NoError(t, err)
	require.NoError(t, s.run(t.Context()))
	time.Sleep(time.Minute)
	f.expectEqual("handler", items.take(), "add a/1")

	s.server.refuseIf(func(r request) error {
		if r.resource == s.items.resource.Resource || r.resource == "resource" { // which stands for discovery
			return apierrors.NewNotFound(s.items.resource.GroupResource(), "")
		}
		return nil
	})
	s.server.endWatches(s.items)
	s.items.delete(t, "a/1")
	time.Sleep(time.Minute)
	f.expectEqual("handler after the removal", items.take(), "delete a/1")
	f.expectEqual("lister after the removal", s.items.listed(metav1.NamespaceAll), "")
	s.server.forgetRequests()
	time.Sleep(10 * time.Minute)
	f.expect(len(s.server.requests(s.items)) == 0, "goes on listing a resource that is not served")
	s.others.create(t, "a/3")
	synctest.Wait()
	f.expectEqual("handler of others", others.take(), "add a/3")

	s.server.refuseIf(nil)
	s.items.create(t, "a/2")
	items.take()
	time.Sleep(2 * time.Minute)
	f.expect(strings.Contains(items.take(), "add a/2"), "the handler receives no objects after the return")
	f.expectEqual("lister after the return", s.items.listed(metav1.NamespaceAll), "a/2")
	return f.err()
}

func removedDefinitionAttempts() []attempt {
	instead := []string{
		"goes on listing a resource that is not served",
		"handler after the removal: [], want [delete a/1]",
		"lister after the removal: [a/1], want []",
	}
	return []attempt{
		{"upstream", func(t *testing.T) error { return removedDefinition(t, upstreamSubject(t)) }, instead},
		{"upstream, dynamic", func(t *testing.T) error { return removedDefinition(t, dynamicSubject(t)) }, instead},
		{"ours", func(t *testing.T) error {
			s := ourSubject(t)
			s.start = func(ctx context.Context) error {
				err := s.typed().StartWhenServed(ctx)
				s.factory.StartWithContext(ctx) // the others
				return err
			}
			return removedDefinition(t, s)
		}, nil},
	}
}

// releasedInformer: the informer for items runs until its last holder has released it, others go on, and the next holder sees
// the changes since then.
//
// https://github.com/kubernetes/kubernetes/pull/142256 proposes this for client-go's dynamic and metadata factories. Today an
// informer stops only at the end of the context that it was started with, and never runs again. By hand: a new factory for each
// period of use.
func releasedInformer(t *testing.T, s *subject) error {
	var f findings
	s.items.create(t, "a/1")
	s.others.informer()
	require.NoError(t, s.run(t.Context()))

	releaseFirst, err := s.hold(t.Context())
	require.NoError(t, err)
	releaseSecond, err := s.hold(t.Context())
	require.NoError(t, err)
	require.NoError(t, s.wait(t.Context()))
	synctest.Wait()
	f.expectEqual("lister", s.items.listed(metav1.NamespaceAll), "a/1")
	releaseFirst()
	synctest.Wait()
	f.expect(s.server.open(s.items) == 1, "stops when one of two holders is left")
	releaseSecond()
	synctest.Wait()
	f.expect(s.server.open(s.items) == 0, "goes on watching after the last release")
	f.expect(s.server.open(s.others) == 1, "stops other informers too")

	s.items.create(t, "a/2")
	releaseThird, err := s.hold(t.Context())
	if err != nil {
		f.expect(false, "cannot be held again: %v", err)
		return f.err()
	}
	defer releaseThird()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	err = s.wait(ctx)
	f.expectEqual(fmt.Sprintf("lister of the next holder, who was told %v", err), s.items.listed(metav1.NamespaceAll), "a/1 a/2")
	return f.err()
}

func releasedInformerAttempts() []attempt {
	return []attempt{
		{"upstream, handlers removed", func(t *testing.T) error {
			s := upstreamSubject(t)
			s.hold = func(ctx context.Context) (func(), error) {
				informer := s.items.informer()
				registration, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{})
				s.factory.StartWithContext(ctx)
				return func() { assert.NoError(t, informer.RemoveEventHandler(registration)) }, err
			}
			return releasedInformer(t, s)
		}, []string{"goes on watching after the last release"}},
		// Items are requested after others were started, so they have a separate context. When it ends, they stop, but
		// permanently.
		{"upstream, context for one kind", func(t *testing.T) error {
			s := upstreamSubject(t)
			holders := 0
			var end context.CancelFunc
			s.hold = func(ctx context.Context) (func(), error) {
				if holders++; holders == 1 {
					ctx, end = context.WithCancel(ctx)
					s.items.informer()
					s.factory.StartWithContext(ctx)
				}
				return func() {
					if holders--; holders == 0 {
						end()
					}
				}, nil
			}
			return releasedInformer(t, s)
		}, []string{"lister of the next holder, who was told <nil>: [a/1], want [a/1 a/2]"}},
		{"ours", func(t *testing.T) error { return releasedInformer(t, ourSubject(t)) }, nil},
	}
}

// indexedLister: a lister finds objects by a label without reading the rest of the cache.
//
// https://github.com/kubernetes/kubernetes/pull/99767 proposes ListByIndex for listers: List compares the labels of all Pods in
// a namespace, a few hundred. By hand: ByIndex of the indexer, which returns objects of type any; typed since client-go v0.37, by
// TypedInformer().GetTypedIndexer().
func indexedLister(
	t *testing.T, indexer *countingIndexer, newObject func(namespace, name string) object, find func(namespace, season string) (int, error),
) error {
	var f findings
	for n := range 1000 {
		o := newObject([]string{"a", "b"}[n/500], strconv.Itoa(n))
		o.SetLabels(map[string]string{"season": fmt.Sprint("s", n%100)})
		require.NoError(t, indexer.Add(o))
	}
	found := func(namespace string) string {
		indexer.touched = 0
		n, err := find(namespace, "s7")
		if err != nil {
			return err.Error()
		}
		return fmt.Sprintf("%d found among %d", n, indexer.touched)
	}
	f.expectEqual("in a namespace", found("a"), "5 found among 5")
	f.expectEqual("in all namespaces", found(metav1.NamespaceAll), "10 found among 10")
	require.NoError(t, indexer.Delete(newObject("a", "7")))
	require.NoError(t, indexer.Update(newObject("b", "507")))
	f.expectEqual("after changes", found(metav1.NamespaceAll), "8 found among 8")
	return f.err()
}

// countingIndexer counts the objects that it returns.
type countingIndexer struct {
	cache.Indexer
	touched int
}

func (c *countingIndexer) List() []any {
	objects := c.Indexer.List()
	c.touched += len(objects)
	return objects
}

func (c *countingIndexer) Index(name string, obj any) ([]any, error) {
	objects, err := c.Indexer.Index(name, obj)
	c.touched += len(objects)
	return objects, err
}

func (c *countingIndexer) ByIndex(name, key string) ([]any, error) {
	objects, err := c.Indexer.ByIndex(name, key)
	c.touched += len(objects)
	return objects, err
}

func indexedListerAttempts() []attempt {
	newConfigMap := func(namespace, name string) object {
		return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
	}
	configMaps := func() *countingIndexer {
		return &countingIndexer{Indexer: cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{
			cache.NamespaceIndex: cache.MetaNamespaceIndexFunc,
			"season":             func(obj any) ([]string, error) { return []string{obj.(object).GetLabels()["season"]}, nil },
			"namespace/season": func(obj any) ([]string, error) {
				return []string{obj.(object).GetNamespace() + "/" + obj.(object).GetLabels()["season"]}, nil
			},
		})}
	}
	return []attempt{
		{"upstream", func(t *testing.T) error {
			indexer := configMaps()
			lister := corelisters.NewConfigMapLister(indexer)
			return indexedLister(t, indexer, newConfigMap, func(namespace, season string) (int, error) {
				found, err := lister.ConfigMaps(namespace).List(labels.SelectorFromSet(labels.Set{"season": season}))
				return len(found), err
			})
		}, []string{"in a namespace: [5 found among 500]", "in all namespaces: [10 found among 1000]"}},
		{"upstream, without the lister", func(t *testing.T) error {
			indexer := configMaps()
			return indexedLister(t, indexer, newConfigMap, func(namespace, season string) (int, error) {
				index, key := "season", season
				if namespace != metav1.NamespaceAll {
					index, key = "namespace/season", namespace+"/"+season
				}
				found, err := indexer.ByIndex(index, key)
				return len(found), err
			})
		}, nil},
		// The guestbook's type has the marker +informergen:index=label=season.
		{"ours", func(t *testing.T) error {
			indexer := &countingIndexer{Indexer: cache.NewIndexer(cache.MetaNamespaceKeyFunc, guestbooklisters.GuestbookIndexers())}
			return indexedLister(t, indexer, func(namespace, name string) object {
				return &webappv1.Guestbook{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
			}, func(namespace, season string) (int, error) {
				if namespace == metav1.NamespaceAll {
					found, err := guestbooklisters.GuestbookBySeasonLabel.Get(indexer, season)
					return len(found), err
				}
				found, err := guestbooklisters.GuestbookBySeasonLabel.In(indexer, namespace, season)
				return len(found), err
			})
		}, nil},
	}
}

// oneType: the options that select objects have the same type in the factories of two modules.
//
// https://github.com/kubernetes/kubernetes/issues/123457: each generated module, the dynamic factory and the metadata factory
// declare a TweakListOptionsFunc, and none is assignable to another. By hand: keep the value as func(*metav1.ListOptions), which
// is assignable to all.
//
// Our modules declare the type too. An alias of func(*metav1.ListOptions) would be one type, but apidiff reports the type and
// every function, method and field that mentions it as incompatible, and TestAPI wants upstream's API. The factories that use the
// library take its options.
func oneType(a, b any) error {
	var f findings
	first, second := selection(a), selection(b)
	f.expect(first == second, "two types: %s.%s and %s.%s", first.PkgPath(), first.Name(), second.PkgPath(), second.Name())
	return f.err()
}

// selection returns the type of the last parameter of a function.
func selection(f any) reflect.Type {
	t := reflect.TypeOf(f)
	return t.In(t.NumIn() - 1)
}

func oneTypeAttempts() []attempt {
	const clientGo = "two types: k8s.io/client-go/informers/internalinterfaces.TweakListOptionsFunc and "
	return []attempt{
		{"upstream, two modules", func(*testing.T) error {
			return oneType(informers.WithTweakListOptions, dynamicinformer.NewFilteredDynamicSharedInformerFactory)
		}, []string{clientGo + "k8s.io/client-go/dynamic/dynamicinformer.TweakListOptionsFunc"}},
		{"upstream, metadata", func(*testing.T) error {
			return oneType(informers.WithTweakListOptions, metadatainformer.NewFilteredSharedInformerFactory)
		}, []string{clientGo + "k8s.io/client-go/metadata/metadatainformer.TweakListOptionsFunc"}},
		{"ours, upstream's option", func(*testing.T) error {
			return oneType(examples.WithTweakListOptions, guestbook.WithTweakListOptions)
		}, []string{"two types: "}},
		{"ours, options of the library", func(*testing.T) error { return oneType(examples.New, guestbook.New) }, nil},
	}
}

// transform: an informer keeps the transform function that InformerFor's newFunc has set, and the factory's applies to the
// informers that the factory makes. newSubject returns a factory with or without either.
//
// https://github.com/kubernetes/kubernetes/issues/132367: the scheduler sets a transform function in a newFunc. The case of the
// thread, a factory without one, is fixed since client-go v0.36 (https://github.com/kubernetes/kubernetes/pull/137473). If the
// factory has one too, it still replaces the informer's. By hand: SetTransform after InformerFor.
//
// The predicate leaves out a newFunc that sets no transform function. Upstream applies the factory's to it; ours does not change
// an informer that newFunc has made.
func transform(t *testing.T, newSubject func(own, factory bool) *subject) error {
	var f findings
	for _, test := range []struct {
		own, factory          bool
		wantItems, wantOthers string
	}{
		{false, false, "", ""},
		{true, false, "own", ""},
		{false, true, "factory", "factory"},
		{true, true, "own", "factory"},
	} {
		s := newSubject(test.own, test.factory)
		s.items.create(t, "a/1")
		s.others.create(t, "a/1")
		s.items.informer()
		s.others.informer()
		require.NoError(t, s.run(t.Context()))
		name := fmt.Sprintf("own %t, factory %t: transform of ", test.own, test.factory)
		f.expectEqual(name+"items", s.items.cached(t, "a/1").GetAnnotations()["transform"], test.wantItems)
		f.expectEqual(name+"others", s.others.cached(t, "a/1").GetAnnotations()["transform"], test.wantOthers)
	}
	return f.err()
}

// markedBy is a transform function that leaves its name in the object.
func markedBy(name string) cache.TransformFunc {
	return func(obj any) (any, error) {
		obj.(metav1.Object).SetAnnotations(map[string]string{"transform": name})
		return obj, nil
	}
}

func transformAttempts() []attempt {
	upstream := func(t *testing.T, after bool) func(own, factory bool) *subject {
		return func(own, factory bool) *subject {
			var options []informers.SharedInformerOption
			if factory {
				options = append(options, informers.WithTransform(markedBy("factory")))
			}
			s := upstreamSubject(t, options...)
			if !own {
				return s
			}
			newSecretInformer := func(client kubernetes.Interface, resync time.Duration) cache.SharedIndexInformer {
				informer := coreinformers.NewSecretInformer(client, metav1.NamespaceAll, resync, cache.Indexers{})
				assert.NoError(t, informer.SetTransform(markedBy("own")))
				return informer
			}
			informer := s.factory.(informers.SharedInformerFactory).InformerFor(&corev1.Secret{}, newSecretInformer)
			if after {
				assert.NoError(t, informer.SetTransform(markedBy("own")))
			}
			return s
		}
	}
	return []attempt{
		{"upstream", func(t *testing.T) error { return transform(t, upstream(t, false)) }, []string{
			"own true, factory true: transform of items: [factory], want [own]",
		}},
		{"upstream, set again", func(t *testing.T) error { return transform(t, upstream(t, true)) }, nil},
		{"ours", func(t *testing.T) error {
			return transform(t, func(own, factory bool) *subject {
				var options []informer.Option
				if factory {
					options = append(options, informer.WithTransform(markedBy("factory")))
				}
				s := ourSubject(t, options...)
				newWorkloadInformer := func(client versioned.Interface, resync time.Duration) cache.SharedIndexInformer {
					informer := fleetinformers.NewWorkloadInformer(client, metav1.NamespaceAll, resync, cache.Indexers{})
					assert.NoError(t, informer.SetTransform(markedBy("own")))
					return informer
				}
				if own {
					s.factory.(*examples.Factory).InformerFor(&fleetv1.Workload{}, newWorkloadInformer)
				}
				return s
			})
		}, nil},
	}
}

// selectorsByKind: lists and watches of items have a field selector, those of others have none, and all have a label selector.
//
// https://github.com/kubernetes/client-go/issues/801: options apply to all kinds of a factory, and API servers refuse a field
// selector of one kind for others. By hand: InformerFor with a filtered informer, before any code asks for the kind's own
// informer. After that, newFunc is silently ignored.
func selectorsByKind(t *testing.T, s *subject) error {
	var f findings
	s.items.informer()
	s.others.informer()
	require.NoError(t, s.run(t.Context()))
	synctest.Wait()
	f.expectEqual("items", selectorsOf(s.server.requests(s.items)), "list metadata.name=x a=b, watch metadata.name=x a=b")
	f.expectEqual("others", selectorsOf(s.server.requests(s.others)), "list  a=b, watch  a=b")
	return f.err()
}

// selectorsOf returns the verbs, field selectors and label selectors of requests.
func selectorsOf(requests []request) string {
	var all []string
	for _, r := range requests {
		all = append(all, r.verb+" "+r.options.FieldSelector+" "+r.options.LabelSelector)
	}
	return strings.Join(all, ", ")
}

func selectorsByKindAttempts() []attempt {
	byField := func(options *metav1.ListOptions) { options.FieldSelector = "metadata.name=x" }
	byLabel := func(options *metav1.ListOptions) { options.LabelSelector = "a=b" }
	byBoth := func(options *metav1.ListOptions) {
		byField(options)
		byLabel(options)
	}
	filtered := func(client kubernetes.Interface, resync time.Duration) cache.SharedIndexInformer {
		return coreinformers.NewFilteredSecretInformer(client, metav1.NamespaceAll, resync, cache.Indexers{}, byBoth)
	}
	ofItems := informer.ForKind[*fleetv1.Workload](informer.WithFields(fields.OneTermEqualSelector("metadata.name", "x")))
	ofAll := informer.WithLabels(labels.SelectorFromSet(labels.Set{"a": "b"}))
	return []attempt{
		{"upstream, option given twice", func(t *testing.T) error {
			return selectorsByKind(t, upstreamSubject(t, informers.WithTweakListOptions(byField), informers.WithTweakListOptions(byLabel)))
		}, []string{"items: [list  a=b, watch  a=b]"}}, // the last option silently wins
		{"upstream, both in one option", func(t *testing.T) error {
			return selectorsByKind(t, upstreamSubject(t, informers.WithTweakListOptions(byBoth)))
		}, []string{"others: [list metadata.name=x a=b, watch metadata.name=x a=b]"}},
		{"upstream, InformerFor too late", func(t *testing.T) error {
			s := upstreamSubject(t, informers.WithTweakListOptions(byLabel))
			s.items.informer()
			s.factory.(informers.SharedInformerFactory).InformerFor(&corev1.Secret{}, filtered)
			return selectorsByKind(t, s)
		}, []string{"items: [list  a=b, watch  a=b]"}},
		{"upstream, InformerFor in time", func(t *testing.T) error {
			s := upstreamSubject(t, informers.WithTweakListOptions(byLabel))
			s.factory.(informers.SharedInformerFactory).InformerFor(&corev1.Secret{}, filtered)
			return selectorsByKind(t, s)
		}, nil},
		{"ours", func(t *testing.T) error { return selectorsByKind(t, ourSubject(t, ofItems, ofAll)) }, nil},
		{"ours, in the other order", func(t *testing.T) error { return selectorsByKind(t, ourSubject(t, ofAll, ofItems)) }, nil},
	}
}

// syncTimeout: waiting for sync ends soon after an error that is likely to last, and returns the answer of the API server. A
// later wait succeeds once the resource is served. An outage of two minutes does not end the wait.
//
// https://github.com/rancher/rancher/issues/46267: a kind that is not served blocks the start, possibly forever. Upstream waits
// until the end of the context, and names the types that have not synced. The reason is logged, and not returned. By hand:
// SetWatchErrorHandler of each informer, before it starts. No deadline is short enough for a missing role and long enough for
// an outage.
func syncTimeout(t *testing.T, newSubject func() *subject) error {
	var f findings
	for name, answer := range map[string]func(kind) error{
		"forbidden":  forbidden,
		"not served": func(k kind) error { return apierrors.NewNotFound(k.resource.GroupResource(), "") },
	} {
		s := newSubject()
		refuseItems(s, answer)
		others := s.others.informer()
		s.items.informer()
		start := time.Now()
		err := s.run(t.Context())
		f.expect(time.Since(start) < time.Minute, "%s: waits for %v", name, time.Since(start))
		var status apierrors.APIStatus
		f.expect(errors.As(err, &status), "%s: no answer of the server in %q", name, err)
		f.expect(err != nil && strings.Contains(err.Error(), s.items.resource.Resource), "%s: no resource in %q", name, err)
		f.expect(others.HasSynced(), "%s: others have not synced", name)

		s.server.refuseIf(nil)
		time.Sleep(2 * time.Minute)
		f.expect(s.wait(t.Context()) == nil, "%s: does not recover", name)
	}

	s := newSubject()
	refuseItems(s, func(kind) error { return apierrors.NewInternalError(errors.New("etcd is away")) })
	time.AfterFunc(2*time.Minute, func() { s.server.refuseIf(nil) })
	s.items.informer()
	err := s.run(t.Context())
	f.expect(err == nil, "an outage ends the wait: %v", err)
	return f.err()
}

func refuseItems(s *subject, answer func(kind) error) {
	s.server.refuseIf(func(r request) error {
		if r.resource == s.items.resource.Resource {
			return answer(s.items)
		}
		return nil
	})
}

func syncTimeoutAttempts() []attempt {
	return []attempt{
		{"upstream", func(t *testing.T) error {
			return syncTimeout(t, func() *subject { return upstreamSubject(t) })
		}, []string{
			"forbidden: waits for 1h0m0s",
			"not served: waits for 1h0m0s",
			"forbidden: no answer of the server in",
			"*v1.Secret: context deadline exceeded",
		}},
		{"upstream with a deadline", func(t *testing.T) error {
			return syncTimeout(t, func() *subject {
				s := upstreamSubject(t)
				wait := s.wait
				s.wait = func(ctx context.Context) error {
					ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
					defer cancel()
					return wait(ctx)
				}
				return s
			})
		}, []string{"forbidden: no answer of the server in", "not served: no answer of the server in", "an outage ends the wait"}},
		{"ours", func(t *testing.T) error { return syncTimeout(t, func() *subject { return ourSubject(t) }) }, nil},
	}
}

// trimmedCache: cached objects have no managed fields, items have no last applied configuration either, and others keep it.
//
// https://github.com/tektoncd/pipeline/pull/9316 adds a transform function with a switch over types, and factories that set it,
// to keep managed fields and annotations out of the cache. Upstream trims nothing on its own, and takes one transform function
// for all kinds. By hand: that switch.
func trimmedCache(t *testing.T, s *subject) error {
	var f findings
	for _, k := range []kind{s.items, s.others} {
		k.createObject(t, untrimmed(k, "1"))
		k.informer()
	}
	require.NoError(t, s.run(t.Context()))
	synctest.Wait()
	check := func(when, version string) {
		for what, test := range map[string]struct {
			kind kind
			keep bool
		}{"items": {s.items, false}, "others": {s.others, true}} {
			cached := test.kind.cached(t, "a/1")
			_, kept := cached.GetAnnotations()[corev1.LastAppliedConfigAnnotation]
			f.expect(len(cached.GetManagedFields()) == 0, "%s %s: managed fields are cached", what, when)
			f.expect(kept == test.keep, "%s %s: last applied configuration is cached: %t, want %t", what, when, kept, test.keep)
			f.expectEqual(what+" "+when+": resource version", cached.GetResourceVersion(), version)
			whole, left := sizeOf(t, untrimmed(test.kind, version)), sizeOf(t, cached)
			f.expect(test.keep || left*2 < whole, "%s %s: %d of %d bytes are left", what, when, left, whole)
		}
	}
	check("listed", "1")
	for _, k := range []kind{s.items, s.others} {
		require.NoError(t, s.server.tracker.Update(k.resource, untrimmed(k, "2"), "a"))
	}
	synctest.Wait()
	check("updated", "2")
	return f.err()
}

// untrimmed returns an object as kubectl apply leaves it.
func untrimmed(k kind, version string) object {
	o := k.object("a", "1")
	o.SetResourceVersion(version)
	o.SetManagedFields([]metav1.ManagedFieldsEntry{{
		Manager: "kubectl", Operation: metav1.ManagedFieldsOperationApply, FieldsType: "FieldsV1",
		FieldsV1: metav1.NewFieldsV1(`{"f:metadata":{"f:annotations":{},"f:labels":{}},"f:spec":{"f:template":{"f:image":{}}}}`),
	}})
	o.SetAnnotations(map[string]string{corev1.LastAppliedConfigAnnotation: `{"spec":{"template":{"image":"registry.example.com/x:1"}}}`})
	return o
}

func sizeOf(t *testing.T, o metav1.Object) int {
	t.Helper()
	text, err := json.Marshal(o)
	require.NoError(t, err)
	return len(text)
}

func trimmedCacheAttempts() []attempt {
	dropLastApplied := func(obj any) (any, error) {
		o := obj.(metav1.Object)
		annotations := o.GetAnnotations()
		delete(annotations, corev1.LastAppliedConfigAnnotation)
		o.SetAnnotations(annotations)
		return o, nil
	}
	dropBoth := func(obj any) (any, error) {
		obj.(metav1.Object).SetManagedFields(nil)
		return dropLastApplied(obj)
	}
	dropByType := func(obj any) (any, error) {
		switch o := obj.(type) {
		case *corev1.Secret:
			return dropBoth(o)
		case metav1.Object:
			o.SetManagedFields(nil)
		}
		return obj, nil
	}
	return []attempt{
		{"upstream", func(t *testing.T) error { return trimmedCache(t, upstreamSubject(t)) }, []string{
			"items listed: managed fields are cached",
			"others updated: managed fields are cached",
		}},
		{"upstream, transform for items", func(t *testing.T) error {
			return trimmedCache(t, upstreamSubject(t, informers.WithTransform(dropBoth)))
		}, []string{"others listed: last applied configuration is cached: false, want true"}},
		{"upstream, switch over types", func(t *testing.T) error {
			return trimmedCache(t, upstreamSubject(t, informers.WithTransform(dropByType)))
		}, nil},
		{"ours", func(t *testing.T) error {
			return trimmedCache(t, ourSubject(t, informer.ForKind[*fleetv1.Workload](informer.WithTransform(dropLastApplied))))
		}, nil},
		{"ours, opted out", func(t *testing.T) error {
			return trimmedCache(t, ourSubject(t, informer.WithManagedFields()))
		}, []string{"items listed: managed fields are cached", "others updated: managed fields are cached"}},
	}
}
