// Package cases has code that changes objects of a cache, and code that only looks like it.
package cases

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sort"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/listers"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	fleetv1controllers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/controllers/fleet/v1"
	fleetlisters "github.com/informer-gen-lite/informer-gen-lite/examples/generated/listers/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/lister"
)

func field(l fleetlisters.WorkloadLister) {
	w, err := l.Workloads("shop").Get("web")
	if err != nil {
		return
	}
	w.Name = "other"                // want `this assignment changes an object in an informer's cache, returned by WorkloadNamespaceLister.Get on line 26; change a DeepCopy instead`
	w.Spec.Template.Image = "web:2" // want `this assignment changes`
}

func label(l corelisters.PodLister) {
	pod, _ := l.Pods("shop").Get("web")
	pod.Labels["a"] = "b"           // want `this assignment changes`
	delete(pod.Labels, "a")         // want `delete changes`
	clear(pod.Annotations)          // want `clear changes`
	pod.Status = corev1.PodStatus{} // want `this assignment changes`
}

func whole(l corelisters.PodLister, other *corev1.Pod) {
	pod, _ := l.Pods("shop").Get("web")
	*pod = *other // want `this assignment changes`
}

func element(l corelisters.PodLister) {
	pod, _ := l.Pods("shop").Get("web")
	pod.Spec.Containers[0].Image = "web:2" // want `this assignment changes`
	containers := pod.Spec.Containers
	containers[0] = corev1.Container{} // want `this assignment changes`
	for i := range containers {
		containers[i].Image = "" // want `this assignment changes`
	}
	pod.Status.Phase, pod.Status.Reason = "", "" // want `this assignment changes` `this assignment changes`
}

func inLoop(l fleetlisters.WorkloadLister) {
	workloads, _ := l.List(labels.Everything())
	for _, w := range workloads {
		w.Spec.Replicas = nil // want `this assignment changes an object in an informer's cache, returned by WorkloadLister.List`
	}
}

func counted(l fleetlisters.WorkloadLister) {
	workloads, _ := l.List(labels.Everything())
	for i := 0; i < len(workloads); i++ {
		workloads[i].Labels = nil // want `this assignment changes`
	}
	workloads[0].Finalizers = append(workloads[0].Finalizers, "x") // want `this assignment changes` `append changes`
}

func appended(l corelisters.PodLister) []string {
	pod, _ := l.Pods("shop").Get("web")
	return append(pod.Spec.Containers[0].Args, "-v") // want `append changes`
}

func appendedInPlace(l corelisters.PodLister) (kept []corev1.Container) {
	pod, _ := l.Pods("shop").Get("web")
	kept = pod.Spec.Containers[:0]
	for _, container := range pod.Spec.Containers {
		kept = append(kept, container) // want `append changes`
	}
	return kept
}

func copied(l corelisters.PodLister) {
	pod, _ := l.Pods("shop").Get("web")
	copy(pod.Spec.Containers, []corev1.Container{{}}) // want `copy changes`
}

func sorted(l corelisters.PodLister) {
	pod, _ := l.Pods("shop").Get("web")
	sort.Strings(pod.Finalizers)                                                               // want `sort.Strings changes`
	sort.Slice(pod.Spec.Containers, func(i, j int) bool { return i < j })                      // want `sort.Slice changes`
	slices.Sort(pod.Finalizers)                                                                // want `slices.Sort changes`
	pod.Finalizers = slices.DeleteFunc(pod.Finalizers, func(f string) bool { return f == "" }) // want `this assignment changes` `slices.DeleteFunc changes`
	slices.Reverse(pod.Spec.Tolerations)                                                       // want `slices.Reverse changes`
}

func setters(l fleetlisters.WorkloadLister) {
	w, _ := l.Workloads("shop").Get("web")
	w.SetLabels(nil)                                                                       // want `SetLabels changes`
	w.GetLabels()["a"] = "b"                                                               // want `this assignment changes`
	metav1.SetMetaDataAnnotation(&w.ObjectMeta, "a", "b")                                  // want `v1.SetMetaDataAnnotation changes`
	meta.SetStatusCondition(&w.Status.Conditions, metav1.Condition{})                      // want `meta.SetStatusCondition changes`
	w.GetObjectKind().SetGroupVersionKind(fleetv1.SchemeGroupVersion.WithKind("Workload")) // want `SetGroupVersionKind changes`
	accessor, _ := meta.Accessor(w)
	accessor.SetName("x") // want `SetName changes`
}

func decoded(l fleetlisters.WorkloadLister) error {
	w, _ := l.Workloads("shop").Get("web")
	return json.Unmarshal([]byte("{}"), w) // want `json.Unmarshal changes`
}

func shallow(l fleetlisters.WorkloadLister) {
	w, _ := l.Workloads("shop").Get("web")
	mine := *w
	mine.Name = "mine"
	mine.Labels["a"] = "b" // want `this assignment changes`
	another := &fleetv1.Workload{ObjectMeta: w.ObjectMeta}
	another.Annotations["a"] = "b" // want `this assignment changes`
	template := w.Spec.Template
	template.Env[0].Name = "b" // want `this assignment changes`
}

func collected(l fleetlisters.WorkloadLister) {
	workloads, _ := l.List(labels.Everything())
	byName := map[string]*fleetv1.Workload{}
	var first []*fleetv1.Workload
	for _, w := range workloads {
		byName[w.Name] = w
		first = append(first, w)
	}
	byName["web"].Labels = nil // want `this assignment changes`
	if w, ok := byName["db"]; ok {
		w.Labels = nil // want `this assignment changes`
	}
	for _, w := range byName {
		w.Labels = nil // want `this assignment changes`
	}
	first[0].Labels = nil // want `this assignment changes`
	clone := slices.Clone(workloads)
	clone[0].Labels = nil // want `this assignment changes`
	cloned := maps.Clone(byName)
	cloned["web"].Labels = nil // want `this assignment changes`
	delete(cloned, "web")
	shuffled := shuffledClone(workloads)
	shuffled[0].Labels = nil // want `this assignment changes`
	shuffledClone(workloads[0].Spec.Template.Env)[0].Name = "mine"
}

// shuffledClone clones a slice of any type.
func shuffledClone[S ~[]E, E any](elements S) S {
	clone := slices.Clone(elements)
	clone[0] = clone[1]
	return clone
}

func either(l fleetlisters.WorkloadLister, deep bool) {
	w, _ := l.Workloads("shop").Get("web")
	if deep {
		w = w.DeepCopy()
	}
	w.Name = "" // want `this assignment changes`
}

func fromStore(indexer cache.Indexer) {
	stored, _, _ := indexer.GetByKey("shop/web")
	pod, ok := stored.(*corev1.Pod)
	if ok {
		pod.Name = "" // want `this assignment changes an object in an informer's cache, returned by Indexer.GetByKey`
	}
	for _, stored := range indexer.List() {
		stored.(*corev1.Pod).Name = "" // want `this assignment changes`
	}
	found, _ := indexer.ByIndex("node", "a")
	switch object := found[0].(type) {
	case *corev1.Pod:
		object.Labels["a"] = "b" // want `this assignment changes`
	case metav1.Object:
		object.SetLabels(nil) // want `SetLabels changes`
	}
}

func owned(controller *fleetv1controllers.WorkloadController, w *fleetv1.Workload) {
	deployments, _ := controller.OwnedDeployments(w)
	for _, deployment := range deployments {
		deployment.Spec.Paused = true // want `this assignment changes an object in an informer's cache, returned by WorkloadController.OwnedDeployments`
	}
}

func handlers() cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{
		AddFunc: func(object any) {
			object.(*corev1.Pod).Name = "" // want `this assignment changes an object in an informer's cache, passed to AddFunc`
		},
		UpdateFunc: func(before, after any) {
			before.(*corev1.Pod).Labels["a"] = "b" // want `this assignment changes`
			after.(metav1.Object).SetName("")      // want `SetName changes`
		},
		DeleteFunc: forget,
	}
}

func forget(object any) {
	if unknown, ok := object.(cache.DeletedFinalStateUnknown); ok {
		object = unknown.Obj
	}
	if pod, ok := object.(*corev1.Pod); ok {
		pod.Finalizers = nil // want `this assignment changes`
	}
}

func typedHandlers() {
	_ = cache.TypedResourceEventHandlerFuncs[*corev1.Pod]{
		AddFunc: func(pod *corev1.Pod) { pod.Name = "" }, // want `this assignment changes`
	}
	_ = cache.FilteringResourceEventHandler{
		FilterFunc: func(object any) bool {
			object.(*corev1.Pod).Labels = nil // want `this assignment changes`
			return true
		},
	}
}

type methods struct{ seen int }

func (m *methods) handlers() cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{AddFunc: m.added}
}

func (m *methods) added(object any) {
	m.seen++
	object.(*corev1.Pod).Name = "" // want `this assignment changes`
}

type handler struct{ last *corev1.Pod }

func (h *handler) OnAdd(object any, _ bool) {
	h.last = object.(*corev1.Pod)
	object.(*corev1.Pod).Name = "" // want `this assignment changes an object in an informer's cache, passed to OnAdd`
}
func (h *handler) OnUpdate(_, after any) {}
func (h *handler) OnDelete(object any)   {}

// Functions of the package.

func rename(pod *corev1.Pod) { pod.Name = "" }

func renameAll(pods []*corev1.Pod) {
	for _, pod := range pods {
		renameTwice(pod)
	}
}

func renameTwice(pod *corev1.Pod) {
	rename(pod)
	rename(pod)
}

func find(l corelisters.PodLister, name string) (*corev1.Pod, error) {
	return l.Pods("shop").Get(name)
}

func first(pods []*corev1.Pod) *corev1.Pod { return pods[0] }

func throughFunctions(l corelisters.PodLister) {
	pod, _ := find(l, "web")
	rename(pod)      // want `rename changes an object in an informer's cache, returned by find`
	renameTwice(pod) // want `renameTwice changes`
	pods, _ := l.List(labels.Everything())
	renameAll(pods)       // want `renameAll changes`
	first(pods).Name = "" // want `this assignment changes`
	change := func(pod *corev1.Pod) { pod.Name = "" }
	change(pod)                           // want `changes an object`
	func() { pod.Labels["a"] = "b" }()    // want `this assignment changes`
	defer rename(pod)                     // want `rename changes`
	go func() { pod.Annotations = nil }() // want `this assignment changes`
}

type reconciler struct{ lister fleetlisters.WorkloadLister }

func (r *reconciler) get(name string) (*fleetv1.Workload, error) {
	w, err := r.lister.Workloads("shop").Get(name)
	if err != nil {
		return nil, err
	}
	return w, nil
}

func (r *reconciler) reconcile(_ context.Context, name string) error {
	w, err := r.get(name)
	if err != nil {
		return err
	}
	w.Status.ReadyReplicas = 1 // want `this assignment changes an object in an informer's cache, returned by get`
	return nil
}

func readMore(l fleetlisters.WorkloadLister) {
	lister.Sorted(l)[0].Name = "other"                // want `this assignment changes an object in an informer's cache, returned by lister.Sorted`
	lister.Sorted(l.Workloads("shop"))[0].Name = "no" // want `this assignment changes an object in an informer's cache, returned by lister.Sorted`
}

func loopOverAll(l fleetlisters.WorkloadLister, indexer cache.Indexer) {
	for w := range lister.All(l) {
		w.Name = "other" // want `this assignment changes an object in an informer's cache, returned by lister.All`
	}
	for w := range lister.All(l.Workloads("shop")) {
		w = w.DeepCopy()
		w.Name = "other"
		w.Labels["app"] = "other"
	}
	for w := range lister.All(fleetlisters.NewWorkloadLister(lister.Copies(indexer))) {
		w.Name = "other"
	}
	lister.All(l)(func(w *fleetv1.Workload) bool {
		w.Labels["app"] = "other" // want `this assignment changes an object in an informer's cache, returned by lister.All`
		return true
	})
}

type holder struct {
	lister, copies fleetlisters.WorkloadLister
}

func newHolder(indexer cache.Indexer) *holder {
	return &holder{fleetlisters.NewWorkloadLister(indexer), fleetlisters.NewWorkloadLister(lister.Copies(indexer))}
}

func (h *holder) change() {
	w, _ := h.lister.Workloads("shop").Get("web")
	w.Name = "other" // want `this assignment changes an object in an informer's cache, returned by WorkloadNamespaceLister.Get`
	w, _ = h.copies.Workloads("shop").Get("web")
	w.Name = "mine"
}

func methodValue(l fleetlisters.WorkloadLister, w *fleetv1.Workload) {
	get := l.Workloads("shop").Get
	w, _ = get("web")
	w.Name = "other" // want `this assignment changes an object in an informer's cache, returned by WorkloadNamespaceLister.Get`
	set := w.SetName
	set("other") // want `SetName changes an object in an informer's cache, returned by WorkloadNamespaceLister.Get`
}

// cronLister is like a generated lister.
type cronLister struct {
	listers.ResourceIndexer[*fleetv1.Workload]
}

type CronLister interface {
	List(selector labels.Selector) (ret []*fleetv1.Workload, err error)
}

func (s *cronLister) handwritten() {
	list, _ := s.List(labels.Everything())
	list[0].Name = "other" // want `this assignment changes an object in an informer's cache, returned by ResourceIndexer.List`
}
