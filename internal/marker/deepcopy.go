package marker

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
