//nolint:recvcheck,staticcheck,unused // encoding/json treats these forms in its own way
package gotype_test

import (
	"encoding/json"
	"math/big"
	"net"
	"net/netip"
	"time"
)

// Structs whose fields encoding/json selects by its rules. The test reads this file.
type (
	// forms are the structs.
	forms struct {
		Plain       struct{ plainFields }
		Promoted    struct{ promoted }
		Conflict    struct{ conflict }
		TaggedWins  struct{ taggedWins }
		Shallow     struct{ shallow }
		Twice       struct{ twice }
		TwiceNested struct{ twiceNested }
		Itself      struct{ itself }
		Embedded    struct{ embedded }
	}

	plainFields struct {
		Untagged string
		Empty    string `json:""`
		Named    string `json:"named"`
		Omitted  string `json:"-"`
		Dash     string `json:"-,"`
		Other    string `yaml:"other"`
		Slashed  string `json:"a/b.c-d"`
		Inline   Second `json:",inline"`
		Zero     int    `json:"zero,omitzero"`
		hidden   string
	}

	First  struct{ A, B string }
	Second struct{ B, C string }
	Third  struct {
		B string `json:"B"`
		D string
	}
	Fourth struct {
		First
		E string
	}
	Fifth struct {
		First
		F string
	}
	Text    string
	lower   struct{ L string }
	lowText string
	Array   [2]int
	Face    interface{ Method() }

	promoted struct {
		First
		*Second `json:",inline"`
		lower
	}
	conflict struct {
		First
		Second
	}
	taggedWins struct {
		First
		Third
	}
	shallow struct {
		First
		Third
		B string
		C string `json:"A"`
	}
	twice struct {
		Fourth
		Fifth
	}
	twiceNested struct {
		X struct{ Fourth }
		Fourth
		*First
	}
	itself struct {
		*Second
		itselfToo
		G string
	}
	itselfToo struct {
		H string
	}
	embedded struct {
		Text
		Array `json:",inline"`
		lowText
		Face
		First `json:"first"`
		lower `json:"lower"`
	}
)

// Types with their own encoding, and what embeds them.
type (
	encodings struct {
		Structured struct{ A string }
		Duration   time.Duration
		Time       time.Time
		Raw        json.RawMessage
		Big        big.Int
		Address    netip.Addr
		IP         net.IP
		Pointer    *netip.Addr
		Value      byValue
		Reference  byPointer
		Both       both
		Promoted   promotes
		Deep       struct{ promotes }
		Hidden     hides
		Ambiguous  ambiguous
		Shadowed   shadowed
		Interface  marshals
		Generic    generic[int]
		Wrong      wrong
		Decodes    decodes
		Number     json.Number
	}

	byValue   struct{ N int }
	byPointer struct{ N int }
	both      struct{ N int }
	text      struct{ N int }
	promotes  struct {
		*byPointer
		M int
	}
	hides struct {
		byValue
		MarshalJSON int
	}
	ambiguous struct {
		byValue
		byPointer
	}
	shadowed struct {
		text
	}
	marshals       interface{ MarshalText() ([]byte, error) }
	generic[T any] struct{ Value T }
	wrong          struct{ N int }
	decodes        struct{ N int }
)

func (byValue) MarshalJSON() ([]byte, error)    { return nil, nil }
func (*byPointer) MarshalJSON() ([]byte, error) { return nil, nil }
func (text) MarshalText() ([]byte, error)       { return nil, nil }
func (both) MarshalText() ([]byte, error)       { return nil, nil }
func (*both) MarshalJSON() ([]byte, error)      { return nil, nil }
func (shadowed) MarshalText() string            { return "" }
func (generic[T]) MarshalText() ([]byte, error) { return nil, nil }
func (wrong) MarshalText() string               { return "" }
func (*decodes) UnmarshalJSON([]byte) error     { return nil }
