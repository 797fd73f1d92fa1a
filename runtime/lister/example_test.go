package lister_test

import (
	"fmt"
	"log"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/lister"
)

// The indexes of the examples.
var (
	byNode   = lister.NewIndex("spec.nodeName", func(pod *corev1.Pod) []string { return []string{pod.Spec.NodeName} })
	byLabels = lister.NewIndex("metadata.labels", func(pod *corev1.Pod) (entries []lister.Entry) {
		for key, value := range pod.Labels {
			entries = append(entries, lister.Entry{Key: key, Value: value})
		}
		return entries
	})
)

// exampleIndexer has what the cache of an informer for Pods has.
func exampleIndexer() cache.Indexer {
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, lister.Indexers(byNode, byLabels))
	for _, pod := range []*corev1.Pod{
		{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-0", Labels: map[string]string{"app": "web"}}, Spec: corev1.PodSpec{NodeName: "node-1"}},
		{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "db-0", Labels: map[string]string{"app": "db"}}, Spec: corev1.PodSpec{NodeName: "node-1"}},
		{ObjectMeta: metav1.ObjectMeta{Namespace: "bank", Name: "db-0", Labels: map[string]string{"app": "db"}}, Spec: corev1.PodSpec{NodeName: "node-1"}},
	} {
		_ = indexer.Add(pod)
	}
	return indexer
}

func ExampleNew() {
	pods := lister.New[*corev1.Pod](exampleIndexer(), corev1.Resource("pods"))
	web, err := pods.Get("shop", "web-0")
	fmt.Println(web.Spec.NodeName, err)
	_, err = pods.Get("bank", "web-0")
	fmt.Println(err)
	databases, err := pods.In("shop").List(labels.SelectorFromSet(labels.Set{"app": "db"}))
	fmt.Println(len(databases), err)
	// Output:
	// node-1 <nil>
	// pods "web-0" not found
	// 1 <nil>
}

// All takes any lister, for instance one of client-go.
func ExampleAll() {
	pods := corelisters.NewPodLister(exampleIndexer())
	for pod := range lister.All(pods.Pods("bank")) {
		fmt.Println(pod.Namespace, pod.Name)
	}
	// Output: bank db-0
}

func ExampleSorted() {
	pods := lister.New[*corev1.Pod](exampleIndexer(), corev1.Resource("pods"))
	for _, pod := range lister.Sorted(pods) {
		fmt.Println(pod.Namespace, pod.Name)
	}
	// Output:
	// bank db-0
	// shop db-0
	// shop web-0
}

func ExampleExists() {
	pods := lister.New[*corev1.Pod](exampleIndexer(), corev1.Resource("pods"))
	fmt.Println(lister.Exists(pods.In("shop"), "web-0"), lister.Exists(pods.In("bank"), "web-0"))
	fmt.Println(lister.Len(pods), lister.Len(pods.In("shop")))
	// Output:
	// true false
	// 3 2
}

// Objects of a lister on an indexer of copies may be modified.
func ExampleCopies() {
	indexer := exampleIndexer()
	pods := corelisters.NewPodLister(lister.Copies(indexer))
	web, err := pods.Pods("shop").Get("web-0")
	if err != nil {
		log.Print(err)
		return
	}
	web.Labels["app"] = "changed"
	cached, _ := lister.New[*corev1.Pod](indexer, corev1.Resource("pods")).Get("shop", "web-0")
	fmt.Println(cached.Labels["app"])
	// Output: web
}

func ExampleIndex() {
	indexer := exampleIndexer()
	pods, err := byNode.Get(indexer, "node-1")
	fmt.Println(len(pods), err)
	pods, err = byNode.In(indexer, "bank", "node-1")
	fmt.Println(len(pods), err)
	pods, err = byLabels.Get(indexer, lister.Entry{Key: "app", Value: "web"})
	fmt.Println(pods[0].Name, err)
	// Output:
	// 3 <nil>
	// 1 <nil>
	// web-0 <nil>
}
