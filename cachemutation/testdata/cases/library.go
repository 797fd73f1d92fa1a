package cases

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	fleetlisters "github.com/informer-gen-lite/informer-gen-lite/examples/generated/listers/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/consistency"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/lister"
)

func typedListers(pods lister.Lister[*corev1.Pod]) {
	pod, _ := pods.Get("shop", "web")
	pod.Name = "other" // want `this assignment changes an object in an informer's cache, returned by Lister.Get`
	pod, _ = pods.In("shop").Get("web")
	pod.Name = "other" // want `returned by NamespaceLister.Get`
	all, _ := pods.List(labels.Everything())
	all[0].Name = "other" // want `returned by Lister.List`
	all[0] = nil
	all, _ = pods.In("shop").List(labels.Everything())
	all[0].Name = "other" // want `returned by NamespaceLister.List`
	found, _ := pods.ByIndex("node", "a")
	found[0].(*corev1.Pod).Name = "other" // want `returned by Lister.ByIndex`
	stored, _, _ := pods.Indexer().GetByKey("shop/web")
	stored.(*corev1.Pod).Name = "other" // want `returned by Indexer.GetByKey`
	get := pods.Get
	pod, _ = get("shop", "web")
	pod.Name = "other" // want `returned by Lister.Get`
	pod = pod.DeepCopy()
	pod.Name = "mine"
}

func typedListersOfCopies(pods lister.Lister[*corev1.Pod], indexer cache.Indexer) {
	copies := pods.Copies()
	pod, _ := copies.Get("shop", "web")
	pod.Name = "mine"
	pod, _ = copies.In("shop").Get("web")
	pod.Name = "mine"
	all, _ := pods.Copies().In("shop").List(labels.Everything())
	all[0].Name = "mine"
	found, _ := copies.ByIndex("node", "a")
	found[0].(*corev1.Pod).Name = "mine"
	stored, _, _ := copies.Indexer().GetByKey("shop/web")
	stored.(*corev1.Pod).Name = "mine"
	get := copies.Get
	pod, _ = get("shop", "web")
	pod.Name = "mine"
	onCopies := lister.New[*corev1.Pod](lister.Copies(indexer), corev1.Resource("pods"))
	pod, _ = onCopies.Get("shop", "web")
	pod.Name = "mine"
	pod, _ = corelisters.NewPodLister(copies.Indexer()).Pods("shop").Get("web")
	pod.Name = "mine"
	shared := lister.New[*corev1.Pod](indexer, corev1.Resource("pods"))
	pod, _ = shared.Get("shop", "web")
	pod.Name = "other" // want `returned by Lister.Get`
}

func functionsOnAnyLister(typed lister.Lister[*corev1.Pod], generated corelisters.PodLister, unknown lister.AnyLister[*corev1.Pod]) {
	lister.Sorted(typed)[0].Name = "other"               // want `returned by lister.Sorted`
	lister.Sorted(typed.In("shop"))[0].Name = "other"    // want `returned by lister.Sorted`
	lister.Sorted(generated)[0].Name = "other"           // want `returned by lister.Sorted`
	lister.Sorted(typed.Copies())[0].Name = "mine"       // a copy
	lister.Sorted(typed.Copies().In("a"))[0].Name = "my" // a copy
	lister.Sorted(unknown)[0].Name = "mine"              // a lister of copies or a mock, perhaps
	lister.Sorted(typed)[0] = nil
	for pod := range lister.All(typed) {
		pod.Name = "other" // want `returned by lister.All`
	}
	for pod := range lister.All(generated.Pods("shop")) {
		pod.Name = "other" // want `returned by lister.All`
	}
	for pod := range lister.All(typed.Copies()) {
		pod.Name = "mine"
	}
	for pod := range lister.All(unknown) {
		pod.Name = "mine"
	}
}

// byNode changes the objects that it indexes, which the cache has already.
var byNode = lister.NewIndex("spec.nodeName", func(pod *corev1.Pod) []string {
	pod.Labels["indexed"] = "true" // want `indexed by lister.NewIndex`
	return []string{pod.Spec.NodeName}
})

var byLabel = lister.NewIndex("labels", func(pod *corev1.Pod) (values []lister.Entry) {
	for key, value := range pod.Labels {
		values = append(values, lister.Entry{Key: key, Value: value})
	}
	return values
})

var byFinalizer = lister.NewIndex("finalizers", finalizersOf)

func finalizersOf(pod *corev1.Pod) []string {
	return append(pod.Finalizers, "") // want `append changes an object in an informer's cache, indexed by lister.NewIndex`
}

func lookups(pods *informer.Informer[*corev1.Pod], indexer cache.Indexer, typed lister.Lister[*corev1.Pod]) {
	found, _ := byNode.Get(pods, "a")
	found[0].Name = "other" // want `this assignment changes an object in an informer's cache, returned by Index.Get`
	found[0] = nil
	found, _ = byNode.In(indexer, "shop", "a")
	found[0].Name = "other" // want `returned by Index.In`
	found, _ = byLabel.Get(typed, lister.Entry{Key: "app", Value: "web"})
	for _, pod := range found {
		pod.Labels["app"] = "other" // want `returned by Index.Get`
	}
	get := byNode.Get
	found, _ = get(typed, "a")
	found[0].Name = "other" // want `returned by Index.Get`
}

func lookupsInCopies(indexer cache.Indexer, typed lister.Lister[*corev1.Pod], unknown lister.Indexed) {
	found, _ := byNode.Get(lister.Copies(indexer), "a")
	found[0].Name = "mine"
	found, _ = byNode.In(typed.Copies(), "shop", "a")
	found[0].Name = "mine"
	found, _ = byNode.In(typed.Copies().Indexer(), "shop", "a")
	found[0].Name = "mine"
	get := byNode.Get
	found, _ = get(typed.Copies(), "a")
	found[0].Name = "mine"
	found, _ = byNode.Get(unknown, "a")
	found[0].Name = "mine"
}

func typedInformer(pods *informer.Informer[*corev1.Pod]) {
	pod, _ := pods.Lister().Get("shop", "web")
	pod.Name = "other" // want `returned by Lister.Get`
	found, _ := pods.ByIndex("node", "a")
	found[0].(*corev1.Pod).Name = "other"                 // want `returned by Informer.ByIndex`
	pods.Indexer().List()[0].(*corev1.Pod).Name = "other" // want `returned by Indexer.List`
	shared, _, _ := pods.Shared().GetStore().GetByKey("shop/web")
	shared.(*corev1.Pod).Name = "other" // want `returned by Store.GetByKey`
	pod, _ = corelisters.NewPodLister(pods.Indexer()).Pods("shop").Get("web")
	pod.Name = "other" // want `returned by PodNamespaceLister.Get`
	for pod := range lister.All(pods.Lister()) {
		pod.Name = "other" // want `returned by lister.All`
	}
	pod, _ = pods.Lister().Copies().Get("shop", "web")
	pod.Name = "mine"
	pod, _ = corelisters.NewPodLister(lister.Copies(pods.Indexer())).Pods("shop").Get("web")
	pod.Name = "mine"
}

// quotas have listers of copies, whose informers share their objects nevertheless.
func informerOfQuotas(quotas *informer.Informer[*fleetv1.Quota]) {
	quota, _ := quotas.Lister().Get("shop", "q")
	quota.Name = "other" // want `returned by Lister.Get`
	quota, _ = fleetlisters.NewQuotaLister(quotas.Indexer()).Quotas("shop").Get("q")
	quota.Name = "mine"
}

func (k anyInformer[T]) change() {
	object, _ := k.informer.Lister().Get("shop", "web")
	object.SetName("other") // want `SetName changes an object in an informer's cache, returned by Lister.Get`
}

type anyInformer[T informer.Object] struct{ informer *informer.Informer[T] }

// client-go's indexer of a typed informer.
func typedIndexer(indexer cache.TypedIndexer[*corev1.Pod]) {
	found, _ := indexer.ByTypedIndex("node", "a")
	found[0].Name = "other" // want `returned by TypedIndexer.ByTypedIndex`
	found, _ = indexer.TypedIndex("node", nil)
	found[0].Name = "other"                        // want `returned by TypedIndexer.TypedIndex`
	indexer.List()[0].(*corev1.Pod).Name = "other" // want `returned by TypedIndexer.List`
}

func handlersOfInformer(pods *informer.Informer[*corev1.Pod], queue chan *corev1.Pod) {
	seen := map[cache.ObjectName]bool{}
	_, _ = pods.AddHandler(informer.HandlerFuncs[*corev1.Pod]{
		Added: func(pod *corev1.Pod, _ bool) {
			pod.Name = "other" // want `this assignment changes an object in an informer's cache, passed to Added`
			pod = pod.DeepCopy()
			pod.Name = "mine"
			queue <- pod
		},
		Updated: func(before, after *corev1.Pod) {
			before.Labels["a"] = "b" // want `passed to Updated`
			after.SetName("other")   // want `SetName changes an object in an informer's cache, passed to Updated`
		},
		Deleted: forgetTyped,
	})
	var functions informer.HandlerFuncs[*corev1.Pod]
	functions.Deleted = func(name cache.ObjectName, last *corev1.Pod) {
		seen[name] = true
		name.Name = "mine"
		last.Name = "other" // want `passed to Deleted`
	}
	_, _ = pods.AddHandler(functions)
}

func forgetTyped(_ cache.ObjectName, last *corev1.Pod) {
	last.Finalizers = nil // want `passed to Deleted`
}

type typedHandler struct{ last string }

func (h *typedHandler) OnAdd(pod *corev1.Pod, initial bool) {
	h.last = pod.Name
	pod.Name = "other" // want `passed to OnAdd`
}

func (h *typedHandler) OnUpdate(before, after *corev1.Pod) {
	after.Labels = before.Labels // want `passed to OnUpdate`
}

func (h *typedHandler) OnDelete(name cache.ObjectName, last *corev1.Pod) {
	h.last = name.Name
	last.Name = "other" // want `passed to OnDelete`
}

var _ informer.Handler[*corev1.Pod] = &typedHandler{}

type deployer struct {
	controller  *controller.Controller[*fleetv1.Workload]
	deployments *controller.Owned[*appsv1.Deployment]
}

// Reconcile receives a copy. Everything else is from caches.
func (d *deployer) Reconcile(ctx context.Context, w *fleetv1.Workload) (controller.Result, error) {
	w.Labels["a"] = "b"
	w.Status.ReadyReplicas = 1
	controller.SetCondition(w, &w.Status.Conditions, metav1.Condition{Type: "Ready"})
	owned, err := d.deployments.By(w)
	for _, deployment := range owned {
		deployment.Spec.Paused = true // want `this assignment changes an object in an informer's cache, returned by Owned.By`
	}
	cached, _ := d.controller.Informer().Lister().Get(w.Namespace, w.Name)
	cached.Status.ReadyReplicas = 1                                                        // want `returned by Lister.Get`
	controller.SetCondition(w, &cached.Status.Conditions, metav1.Condition{Type: "Ready"}) // want `controller.SetCondition changes`
	controller.SetCondition(cached, &w.Status.Conditions, metav1.Condition{Type: "Ready"})
	for _, deployment := range lister.Sorted(d.deployments.Informer().Lister()) {
		deployment.Spec.Paused = true // want `returned by lister.Sorted`
	}
	return controller.Result{}, err
}

// Finalize receives a copy, too.
func (d *deployer) Finalize(_ context.Context, w *fleetv1.Workload) error {
	w.Finalizers = append(w.Finalizers, "x")
	return nil
}

func (d *deployer) ReconcileDeleted(context.Context, cache.ObjectName) error { return nil }

var (
	_ controller.Reconciler[*fleetv1.Workload] = &deployer{}
	_ controller.Finalizer[*fleetv1.Workload]  = &deployer{}
)

// writes returns what the API server has returned, which no cache has.
func writes(ctx context.Context, kube kubernetes.Interface, client consistency.Client[*corev1.Pod], dynamic informer.Source[*unstructured.Unstructured]) {
	pod, _ := client.In("shop").Get(ctx, "web", metav1.GetOptions{})
	pod.Name = "mine"
	object, _ := dynamic.Client("shop").Get(ctx, "web", metav1.GetOptions{})
	object.SetName("mine")
	pod, _ = kube.CoreV1().Pods("shop").Get(ctx, "web", metav1.GetOptions{})
	pod.Name = "mine"
}

func consistentCache(cached *consistency.Cache, name cache.ObjectName) {
	cached.Get(name).SetName("other") // want `SetName changes an object in an informer's cache, returned by Cache.Get`
	pod, ok := cached.Get(name).(*corev1.Pod)
	if ok {
		pod.Name = "other" // want `returned by Cache.Get`
	}
}

// notTheLibrary has the names of the library's types and functions, and no cache behind them.
type Index struct{}

func (Index) Get(any, string) ([]*corev1.Pod, error)     { return []*corev1.Pod{{}}, nil }
func (Index) In(any, string) ([]*corev1.Pod, error)      { return []*corev1.Pod{{}}, nil }
func (Index) ByIndex(_, _ string) ([]*corev1.Pod, error) { return []*corev1.Pod{{}}, nil }

type HandlerFuncs struct{ Added func(*corev1.Pod) }

type ResourceEventHandlerFuncs struct{ AddFunc func(*corev1.Pod) }

type FleetController struct {
	HandlerFuncs

	core *controller.Controller[*corev1.Pod]
}

func (FleetController) OwnedPods() ([]*corev1.Pod, error) { return []*corev1.Pod{{}}, nil }

func notTheLibrary(index Index, c FleetController) {
	found, _ := index.Get(nil, "a")
	found[0].Name = "mine"
	found, _ = index.ByIndex("a", "b")
	found[0].Name = "mine"
	owned, _ := c.OwnedPods()
	owned[0].Name = "mine"
	_ = HandlerFuncs{Added: func(pod *corev1.Pod) { pod.Name = "mine" }}
	_ = ResourceEventHandlerFuncs{AddFunc: func(pod *corev1.Pod) { pod.Name = "mine" }}
}
