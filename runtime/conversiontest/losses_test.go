package conversiontest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/conversiontest"
)

// Slice and SliceBeta are two versions of a list of devices, as in an API whose later version has no level "basic". The handwritten
// conversion forgot fields that both versions got later.
type Slice struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	Devices []Device `json:"devices"`
}

type Device struct {
	Name                     string            `json:"name"`
	Attributes               map[string]string `json:"attributes,omitempty"`
	BindsToNode              *bool             `json:"bindsToNode,omitempty"`
	BindingConditions        []string          `json:"bindingConditions,omitempty"`
	AllowMultipleAllocations *bool             `json:"allowMultipleAllocations,omitempty"`
}

type SliceBeta struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	Devices []DeviceBeta `json:"devices"`
}

type DeviceBeta struct {
	Name  string       `json:"name"`
	Basic *BasicDevice `json:"basic,omitempty"`
}

type BasicDevice struct {
	Attributes               map[string]string `json:"attributes,omitempty"`
	BindsToNode              *bool             `json:"bindsToNode,omitempty"`
	BindingConditions        []string          `json:"bindingConditions,omitempty"`
	AllowMultipleAllocations *bool             `json:"allowMultipleAllocations,omitempty"`
}

func slices() *runtime.Scheme {
	scheme := runtime.NewScheme()
	must(scheme.AddConversionFunc(&Slice{}, &SliceBeta{}, func(a, b any, _ conversion.Scope) error {
		from, to := a.(*Slice), b.(*SliceBeta)
		to.ObjectMeta, to.Devices = from.ObjectMeta, []DeviceBeta{}
		for _, device := range from.Devices {
			to.Devices = append(to.Devices, DeviceBeta{Name: device.Name, Basic: &BasicDevice{Attributes: device.Attributes}})
		}
		return nil
	}))
	must(scheme.AddConversionFunc(&SliceBeta{}, &Slice{}, func(a, b any, _ conversion.Scope) error {
		from, to := a.(*SliceBeta), b.(*Slice)
		to.ObjectMeta, to.Devices = from.ObjectMeta, []Device{}
		for _, device := range from.Devices {
			converted := Device{Name: device.Name}
			if device.Basic != nil {
				converted.Attributes = device.Basic.Attributes
			}
			to.Devices = append(to.Devices, converted)
		}
		return nil
	}))
	return scheme
}

func must(err error) {
	if err != nil {
		panic(err) //nolint:forbidigo // schemes of tests are right
	}
}

// TestFieldsThatBothHave finds fields that a conversion by functions of a scheme forgot.
func TestFieldsThatBothHave(t *testing.T) {
	r := roundTrip[Slice, SliceBeta](t, conversiontest.WithScheme(slices()))
	assert.Equal(t, map[string]string{
		"devices[*].allowMultipleAllocations": "lost", "devices[*].bindingConditions": "lost", "devices[*].bindsToNode": "lost",
	}, losses(t, r, "Slice"))
	assert.Equal(t, map[string]string{
		"devices[*].basic":                          "gained", // which has no device without one
		"devices[*].basic.allowMultipleAllocations": "lost",
		"devices[*].basic.bindingConditions":        "lost",
		"devices[*].basic.bindsToNode":              "lost",
	}, losses(t, r, "SliceBeta"))
}

// Graph and GraphAlpha are two versions of a deployment. The later one has a pod template in place of single fields, and the conversion
// makes one up where there was none.
type Graph struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	Spec GraphSpec `json:"spec"`
}

type GraphSpec struct {
	Replicas    *int32                  `json:"replicas,omitempty"`
	PodTemplate *corev1.PodTemplateSpec `json:"podTemplate,omitempty"`
}

// Hub marks the version that others are converted to.
func (*Graph) Hub() {}

type GraphAlpha struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	Spec GraphAlphaSpec `json:"spec"`
}

type GraphAlphaSpec struct {
	Replicas     *int32                      `json:"replicas,omitempty"`
	Resources    corev1.ResourceRequirements `json:"resources,omitzero"`
	VolumeMounts []corev1.VolumeMount        `json:"volumeMounts,omitempty"`
	ExtraPodSpec *corev1.PodSpec             `json:"extraPodSpec,omitempty"`
}

// hub is the interface of controller-runtime.
type hub interface{ Hub() }

func (g *GraphAlpha) ConvertTo(h hub) error {
	to := h.(*Graph)
	to.ObjectMeta, to.Spec.Replicas = g.ObjectMeta, g.Spec.Replicas
	to.Spec.PodTemplate = &corev1.PodTemplateSpec{}
	if g.Spec.ExtraPodSpec != nil {
		to.Spec.PodTemplate.Spec = *g.Spec.ExtraPodSpec
	}
	if len(to.Spec.PodTemplate.Spec.Containers) == 0 {
		to.Spec.PodTemplate.Spec.Containers = []corev1.Container{{Name: "main"}}
	}
	return nil
}

func (g *GraphAlpha) ConvertFrom(h hub) error {
	from := h.(*Graph)
	g.ObjectMeta, g.Spec.Replicas = from.ObjectMeta, from.Spec.Replicas
	if template := from.Spec.PodTemplate; template != nil {
		g.Spec.ExtraPodSpec = template.Spec.DeepCopy()
	}
	return nil
}

// TestTemplateOfNothing finds values that methods of a Convertible drop, and those that they make up.
func TestTemplateOfNothing(t *testing.T) {
	r := roundTrip[Graph, GraphAlpha](t, conversiontest.WithIterations(40))
	require.True(t, r.failed)
	found := losses(t, r, "Graph")
	assert.Equal(t, "gained", found["spec.podTemplate"])
	assert.Equal(t, "lost", found["spec.podTemplate.metadata.name"])
	assert.Equal(t, "lost", found["spec.podTemplate.metadata.annotations"], "only those of the object may be added to")
	assert.NotContains(t, found, "spec.replicas")
	assert.NotContains(t, found, "spec.podTemplate.spec")

	found = losses(t, r, "GraphAlpha")
	assert.Equal(t, "lost", found["spec.resources"])
	assert.Equal(t, "lost", found["spec.volumeMounts"])
	assert.Equal(t, "gained", found["spec.extraPodSpec"])
	assert.NotContains(t, found, "spec.replicas")
}

type Scaled struct {
	Replicas *int32 `json:"replicas,omitempty"`
	List     []int  `json:"list"`
}

// Hub marks the version that others are converted to.
func (*Scaled) Hub() {}

type ScaledAlpha struct {
	Replicas int32 `json:"replicas,omitempty"`
	List     []int `json:"list"`
}

func (s *ScaledAlpha) ConvertTo(h hub) error {
	to := h.(*Scaled)
	if s.Replicas != 0 {
		to.Replicas = &s.Replicas
	}
	to.List = append(to.List, s.List...)
	return nil
}

func (s *ScaledAlpha) ConvertFrom(h hub) error {
	from := h.(*Scaled)
	if from.Replicas != nil {
		s.Replicas = *from.Replicas
	}
	s.List = append([]int{}, from.List...)
	return nil
}

// TestZeroAndEmpty finds pointers to zero, and empty lists that become null, which a server does not accept for a list. The other way
// round, nothing is lost.
func TestZeroAndEmpty(t *testing.T) {
	r := roundTrip[Scaled, ScaledAlpha](t)
	assert.Contains(t, r.text.String(), "\treplicas: lost 0, first in iteration ")
	assert.Contains(t, r.text.String(), "\tlist: [] became null, first in iteration ")
	assert.Len(t, losses(t, r, "Scaled"), 2, r.text.String())
	assert.Empty(t, losses(t, r, "ScaledAlpha"), r.text.String())
}
