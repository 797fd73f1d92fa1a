// Package lister reads the objects that an informer has cached: with listers, with functions that extend any lister, and with
// typed indexes.
//
// A [Lister] reads from an indexer. Informers of package informer return one from their method Lister; [New] makes one for any indexer:
//
//	pods := lister.New[*corev1.Pod](indexer, corev1.Resource("pods"))
//	pod, err := pods.Get("shop", "web-0")
//	all, err := pods.In("shop").List(labels.Everything())
//
// The functions [All], [Sorted], [Len] and [Exists] take any lister: listers of this package, generated ones, and mocks.
//
//	for pod := range lister.All(pods.In("shop")) { … }
//
// An [Index] finds objects by the values of a property. Declare it once, add it to the informer, and look up:
//
//	var podsByNode = lister.NewIndex("spec.nodeName", func(pod *corev1.Pod) []string { return []string{pod.Spec.NodeName} })
//
//	pods := informer.For(factory, source, informer.WithIndexers(lister.Indexers(podsByNode)))
//	found, err := podsByNode.Get(pods, "node-1")
//
// # Sharing
//
// Objects are shared with everybody who reads from the cache, and must not be modified. [Copies] returns an indexer of deep
// copies, which may be: every lister that is built on it, also a generated one, returns copies.
//
// # Concurrency
//
// All functions and methods may be called concurrently, also from event handlers. They hold no lock when they return or while
// they call the loop body of [All]. Each reads one state of the cache: with the informers of this module, also while the informer
// replaces all objects.
package lister
