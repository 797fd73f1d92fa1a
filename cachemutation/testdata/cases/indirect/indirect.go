// Package indirect reads from the library's listers without importing their package.
package indirect

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

func change(pods *informer.Informer[*corev1.Pod]) {
	pod, _ := pods.Lister().In("shop").Get("web")
	pod.Name = "other" // want `returned by NamespaceLister.Get`
	pod, _ = pods.Lister().Copies().In("shop").Get("web")
	pod.Name = "mine"
}
