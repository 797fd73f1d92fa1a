// Package v1 has a kind with a field of every form that encoding/json treats in its own way.
//
// +groupName=forms.example.com
// +k8s:deepcopy-gen=package
package v1

import (
	"encoding/json"
	"net"
	"net/netip"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/informer-gen-lite/informer-gen-lite/test/e2e/jsonforms/policy"
)

// Form has a field of every form.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Form struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   FormSpec   `json:"spec,omitempty"`
	Status FormStatus `json:"status,omitempty"`
}

// FormSpec has fields that are written as their types say, and embedded structs.
type FormSpec struct {
	Common
	*Tuning `json:",inline"`
	limits
	policy.Status `json:",inline"`
	Box[Label]
	Label
	Named `json:"named,omitempty"`

	Bool    bool    `json:"bool,omitempty"`
	Int8    int8    `json:"int8,omitempty"`
	Int64   int64   `json:"int64,omitempty"`
	Uint8   uint8   `json:"uint8,omitempty"`
	Uint32  uint32  `json:"uint32,omitempty"`
	Uint64  uint64  `json:"uint64,omitempty"`
	Float32 float32 `json:"float32,omitempty"`
	Float64 float64 `json:"float64,omitempty"`
	String  string  `json:"string,omitempty"`
	Pointer *string `json:"pointer,omitempty"`

	QuotedInt    int64  `json:"quotedInt,omitempty,string"`
	QuotedBool   *bool  `json:"quotedBool,omitempty,string"`
	QuotedString string `json:"quotedString,omitempty,string"`
	Dash         string `json:"-,"`
	Empty        string `json:""`
	Zero         Part   `json:"zero,omitzero"`
	Never        string `json:"-"`
	Untagged     string

	Array    [3]int32          `json:"array,omitzero"`
	Octets   [4]byte           `json:"octets,omitzero"`
	Bytes    []byte            `json:"bytes,omitempty"`
	Blob     Blob              `json:"blob,omitempty"`
	Parts    []Part            `json:"parts,omitempty"`
	Pointers []*Part           `json:"pointers,omitempty"`
	Ports    map[int]string    `json:"ports,omitempty"`
	Modes    map[Mode]Part     `json:"modes,omitempty"`
	Labels   map[string]string `json:"labels,omitempty"`
	// +listType=map
	// +listMapKey=name
	Keyed []Part `json:"keyed,omitempty"`

	Encoded Encoded `json:"encoded,omitempty"`
}

// Encoded has fields whose types have methods MarshalJSON or MarshalText.
type Encoded struct {
	Address   netip.Addr           `json:"address,omitzero"`
	Prefix    *netip.Prefix        `json:"prefix,omitempty"`
	IP        net.IP               `json:"ip,omitempty"`
	Mode      Mode                 `json:"mode,omitempty"`
	Modes     []Mode               `json:"modes,omitempty"`
	Rate      Rate                 `json:"rate,omitzero"`
	Rates     []Rate               `json:"rates,omitempty"`
	Limit     *Limit               `json:"limit,omitempty"`
	Raw       json.RawMessage      `json:"raw,omitempty"`
	Number    json.Number          `json:"number,omitempty"`
	Time      metav1.Time          `json:"time,omitzero"`
	MicroTime *metav1.MicroTime    `json:"microTime,omitempty"`
	Duration  metav1.Duration      `json:"duration,omitzero"`
	Stamp     *Stamp               `json:"stamp,omitempty"`
	Quantity  resource.Quantity    `json:"quantity,omitzero"`
	Port      intstr.IntOrString   `json:"port,omitzero"`
	Extension runtime.RawExtension `json:"extension,omitzero"`
}

// Common is embedded without a tag.
type Common struct {
	Paused bool `json:"paused,omitempty"`
	// Int8 is hidden by that of FormSpec.
	Int8 string `json:"int8,omitempty"`
}

// Tuning is embedded by a pointer.
type Tuning struct {
	Speed *int32 `json:"speed,omitempty"`
}

// limits is not exported, but its fields are.
type limits struct {
	Min int32 `json:"min"`
	Max int32 `json:"max"`
}

// Box is generic.
type Box[T ~string] struct {
	Content []T `json:"content,omitempty"`
}

// Label is embedded, but not a struct.
type Label string

// Named is embedded with a name.
type Named struct {
	Note string `json:"note,omitempty"`
}

// Blob is written in base64.
type Blob []byte

// Part is a part.
type Part struct {
	Name string `json:"name"`
	Size int64  `json:"size,omitempty"`
}

// Mode is written as text.
type Mode int

// MarshalText implements encoding.TextMarshaler.
func (m Mode) MarshalText() ([]byte, error) { return []byte{'a' + byte(m)}, nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (m *Mode) UnmarshalText(text []byte) error {
	*m = Mode(text[0] - 'a')
	return nil
}

// Rate is written as a number or a string.
type Rate struct {
	Number int64  `json:"number"`
	Text   string `json:"-"`
}

// MarshalJSON implements json.Marshaler.
func (r Rate) MarshalJSON() ([]byte, error) {
	if r.Text != "" {
		return json.Marshal(r.Text)
	}
	return json.Marshal(r.Number)
}

// UnmarshalJSON implements json.Unmarshaler.
func (r *Rate) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, &r.Number) == nil {
		return nil
	}
	return json.Unmarshal(data, &r.Text)
}

// Limit is written as an array, by methods of the pointer.
type Limit struct {
	Low, High int64
}

// MarshalJSON implements json.Marshaler.
func (l *Limit) MarshalJSON() ([]byte, error) { return json.Marshal([]int64{l.Low, l.High}) }

// UnmarshalJSON implements json.Unmarshaler.
func (l *Limit) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]*int64{&l.Low, &l.High})
}

// Stamp is written as the time that it embeds.
type Stamp struct {
	metav1.Time `json:",inline"`
}

// FormStatus is a subresource.
type FormStatus struct {
	Ready   bool       `json:"ready,omitempty"`
	Address netip.Addr `json:"address,omitzero"`
	Rate    *Rate      `json:"rate,omitempty"`
}

// FormList is a list of forms.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type FormList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Form `json:"items"`
}
