//nolint:staticcheck // the name - is one of the forms
package codec

import (
	"encoding/json"
	"maps"
	"math"
	"net"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/managedfields"
)

// mode is encoded as text.
type mode int

func (m mode) MarshalText() ([]byte, error) { return []byte{'a' + byte(m)}, nil }

func (m *mode) UnmarshalText(text []byte) error { *m = mode(text[0] - 'a'); return nil }

// forms has fields that the converter of apimachinery does not support.
type forms struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Base

	Address netip.Addr      `json:"address,omitzero"`
	IP      net.IP          `json:"ip,omitempty"`
	Mode    mode            `json:"mode,omitempty"`
	Axes    [3]int32        `json:"axes,omitzero"`
	Ports   map[int]string  `json:"ports,omitempty"`
	Modes   map[mode]int    `json:"modes,omitempty"`
	Ratio   json.Number     `json:"ratio,omitempty"`
	Serial  *int64          `json:"serial,omitempty,string"`
	Large   uint64          `json:"large,omitempty"`
	Raw     json.RawMessage `json:"raw,omitempty"`
	Dash    bool            `json:"-,"`
	Bytes   []byte          `json:"bytes,omitempty"`
}

type Base struct {
	Untagged string
	Mode     string `json:"mode"` // hidden
}

func (f *forms) DeepCopyObject() runtime.Object { copied := *f; return &copied }

func TestForms(t *testing.T) {
	scheme := runtime.NewScheme()
	kind := thingKind.GroupVersion().WithKind("forms")
	scheme.AddKnownTypes(kind.GroupVersion(), &forms{})
	k := New(nil).Add(Description{GroupVersionKind: kind, Resource: "forms"}, scheme, managedfields.NewDeducedTypeConverter())
	object := &forms{
		Base: Base{Untagged: "x"}, Address: netip.MustParseAddr("10.0.0.1"), IP: net.IPv4(10, 0, 0, 1).To16(), Mode: 1, Axes: [3]int32{1, 2, 3},
		Ports: map[int]string{80: "http"}, Modes: map[mode]int{2: 3}, Ratio: "1.5", Serial: new(int64(math.MaxInt64)), Large: math.MaxInt64,
		Raw: json.RawMessage(`{"a":[1]}`), Dash: true, Bytes: []byte("text"),
	}
	object.SetGroupVersionKind(kind)
	u, err := k.Encode(object)
	require.NoError(t, err)
	assert.Empty(t, k.Schema().Prune(u.Object))
	assert.Empty(t, k.Schema().Validate(u.Object, nil, ""))
	decoded, err := k.Decode(u)
	require.NoError(t, err)
	assert.Equal(t, object, decoded)

	nulls := map[string]any{}
	for name := range u.Object {
		nulls[name] = nil
	}
	types := map[string]string{}
	for _, err := range k.Schema().Validate(nulls, nil, "") {
		types[err.Field] = strings.TrimSuffix(strings.TrimPrefix(err.Detail, " in body must be of type "), `: "null"`)
	}
	assert.Equal(t, map[string]string{
		"apiVersion": "string", "kind": "string", "address": "string", "axes": "array", "bytes": "string", "ip": "string", "large": "integer",
		"mode": "string", "modes": "object", "ports": "object", "ratio": "number", "serial": "string",
	}, types)

	for path, want := range map[string]struct {
		value any
		text  string
	}{
		"large":   {float64(math.MaxUint64), `large: Invalid value: "number": large in body must be of type integer: "number"`},
		"axes":    {"x", `axes: Invalid value: "string": axes in body must be of type array: "string"`},
		"-":       {map[string]any{}, `-: Invalid value: "object": - in body must be of type boolean: "object"`},
		"bytes":   {true, `bytes: Invalid value: "boolean": bytes in body must be of type string: "boolean"`},
		"address": {"x", `<nil>: Invalid value: "": ParseAddr("x"): unable to parse IP`},
	} {
		wrong := u.DeepCopy()
		wrong.Object[path] = want.value
		_, err = k.Decode(wrong)
		assert.EqualError(t, DecodeErrors(err).ToAggregate(), want.text)
	}
}

// TestFieldsOf compares with encoding/json.
func TestFieldsOf(t *testing.T) {
	type first struct{ A, B string }
	type second struct {
		B string `json:"B"`
		C string
	}
	type third struct{ A string }
	type text string
	type twice struct{ first }
	type again struct{ first }
	for _, value := range []any{
		struct {
			first
			second
		}{},
		struct {
			first
			third
		}{},
		struct {
			*first
			A int `json:"b"`
		}{first: &first{}},
		struct {
			twice
			again
			text
			N struct{ first } `json:",inline"`
		}{},
		struct {
			O string `json:"-"`
			D string `json:"-,"`
			e string
		}{e: ""},
	} {
		data, err := json.Marshal(value)
		require.NoError(t, err)
		var want map[string]any
		require.NoError(t, json.Unmarshal(data, &want))
		got := slices.Collect(maps.Keys(fieldsOf(reflect.TypeOf(value))))
		assert.ElementsMatch(t, slices.Collect(maps.Keys(want)), got, string(data))
	}
}
