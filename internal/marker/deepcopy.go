package marker

import "strings"

// Names of the markers for deep copies.
const (
	DeepCopyGen        = "k8s:deepcopy-gen"
	DeepCopyInterfaces = "k8s:deepcopy-gen:interfaces"
	DeepCopyNonPointer = "k8s:deepcopy-gen:nonpointer-interfaces"
	// KubebuilderObject is the prefix of the markers that controller-gen also reads.
	KubebuilderObject = "kubebuilder:object:"
	ObjectGenerate    = "kubebuilder:object:generate"
	ObjectRoot        = "kubebuilder:object:root"
)

// AboutDeepCopies reports whether a marker concerns deep copies, or is a misspelling of such a marker.
func AboutDeepCopies(m Marker) bool {
	name := strings.ToLower(m.Name)
	return strings.HasPrefix(name, "k8s:deep") || strings.HasPrefix(name, KubebuilderObject)
}
