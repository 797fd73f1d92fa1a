package marker

import "strings"

// Names of the markers that are about deep copies.
const (
	DeepCopyGen        = "k8s:deepcopy-gen"
	DeepCopyInterfaces = "k8s:deepcopy-gen:interfaces"
	DeepCopyNonPointer = "k8s:deepcopy-gen:nonpointer-interfaces"
	// KubebuilderObject begins the names of those that controller-gen knows too.
	KubebuilderObject = "kubebuilder:object:"
	ObjectGenerate    = "kubebuilder:object:generate"
	ObjectRoot        = "kubebuilder:object:root"
)

// AboutDeepCopies reports whether a marker is about deep copies, or is meant to be.
func AboutDeepCopies(m Marker) bool {
	name := strings.ToLower(m.Name)
	return strings.HasPrefix(name, "k8s:deep") || strings.HasPrefix(name, KubebuilderObject)
}
