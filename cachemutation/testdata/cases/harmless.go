package cases

import (
	"slices"
	"sort"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/listers"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/retry"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	fleetlisters "github.com/informer-gen-lite/informer-gen-lite/examples/generated/listers/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/lister"
)

func deepCopy(l fleetlisters.WorkloadLister) {
	w, _ := l.Workloads("shop").Get("web")
	mine := w.DeepCopy()
	mine.Name = "mine"
	mine.Labels["a"] = "b"
	w = w.DeepCopy()
	w.Labels["a"] = "b"
	var into fleetv1.Workload
	w.DeepCopyInto(&into)
	into.Labels["a"] = "b"
}

func listOfOnesOwn(l corelisters.PodLister) {
	pods, _ := l.List(labels.Everything())
	sort.Slice(pods, func(i, j int) bool { return pods[i].Name < pods[j].Name })
	slices.Reverse(pods)
	pods[0] = nil
	pods = append(pods, &corev1.Pod{})
	for i := range pods {
		pods[i] = pods[i].DeepCopy()
	}
}

func newMap(l fleetlisters.WorkloadLister) {
	w, _ := l.Workloads("shop").Get("web")
	mine := *w
	mine.Labels = map[string]string{"app": w.Name}
	mine.Labels["a"] = "b"
	mine.Spec.Template.Image = "web:2"
	another := &fleetv1.Workload{ObjectMeta: w.ObjectMeta}
	another.ResourceVersion = ""
	another.ObjectMeta = metav1.ObjectMeta{Name: w.Name, Labels: map[string]string{}}
	another.Labels["a"] = "b"
}

func captured(l fleetlisters.WorkloadLister, update func(*fleetv1.Workload) error) error {
	w, err := l.Workloads("shop").Get("web")
	if err != nil {
		return err
	}
	w = w.DeepCopy()
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		w.Status.ReadyReplicas = 1
		return update(w)
	})
}

func copiedInClosure(l fleetlisters.WorkloadLister, update func(*fleetv1.Workload) error) error {
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		w, err := l.Workloads("shop").Get("web")
		if err != nil {
			return err
		}
		w = w.DeepCopy()
		w.Status.ReadyReplicas = 1
		return update(w)
	})
}

func onlyRead(l corelisters.PodLister) (names []string, image string) {
	pods, _ := l.List(labels.Everything())
	count := map[string]int{}
	for _, pod := range pods {
		names = append(names, pod.Name)
		count[pod.Spec.NodeName]++
		for _, container := range pod.Spec.Containers {
			container.Image = "changed in the copy that the loop has"
			image = container.Image
		}
		status := pod.Status
		status.Phase = ""
	}
	return names, image
}

func clipped(l corelisters.PodLister) []string {
	pod, _ := l.Pods("shop").Get("web")
	args := pod.Spec.Containers[0].Args
	longer := append(args[:len(args):len(args)], "-v")
	longer = append(longer, "-w")
	fresh := append([]string(nil), args...)
	fresh[0] = ""
	sort.Strings(fresh)
	return append(slices.Clip(args), longer...)
}

type keeper struct {
	last  *corev1.Pod
	count int
	names map[string]string
}

func (k *keeper) keep(l corelisters.PodLister) {
	pod, _ := l.Pods("shop").Get("web")
	k.last = pod
	k.count++
	k.names[pod.Name] = pod.Namespace
}

func notACache(pods interface {
	Get(name string) (*corev1.Pod, error)
}) {
	pod, _ := pods.Get("web")
	pod.Name = ""
}

func handlersThatCopy(queue chan *corev1.Pod) cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{
		AddFunc: func(object any) {
			pod := object.(*corev1.Pod).DeepCopy()
			pod.Name = ""
			queue <- pod
		},
		DeleteFunc: func(object any) {
			if unknown, ok := object.(cache.DeletedFinalStateUnknown); ok {
				unknown.Key = ""
				object = unknown.Obj
			}
			queue <- object.(*corev1.Pod)
		},
	}
}

func buildFrom(pod *corev1.Pod) *corev1.Pod {
	built := &corev1.Pod{Spec: *pod.Spec.DeepCopy()}
	built.Labels = map[string]string{}
	for key, value := range pod.Labels {
		built.Labels[key] = value
	}
	return built
}

func throughFunctionsThatCopy(l corelisters.PodLister) {
	pod, _ := find(l, "web")
	rename(pod.DeepCopy())
	built := buildFrom(pod)
	built.Labels["a"] = "b"
	built.Spec.Containers[0].Image = ""
	rename(built)
}

func listerOnCopies(indexer cache.Indexer) {
	copies := fleetlisters.NewWorkloadLister(lister.Copies(indexer))
	w, _ := copies.Workloads("shop").Get("web")
	w.Name = "mine"
	all, _ := copies.List(labels.Everything())
	all[0].Name = "mine"
	north, _ := copies.InRegion("north")
	north[0].Name = "mine"
	lister.Sorted(copies)[0].Name = "mine"
	shop := copies.Workloads("shop")
	lister.Sorted(shop)[0].Name = "mine"
	w, _ = shop.Get("web")
	w.Name = "mine"
	obj, _, _ := lister.Copies(indexer).GetByKey("shop/web")
	obj.(*fleetv1.Workload).Name = "mine"
	go func() {
		w, _ := copies.Workloads("shop").Get("web")
		w.Name = "mine"
	}()
	if len(all) > 1 {
		copies = fleetlisters.NewWorkloadLister(lister.Copies(lister.Copies(indexer)))
	}
	changeWeb(copies)
	shared = copies
}

// changeWeb is called with a lister of copies.
func changeWeb(l fleetlisters.WorkloadLister) {
	w, _ := l.Workloads("shop").Get("web")
	w.Name = "mine"
	w, _ = shared.Workloads("shop").Get("web")
	w.Name = "mine"
}

var shared fleetlisters.WorkloadLister

// passedOnByValue keeps a lister of copies in a struct that is not addressed.
func passedOnByValue(indexer cache.Indexer) {
	w, _ := ofCopies(indexer).lister.Workloads("shop").Get("web")
	w.Name = "mine"
}

type byValue struct{ lister fleetlisters.WorkloadLister }

func ofCopies(indexer cache.Indexer) byValue {
	return byValue{fleetlisters.NewWorkloadLister(lister.Copies(indexer))}
}

// listerOfCopies reads a kind with +informergen:lister=copies.
func listerOfCopies(l fleetlisters.QuotaLister) {
	quotas, _ := l.List(labels.Everything())
	quotas[0].Name = "mine"
	quota, _ := l.Quotas("shop").Get("q")
	quota.Name = "mine"
	lister.Sorted(l)[0].Name = "mine"
	for quota := range lister.All(l.Quotas("shop")) {
		quota.Name = "mine"
	}
}

func pick(pods []*corev1.Pod) (picked []*corev1.Pod) {
	for _, pod := range pods {
		if pod.Spec.NodeName != "" {
			picked = append(picked, pod)
		}
	}
	return picked
}

// elementsOfNewSlice replaces elements of a slice that the function itself made.
func elementsOfNewSlice(l corelisters.PodLister) {
	pods, _ := l.List(labels.Everything())
	picked := pick(pods)
	for i, pod := range picked {
		picked[i] = pod.DeepCopy()
	}
}

// tags copies itself by hand.
type tags struct{ names []string }

func (t *tags) DeepCopyObject() any { return &tags{slices.Clone(t.names)} }

type TagsLister interface {
	Get(name string) (*tags, error)
}

func copiedByHand(l TagsLister) {
	t, _ := l.Get("web")
	mine := t.DeepCopyObject().(*tags)
	mine.names[0] = "mine"
	mine.names = nil
}

// newCopies and its like return listers of copies, alone, with an error, and in containers.
func newCopies(indexer cache.Indexer) fleetlisters.WorkloadLister {
	return fleetlisters.NewWorkloadLister(lister.Copies(indexer))
}

func copiesOrError(indexer cache.Indexer) (fleetlisters.WorkloadLister, error) {
	return newCopies(indexer), nil
}

func listersOfCopies(indexer cache.Indexer) {
	lister.Sorted(newCopies(indexer))[0].Name = "mine"
	copies, _ := copiesOrError(indexer)
	lister.Sorted(copies)[0].Name = "mine"
	byName := map[string]fleetlisters.WorkloadLister{"a": copies}
	lister.Sorted(byName["a"])[0].Name = "mine"
	for _, some := range byName {
		lister.Sorted(some)[0].Name = "mine"
	}
	for _, some := range []fleetlisters.WorkloadLister{copies} {
		lister.Sorted(some)[0].Name = "mine"
	}
	get := copies.Workloads("shop").Get
	w, _ := get("web")
	w.Name = "mine"
}

// anyKind has listers of which nothing is known but what they list.
type anyKind[T lister.Object] struct {
	lister lister.AnyLister[T]
	copies lister.AnyLister[T]
}

func (k anyKind[T]) change() {
	lister.Sorted(k.lister)[0].SetName("mine")
	list, _ := k.lister.List(labels.Everything())
	list[0].SetName("mine")
}

func changeAny(indexer cache.Indexer, quotas anyKind[*fleetv1.Quota]) {
	held := anyKind[*fleetv1.Workload]{copies: newCopies(indexer)}
	held.change()
	list, _ := held.copies.List(labels.Everything())
	list[0].Name = "mine"
	lister.Sorted(quotas.lister)[0].Name = "mine"
}

// literal has a composite literal whose type is a type parameter.
func literal[T ~struct{ Name string }]() T { return T{Name: "mine"} }

func calledLater(w fleetv1.Workload, ctx interface{ Err() error }) error {
	_ = literal[struct{ Name string }]()
	kind, ended := w.GetObjectKind, ctx.Err
	_ = kind()
	return ended()
}

// QuotaCopiesLister is like a generated lister of a kind with +informergen:lister=copies.
type QuotaCopiesLister interface {
	List(selector labels.Selector) (copies []*fleetv1.Quota, err error)
}

type quotaCopiesLister struct {
	listers.ResourceIndexer[*fleetv1.Quota]
}

type QuotaCopiesNamespaceLister interface{ QuotaCopiesLister }

type quotaCopiesNamespaceLister struct {
	listers.ResourceIndexer[*fleetv1.Quota]
}

// handwritten methods of generated listers.
func (s *quotaCopiesLister) handwritten() {
	quotas, _ := s.ResourceIndexer.List(labels.Everything())
	quotas[0].Name = "mine"
	quotas, _ = s.List(labels.Everything())
	quotas[0].Name = "mine"
}

func (s quotaCopiesNamespaceLister) handwritten() {
	quota, _ := s.Get("q")
	quota.Name = "mine"
}
