package e2e

import (
	"bytes"
	"encoding/json"
	"math"
	"net"
	"net/netip"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/rest"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
	formsv1 "github.com/informer-gen-lite/informer-gen-lite/test/e2e/jsonforms/apis/forms/v1"
	formsv1ac "github.com/informer-gen-lite/informer-gen-lite/test/e2e/jsonforms/generated/applyconfiguration/forms/v1"
	"github.com/informer-gen-lite/informer-gen-lite/test/e2e/jsonforms/generated/clientset/versioned"
	"github.com/informer-gen-lite/informer-gen-lite/test/e2e/jsonforms/generated/clientset/versioned/fake"
	formsv1client "github.com/informer-gen-lite/informer-gen-lite/test/e2e/jsonforms/generated/clientset/versioned/typed/forms/v1"
)

// fieldManager is the manager of what TestJSONForms applies.
const fieldManager = "e2e"

// TestJSONForms writes objects with a field of every form that encoding/json treats in its own way. The fakes and the API server
// must hold the same JSON, which is that of the objects, and return the same objects.
func TestJSONForms(t *testing.T) {
	server := apiservertest.Start(t, apiservertest.Options{CRDPaths: []string{"testdata/jsonforms.yaml"}, AnyNamespace: true})
	clients := map[string]versioned.Interface{
		"NewSimpleClientset": fake.NewSimpleClientset(), "NewClientset": fake.NewClientset(), "NewStrictClientset": fake.NewStrictClientset(),
		"server": formsClient(t, server.Config()),
	}
	for name, client := range clients {
		t.Run(name, func(t *testing.T) {
			forms := client.FormsV1().Forms("shop")
			writeForms(t, forms)
			if name != "NewSimpleClientset" { // it does not manage fields
				applyForms(t, forms, name == "NewClientset")
			}
		})
	}
}

func formsClient(t *testing.T, config *rest.Config) versioned.Interface {
	t.Helper()
	httpClient, err := rest.HTTPClientFor(config)
	require.NoError(t, err)
	t.Cleanup(httpClient.CloseIdleConnections)
	client, err := versioned.NewForConfigAndClient(config, httpClient)
	require.NoError(t, err)
	return client
}

// writeForms creates and updates an object.
func writeForms(t *testing.T, forms formsv1client.FormInterface) {
	t.Helper()
	form, other := newForm(t, filler{seed: 1}), newForm(t, filler{seed: 2})
	created, err := forms.Create(t.Context(), form.DeepCopy(), metav1.CreateOptions{})
	require.NoError(t, err)
	assert.Equal(t, form.Spec, created.Spec)

	created.Spec = *other.Spec.DeepCopy()
	_, err = forms.Update(t.Context(), created, metav1.UpdateOptions{})
	require.NoError(t, err)
	updated, err := forms.Get(t.Context(), form.Name, metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, other.Spec, updated.Spec)
	assert.Equal(t, decoded(t, other.Spec), decoded(t, updated.Spec))

	updated.Status = *form.Status.DeepCopy()
	updated, err = forms.UpdateStatus(t.Context(), updated, metav1.UpdateOptions{})
	require.NoError(t, err)
	assert.Equal(t, form.Status, updated.Status)
	assert.Equal(t, other.Spec, updated.Spec)
}

// applyForms applies objects, and extracts what was applied. Without large numbers, it applies none that client-go's tracker rounds.
func applyForms(t *testing.T, forms formsv1client.FormInterface, noLargeNumbers bool) {
	t.Helper()
	options := metav1.ApplyOptions{FieldManager: fieldManager}
	for seed := range int64(2) {
		form := newForm(t, filler{seed: seed + 1, small: noLargeNumbers})
		configuration := formsv1ac.Form("applied", "shop")
		require.NoError(t, json.Unmarshal(marshal(t, map[string]any{"spec": form.Spec}), configuration))
		assert.Equal(t, decoded(t, form.Spec), decoded(t, configuration.Spec), "the builder holds every field")
		applied, err := forms.Apply(t.Context(), configuration, options)
		require.NoError(t, err)
		assert.Equal(t, form.Spec, applied.Spec)
		extracted, err := formsv1ac.ExtractForm(applied, fieldManager)
		require.NoError(t, err)
		assert.Equal(t, decoded(t, configuration), decoded(t, extracted))
	}

	status := formsv1ac.Form("applied", "shop").WithStatus(formsv1ac.FormStatus().WithAddress(netip.MustParseAddr("::1")).
		WithRate(formsv1ac.Rate().WithNumber(7)))
	applied, err := forms.ApplyStatus(t.Context(), status, options)
	require.NoError(t, err)
	assert.Equal(t, formsv1.FormStatus{Address: netip.MustParseAddr("::1"), Rate: &formsv1.Rate{Number: 7}}, applied.Status)
}

// TestUnsetForms encodes builders in which nothing is set.
func TestUnsetForms(t *testing.T) {
	assert.Equal(t, `{}`, string(marshal(t, formsv1ac.FormSpec())))
	assert.Equal(t, `{}`, string(marshal(t, formsv1ac.Encoded())))
	assert.JSONEq(t, `{"min":0,"ancestors":["a"]}`, string(marshal(t, formsv1ac.FormSpec().WithAncestors("a").WithMin(0))))
	// A type with its own JSON keeps what its fields do not express.
	var rate formsv1ac.RateApplyConfiguration
	require.NoError(t, json.Unmarshal([]byte(`"fast"`), &rate))
	assert.Equal(t, `"fast"`, string(marshal(t, rate)))
	assert.Equal(t, `7`, string(marshal(t, formsv1ac.Rate().WithNumber(7))))
}

// TestLargeNumbers writes a number above 2^63-1, which a server decodes as a floating-point number and rejects.
func TestLargeNumbers(t *testing.T) {
	server := apiservertest.Start(t, apiservertest.Options{CRDPaths: []string{"testdata/jsonforms.yaml"}, AnyNamespace: true})
	form := &formsv1.Form{ObjectMeta: metav1.ObjectMeta{Name: "large"}, Spec: formsv1.FormSpec{Uint64: math.MaxUint64}}
	for name, client := range map[string]versioned.Interface{
		"NewStrictClientset": fake.NewStrictClientset(), "server": formsClient(t, server.Config()),
	} {
		_, err := client.FormsV1().Forms("shop").Create(t.Context(), form.DeepCopy(), metav1.CreateOptions{})
		assert.True(t, apierrors.IsInvalid(err), name)
		assert.ErrorContains(t, err, `spec.uint64: Invalid value: "number": spec.uint64 in body must be of type integer: "number"`, name)
	}
	_, err := fake.NewClientset().FormsV1().Forms("shop").Create(t.Context(), form, metav1.CreateOptions{})
	assert.NoError(t, err, "it does not validate")
}

// marshal returns the JSON of a value.
func marshal(t *testing.T, value any) []byte {
	t.Helper()
	data, err := json.Marshal(value)
	require.NoError(t, err)
	return data
}

// decoded returns the JSON of a value as maps and slices.
func decoded(t *testing.T, value any) (result any) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(marshal(t, value)))
	decoder.UseNumber()
	require.NoError(t, decoder.Decode(&result))
	return result
}

// newForm returns an object with a value in every field of its JSON.
func newForm(t *testing.T, f filler) *formsv1.Form {
	t.Helper()
	filled := &formsv1.Form{ObjectMeta: metav1.ObjectMeta{Name: "form", Namespace: "shop"}}
	f.fill(reflect.ValueOf(&filled.Spec).Elem())
	f.fill(reflect.ValueOf(&filled.Status).Elem())
	form := &formsv1.Form{}
	require.NoError(t, json.Unmarshal(marshal(t, filled), form)) // some types also hold how they were created
	assert.Equal(t, decoded(t, filled), decoded(t, form))
	return form
}

// filler sets all fields of structs.
type filler struct {
	// seed determines the values.
	seed int64
	// small is true if integers fit into floating-point numbers.
	small bool
}

// values returns values of the types that are not filled by their structure.
func (f filler) values() []any {
	least, largest := int64(math.MinInt64), uint64(math.MaxInt64)
	if f.small {
		least, largest = -1<<53, 1<<53
	}
	at := metav1.NewTime(time.Unix(1700000000+f.seed, 0))
	return []any{
		netip.AddrFrom4([4]byte{10, 0, 0, byte(f.seed)}), netip.PrefixFrom(netip.AddrFrom4([4]byte{10, 0, 0, 0}), int(7+f.seed)),
		net.IPv4(10, 0, 0, byte(f.seed)), formsv1.Mode(f.seed), formsv1.Rate{Text: string(rune('p' + f.seed))},
		json.RawMessage(`{"a":[` + string(rune('0'+f.seed)) + `,"x"]}`), json.Number("1." + string(rune('0'+f.seed))),
		at, metav1.NewMicroTime(at.Add(time.Microsecond)), metav1.Duration{Duration: time.Duration(f.seed) * time.Second},
		*resource.NewQuantity(f.seed, resource.DecimalSI), intstr.FromString(string(rune('a' + f.seed))),
		runtime.RawExtension{Raw: []byte(`{"kind":"` + string(rune('A'+f.seed)) + `"}`)},
		largest - uint64(f.seed), least + f.seed, float32(1.5) + float32(f.seed), 0.1 + float64(f.seed),
	}
}

func (f filler) fill(v reflect.Value) {
	for _, value := range f.values() {
		if v.Type() == reflect.TypeOf(value) {
			v.Set(reflect.ValueOf(value))
			return
		}
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem())
	case reflect.Struct:
		for field := range v.Type().Fields() {
			if field.Tag.Get("json") != "-" && (field.IsExported() || field.Anonymous) {
				f.fill(v.FieldByIndex(field.Index))
			}
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		f.fill(v.Index(0))
	case reflect.Array:
		for i := range v.Len() {
			f.fill(v.Index(i))
		}
	case reflect.Map:
		key, element := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		f.fill(key)
		f.fill(element)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, element)
	case reflect.String:
		v.SetString(string(rune('a' + f.seed)))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int32, reflect.Int64:
		v.SetInt(f.seed)
	case reflect.Uint8, reflect.Uint32:
		v.SetUint(uint64(f.seed))
	default:
		panic("no value for " + v.Type().String()) //nolint:forbidigo // a new field needs a case
	}
}
