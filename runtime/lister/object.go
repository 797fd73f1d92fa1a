package lister

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Object is a pointer to an API type, such as *corev1.Pod. It must be a basic interface: if it embedded comparable, the compiler
// would instantiate generic functions for each type instead of sharing code.
type Object interface {
	runtime.Object
	metav1.Object
}
