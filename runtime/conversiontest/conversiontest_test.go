package conversiontest_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/randfill"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/conversiontest"
)

// Forms has fields of every form. Old has none of them, and keeps them in an annotation.
type Forms struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	Bools      []bool                      `json:"bools"`
	Bytes      []byte                      `json:"bytes,omitempty"`
	Float      float64                     `json:"float,omitempty"`
	Int64      int64                       `json:"int64"`
	Uint64     *uint64                     `json:"uint64,omitempty"`
	Text       string                      `json:"text,omitempty"`
	Quoted     int                         `json:"quoted,string"`
	Array      [2]int                      `json:"array"`
	Maps       map[string]map[int][]string `json:"maps"`
	Time       metav1.Time                 `json:"time"`
	MicroTime  *metav1.MicroTime           `json:"microTime,omitempty"`
	GoTime     time.Time                   `json:"goTime"`
	Duration   metav1.Duration             `json:"duration"`
	Quantity   resource.Quantity           `json:"quantity"`
	Quantities corev1.ResourceList         `json:"quantities,omitempty"`
	Port       intstr.IntOrString          `json:"port"`
	Extension  runtime.RawExtension        `json:"extension,omitzero"`
	Raw        json.RawMessage             `json:"raw,omitempty"`
	JSON       JSON                        `json:"json"`
	Any        any                         `json:"any,omitempty"`
	Selector   *metav1.LabelSelector       `json:"selector,omitempty"`
	Tree       Tree                        `json:"tree"`
	Nested     []Nested                    `json:"nested,omitempty"`
	Hidden     string                      `json:"-"`
	Inlined    `json:",inline"`
}

// JSON is like that of apiextensions.
type JSON struct {
	Raw []byte
}

// MarshalJSON implements json.Marshaler.
func (j JSON) MarshalJSON() ([]byte, error) {
	if len(j.Raw) == 0 {
		return []byte("null"), nil
	}
	return j.Raw, nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (j *JSON) UnmarshalJSON(text []byte) error {
	j.Raw = append([]byte(nil), text...)
	return nil
}

type Inlined struct {
	Inlined string `json:"inlined,omitempty"`
}

type Tree map[string]Tree

type Nested struct {
	All   []Nested           `json:"all,omitempty"`
	Not   *Nested            `json:"not,omitempty"`
	Named map[string]*Nested `json:"named,omitempty"`
	Other *Other             `json:"other,omitempty"`
}

type Other struct {
	Nested []Nested `json:"nested"`
}

// Hub marks the version that others are converted to.
func (*Forms) Hub() {}

type Old struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	Text string `json:"text,omitempty"`
	// Memory is lost when the object is stored.
	Memory *Forms `json:"-"`
}

const annotation = "fleet.example.com/forms"

// ConvertTo takes the type itself, not an interface.
func (o *Old) ConvertTo(to *Forms) error {
	if kept, ok := o.Annotations[annotation]; ok {
		if err := json.Unmarshal([]byte(kept), to); err != nil {
			return err
		}
	}
	to.ObjectMeta, to.Annotations = o.ObjectMeta, maps.Clone(o.Annotations)
	delete(to.Annotations, annotation)
	to.Kind, to.Text = "Forms", o.Text
	return nil
}

func (o *Old) ConvertFrom(from *Forms) error {
	o.ObjectMeta, o.Annotations = from.ObjectMeta, maps.Clone(from.Annotations)
	o.Text, o.Memory = from.Text, from
	kept, err := json.Marshal(from)
	metav1.SetMetaDataAnnotation(&o.ObjectMeta, annotation, string(kept))
	return err
}

func TestNothingIsLost(t *testing.T) {
	r := roundTrip[Forms, Old](t)
	assert.False(t, r.failed, r.text.String())
	assert.Empty(t, r.log.String())
}

// Forgetful keeps what it lacks where a server does not see it.
type Forgetful struct{ Old }

func (f *Forgetful) ConvertTo(to *Forms) error {
	if f.Memory != nil {
		*to = *f.Memory
	}
	to.ObjectMeta, to.Text = f.ObjectMeta, f.Text
	return nil
}

// TestFieldsLostOnServer checks that objects are encoded between conversions, and that every form of field is found.
func TestFieldsLostOnServer(t *testing.T) {
	r := roundTrip[Forms, Forgetful](t)
	assert.Empty(t, losses(t, r, "Forgetful"))
	found := losses(t, r, "Forms")
	for _, path := range []string{
		"bools", "bytes", "float", "int64", "uint64", "quoted", "array[*]", "maps", "time", "microTime", "goTime", "duration", "quantity",
		"quantities", "port", "extension", "raw", "json", "any", "selector", "tree", "nested", "inlined",
	} {
		assert.Contains(t, found, path)
	}
	assert.Len(t, found, 23)
	assert.Contains(t, r.text.String(), "conversiontest_test.Forms → conversiontest_test.Forgetful → conversiontest_test.Forms "+
		"loses 23 fields (seed 1, 100 iterations):\n")
	assert.Equal(t, r.text.String(), roundTrip[Forms, Forgetful](t).text.String(), "the same seed, the same report")
	again := roundTrip[Forms, Forgetful](t, conversiontest.WithSeed(2))
	assert.NotEqual(t, r.text.String(), again.text.String())
	assert.Equal(t, found, losses(t, again, "Forms"))
}

func TestWithLoss(t *testing.T) {
	scheme := conversiontest.WithScheme(slices())
	allow := func(path string) conversiontest.Option {
		return conversiontest.WithLoss[Slice](path, "nobody reads it")
	}
	r := roundTrip[Slice, SliceBeta](t, scheme, allow("devices[*].bindsToNode"), allow("devices[*].bind"), allow("devices[*].name"))
	assert.Equal(t, map[string]string{
		"devices[*].allowMultipleAllocations": "lost", "devices[*].bindingConditions": "lost",
	}, losses(t, r, "Slice"))
	assert.Len(t, losses(t, r, "SliceBeta"), 4, "these are fields of the other type")
	assert.Equal(t, "devices[*].bind of conversiontest_test.Slice is not lost any more: remove WithLoss\n"+
		"devices[*].name of conversiontest_test.Slice is not lost any more: remove WithLoss\n", r.log.String())

	r = roundTrip[Slice, SliceBeta](t, scheme, allow("devices"), conversiontest.WithLoss[SliceBeta]("devices[*].basic", "nobody reads it"))
	assert.False(t, r.failed, r.text.String())
	assert.Empty(t, r.log.String())
}

// Mode is an enumeration that Strict calls something else.
type Mode string

type Moded struct {
	Mode Mode `json:"mode"`
}

// Hub marks the version that others are converted to.
func (*Moded) Hub() {}

type Strict struct {
	Fast *bool `json:"fast"`
}

func (s *Strict) ConvertTo(h hub) error {
	h.(*Moded).Mode = map[bool]Mode{true: "Fast", false: "Slow"}[*s.Fast]
	return nil
}

func (s *Strict) ConvertFrom(h hub) error {
	mode := h.(*Moded).Mode
	if mode != "Fast" && mode != "Slow" {
		return errors.New("unknown mode")
	}
	s.Fast = new(mode == "Fast")
	return nil
}

// TestConversionsThatFail counts errors, and takes panics for errors. With valid values, there are none.
func TestConversionsThatFail(t *testing.T) {
	r := roundTrip[Moded, Strict](t, conversiontest.WithIterations(10))
	assert.Contains(t, r.text.String(), `conversiontest_test.Moded → conversiontest_test.Strict → conversiontest_test.Moded`+
		`: 10 of 10 conversions fail (seed 1), the first with ConvertFrom: unknown mode (iteration 0)
	object: {"mode":`)
	assert.Contains(t, r.text.String(), "conversions fail (seed 1), the first with panic: runtime error: invalid memory address or nil pointer dereference\n")
	assert.Contains(t, r.text.String(), "conversiontest_test.go:", "the stack")
	assert.Contains(t, r.text.String(), "\tobject: {\"fast\":null}")

	r = roundTrip[Moded, Strict](t, conversiontest.WithFuncs(
		func(m *Mode, c randfill.Continue) { *m = []Mode{"Fast", "Slow"}[c.Intn(2)] },
		func(s *Strict, c randfill.Continue) { s.Fast = new(c.Bool()) },
	))
	assert.False(t, r.failed, r.text.String())
}

// Internal is a hub without JSON: a field of it cannot be decoded.
type Internal struct {
	metav1.TypeMeta
	metav1.ObjectMeta

	Items []string
	Face  fmt.Stringer
}

// DeepCopyObject implements runtime.Object.
func (i *Internal) DeepCopyObject() runtime.Object { return new(*i) }

type External struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	Items []string `json:"items,omitempty"`
	Older string   `json:"older,omitempty"`
}

// DeepCopyObject implements runtime.Object.
func (e *External) DeepCopyObject() runtime.Object { return new(*e) }

type face struct{}

// String implements fmt.Stringer.
func (face) String() string { return "" }

// TestInternalHub converts through the version that has no JSON, whose empty lists are nil or not.
func TestInternalHub(t *testing.T) {
	scheme := runtime.NewScheme()
	scheme.AddKnownTypes(schema.GroupVersion{Group: "fleet.example.com", Version: runtime.APIVersionInternal}, &Internal{})
	scheme.AddKnownTypes(schema.GroupVersion{Group: "fleet.example.com", Version: "v1"}, &External{})
	must(scheme.AddConversionFunc(&Internal{}, &External{}, func(a, b any, _ conversion.Scope) error {
		from, to := a.(*Internal), b.(*External)
		to.ObjectMeta, to.Items = from.ObjectMeta, from.Items
		metav1.SetMetaDataAnnotation(&to.ObjectMeta, annotation, "x")
		return nil
	}))
	must(scheme.AddConversionFunc(&External{}, &Internal{}, func(a, b any, _ conversion.Scope) error {
		from, to := a.(*External), b.(*Internal)
		to.ObjectMeta, to.Items, to.Face = from.ObjectMeta, append([]string{}, from.Items...), face{}
		return nil
	}))
	r := roundTrip[Internal, External](t, conversiontest.WithScheme(scheme), conversiontest.WithFuncs(
		func(f *fmt.Stringer, _ randfill.Continue) { *f = face{} }))
	assert.Empty(t, losses(t, r, "Internal"), r.text.String())
	assert.Equal(t, map[string]string{"older": "lost"}, losses(t, r, "External"))
}

// TestMistakes checks the messages for arguments that cannot be tested.
func TestMistakes(t *testing.T) {
	type unfillable struct{ Channel chan int }
	half := json.RawMessage("{")
	_, refused := json.Marshal(&struct{ Raw json.RawMessage }{half}) // the text depends on the release of Go
	require.Error(t, refused)
	for _, test := range []struct {
		got  *recorder
		want string
	}{
		{roundTrip[*Forms, Old](t), "*conversiontest_test.Forms is no struct: use RoundTrip[v1.Robot, v1beta1.Robot]"},
		{roundTrip[Old, Forms](t), "conversiontest_test.Old is no hub: declare func (*Old) Hub() {}, or use WithScheme"},
		{
			roundTrip[Forms, Inlined](t), "*conversiontest_test.Inlined has no method ConvertTo(hub) error that takes a " +
				"*conversiontest_test.Forms: declare it, or use WithScheme",
		},
		{roundTrip[Forms, Old](t, conversiontest.WithIterations(0)), "0 iterations test nothing"},
		{roundTrip[Forms, Old](t, conversiontest.WithLoss[Old]("x", "")), "the loss of x has no reason"},
		{
			roundTrip[Forms, Old](t, conversiontest.WithLoss[Tree]("x", "y")), "the loss of x is one of conversiontest_test.Tree, " +
				"which is neither conversiontest_test.Forms nor conversiontest_test.Old",
		},
		{
			roundTrip[unfillable, Old](t, conversiontest.WithScheme(runtime.NewScheme())),
			"cannot fill *conversiontest_test.unfillable: can't fill type chan int, kind chan: fill the value with WithFuncs",
		},
		{
			roundTrip[Forms, Old](t, conversiontest.WithFuncs(func(raw *json.RawMessage, _ randfill.Continue) { *raw = half })),
			"cannot encode conversiontest_test.Forms: " + refused.Error() + ": fill the value with WithFuncs",
		},
	} {
		assert.Equal(t, test.want+"\n", test.got.text.String())
	}
	r := roundTrip[Slice, Moded](t, conversiontest.WithScheme(slices()), conversiontest.WithIterations(1))
	require.Contains(t, r.text.String(), "1 of 1 conversions fail (seed 1), the first with converting (conversiontest_test.Slice) to "+
		"(conversiontest_test.Moded): unknown conversion")
}
