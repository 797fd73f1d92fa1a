package controller_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	kubeapply "k8s.io/client-go/applyconfigurations"
	corev1apply "k8s.io/client-go/applyconfigurations/core/v1"
	kubefake "k8s.io/client-go/kubernetes/fake"
	kubescheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake"
)

// desiredSets are names of desired objects, by description.
var desiredSets = map[string][]string{
	"none": nil, "one": {"a"}, "different": {"a", "b", "c"}, "equal": {"a", "b", "a"},
	"empty": {"a", ""}, "over-long": {"a", strings.Repeat("n", 254)},
}

// waysToSync are the forms of Sync for config maps.
var waysToSync = map[string]func(kube *kubefake.Clientset, namespace string, names []string) controller.Desired[*corev1.ConfigMap]{
	"Apply": func(kube *kubefake.Clientset, namespace string, names []string) controller.Desired[*corev1.ConfigMap] {
		return controller.Apply(kube.CoreV1().ConfigMaps, corev1apply.ExtractConfigMap, configurations(namespace, names))
	},
	"ApplyOnly": func(kube *kubefake.Clientset, namespace string, names []string) controller.Desired[*corev1.ConfigMap] {
		return controller.ApplyOnly(kube.CoreV1().ConfigMaps, corev1apply.ExtractConfigMap, configurations(namespace, names))
	},
	"Create": func(kube *kubefake.Clientset, namespace string, names []string) controller.Desired[*corev1.ConfigMap] {
		return controller.Create(kube.CoreV1().ConfigMaps, configMaps(namespace, names))
	},
	"CreateOnly": func(kube *kubefake.Clientset, namespace string, names []string) controller.Desired[*corev1.ConfigMap] {
		return controller.CreateOnly(kube.CoreV1().ConfigMaps, configMaps(namespace, names))
	},
}

// configurations returns config maps whose content differs by their number.
func configurations(namespace string, names []string) (all []*corev1apply.ConfigMapApplyConfiguration) {
	for i, name := range names {
		all = append(all, corev1apply.ConfigMap(name, namespace).WithData(map[string]string{"number": strconv.Itoa(i)}))
	}
	return all
}

func configMaps(namespace string, names []string) (all []*corev1.ConfigMap) {
	for i, name := range names {
		meta := metav1.ObjectMeta{Name: name, Namespace: namespace}
		all = append(all, &corev1.ConfigMap{ObjectMeta: meta, Data: map[string]string{"number": strconv.Itoa(i)}})
	}
	return all
}

// syncer is a reconciler that calls a function. It has no effect after many reconciles, so that a loop ends.
type syncer[T controller.Object] struct {
	sync       func(ctx context.Context, owner T) error
	kube       *kubefake.Clientset
	reconciles int
	// wrote is the number of the last reconcile that sent a request to write.
	wrote int
	err   error
}

func (s *syncer[T]) Reconcile(ctx context.Context, owner T) (controller.Result, error) {
	if s.reconciles++; s.reconciles > 10 {
		return controller.Result{}, nil
	}
	before := s.writes()
	s.err = s.sync(ctx, owner)
	if s.writes() > before {
		s.wrote = s.reconciles
	}
	return controller.Result{}, s.err
}

func (s *syncer[T]) writes() (n int) {
	for _, action := range s.kube.Actions() {
		if verb := action.GetVerb(); verb != "get" && verb != "list" && verb != "watch" {
			n++
		}
	}
	return n
}

func (*syncer[T]) ReconcileDeleted(context.Context, cache.ObjectName) error { return nil }

// syncUntilQuiet runs a controller for owners of config maps until nothing is left to do, and returns the number of the last reconcile that
// wrote, and the last error.
func syncUntilQuiet[T controller.Object](
	t *testing.T, owner T, owners func(*kubefake.Clientset) informer.Source[T],
	sync func(ctx context.Context, kube *kubefake.Clientset, owner T, owned *controller.Owned[*corev1.ConfigMap]) error,
) (wrote int, err error) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		server, kube := strictfake.NewServer(), kubefake.NewClientset()
		require.NoError(t, server.Serve(kube, kubescheme.Scheme, kubeapply.NewTypeConverter(kubescheme.Scheme)))
		require.NoError(t, server.Add(runtime.Object(owner)))
		r := &syncer[T]{kube: kube}
		c, newErr := controller.New(owners(kube), r, controller.WithInformers(informer.WithManagedFields("m")))
		require.NoError(t, newErr)
		owned, ownErr := controller.Own(c, informer.Namespaced(kube, corev1.SchemeGroupVersion.WithResource("configmaps"), kube.CoreV1().ConfigMaps))
		require.NoError(t, ownErr)
		r.sync = func(ctx context.Context, owner T) error { return sync(ctx, kube, owner, owned) }
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- c.Run(ctx) }()
		time.Sleep(time.Hour) // for retries
		cancel()
		require.NoError(t, <-ended)
		assert.LessOrEqual(t, r.reconciles, 10, "they end")
		wrote, err = r.wrote, r.err
	})
	return wrote, err
}

func accounts(kube *kubefake.Clientset) informer.Source[*corev1.ServiceAccount] {
	return informer.Namespaced(kube, corev1.SchemeGroupVersion.WithResource("serviceaccounts"), kube.CoreV1().ServiceAccounts)
}

func nodes(kube *kubefake.Clientset) informer.Source[*corev1.Node] {
	return informer.Cluster(kube, corev1.SchemeGroupVersion.WithResource("nodes"), kube.CoreV1().Nodes())
}

func account() *corev1.ServiceAccount {
	return &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: "a", Name: "owner", UID: "7"}}
}

// TestSyncEnds has reconcilers that call Sync once. No set of desired objects makes the controller write without an event from outside.
func TestSyncEnds(t *testing.T) {
	for set, names := range desiredSets {
		for way, desired := range waysToSync {
			for namespace, why := range map[string]string{"a": "same", "b": "other", "": "no"} {
				t.Run(fmt.Sprintf("%s/%s/%s namespace", set, way, why), func(t *testing.T) {
					wrote, err := syncUntilQuiet(t, account(), accounts,
						func(ctx context.Context, kube *kubefake.Clientset, owner *corev1.ServiceAccount, owned *controller.Owned[*corev1.ConfigMap]) error {
							return controller.Sync(ctx, writerFor("ServiceAccount"), owner, owned.By, desired(kube, namespace, names))
						})
					assert.LessOrEqual(t, wrote, 2, err)
					wrong := len(names) > 0 && namespace != "a" || set == "equal" || set == "empty" || set == "over-long"
					assert.Equal(t, wrong, err != nil, err)
				})
				t.Run(fmt.Sprintf("%s/%s/%s namespace, cluster-scoped owner", set, way, why), func(t *testing.T) {
					wrote, err := syncUntilQuiet(t, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "owner", UID: "7"}}, nodes,
						func(ctx context.Context, kube *kubefake.Clientset, owner *corev1.Node, owned *controller.Owned[*corev1.ConfigMap]) error {
							return controller.Sync(ctx, writerFor("Node"), owner, owned.By, desired(kube, namespace, names))
						})
					wrong := len(names) > 0 && namespace == "" || set == "equal" || set == "empty" || set == "over-long"
					assert.Equal(t, wrong, err != nil, err)
					assert.LessOrEqual(t, wrote, 2, err)
				})
			}
		}
	}
}

func writerFor(kind string) controller.Writer {
	return controller.Writer{Owner: corev1.SchemeGroupVersion.WithKind(kind), FieldManager: "m"}
}

// TestSyncCalls has reconcilers that call Sync twice for one kind.
func TestSyncCalls(t *testing.T) {
	for _, test := range []struct {
		first, second  string
		names, further []string
		wrong          bool
	}{
		{"Apply", "Apply", []string{"a"}, []string{"b"}, true},
		{"Apply", "Apply", []string{"a"}, []string{"a"}, false},
		{"Apply", "ApplyOnly", []string{"a"}, []string{"b"}, true},
		{"ApplyOnly", "Apply", []string{"a"}, []string{"b"}, true},
		{"Create", "Create", []string{"a", "b"}, []string{"a"}, true},
		{"Create", "Create", []string{"a", "b"}, []string{"a", "b"}, false},
		{"ApplyOnly", "ApplyOnly", []string{"a"}, []string{"b"}, false},
		{"CreateOnly", "ApplyOnly", []string{"a"}, []string{"b"}, false},
		{"ApplyOnly", "ApplyOnly", []string{"a", "b"}, []string{"b", "a"}, true}, // their contents differ
	} {
		t.Run(fmt.Sprintf("%s %v, %s %v", test.first, test.names, test.second, test.further), func(t *testing.T) {
			wrote, err := syncUntilQuiet(t, account(), accounts,
				func(ctx context.Context, kube *kubefake.Clientset, owner *corev1.ServiceAccount, owned *controller.Owned[*corev1.ConfigMap]) error {
					err := controller.Sync(ctx, writerFor("ServiceAccount"), owner, owned.By, waysToSync[test.first](kube, "a", test.names))
					if err != nil {
						return err
					}
					return controller.Sync(ctx, writerFor("ServiceAccount"), owner, owned.By, waysToSync[test.second](kube, "a", test.further))
				})
			assert.LessOrEqual(t, wrote, 2)
			if !test.wrong {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, "earlier call in this reconcile")
			}
		})
	}
}
