package shards

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// format is the version of both annotations. A member that reads another version serves nothing.
const format = 1

// Statement is a member's report about itself, in an annotation of its own Lease.
type Statement struct {
	// Controllers are the names of the sharded controllers that the process has.
	Controllers []string
	// Lineage is the lineage of the map that the member follows; "" before it has seen one.
	Lineage string
	// Leaving is set when the process ends in order.
	Leaving bool
	// Acked has, by controller, the moves for which the member has drained a bucket. Opened has the buckets that it serves.
	Acked  map[string]*[Buckets]uint64
	Opened map[string]Set
}

type (
	mapJSON struct {
		Format   int          `json:"format"`
		Lineage  string       `json:"lineage,omitempty"`
		Revision uint64       `json:"revision,omitempty"`
		Slots    int          `json:"slots"`
		Members  []memberJSON `json:"members,omitempty"`
		Rows     []rowJSON    `json:"rows,omitempty"`
	}
	memberJSON struct {
		Identity string `json:"identity"`
		Slot     int    `json:"slot"`
		Version  uint64 `json:"version"`
	}
	rowJSON struct {
		Controllers []string `json:"controllers"`
		Buckets     string   `json:"buckets"`
	}
	statementJSON struct {
		Format      int       `json:"format"`
		Controllers []string  `json:"controllers,omitempty"`
		Lineage     string    `json:"lineage,omitempty"`
		Leaving     bool      `json:"leaving,omitempty"`
		Acked       []rowJSON `json:"acked,omitempty"`
		Opened      []rowJSON `json:"opened,omitempty"`
	}
)

var errFormat = errors.New("unknown format")

// Encode returns the annotation for a map. Buckets are ranges such as "0-63=0,64-127=0>1#9": held by the first member, and on the way to
// the second one since revision 9.
func (m *Map) Encode() string {
	encoded := mapJSON{Format: format, Lineage: m.Lineage, Revision: m.Revision, Slots: m.Slots}
	for _, member := range m.Members {
		encoded.Members = append(encoded.Members, memberJSON(member))
	}
	for i := range m.Rows {
		buckets := &m.Rows[i].Buckets
		encoded.Rows = append(encoded.Rows, rowJSON{m.Rows[i].Controllers, encodeRanges(
			func(b int) bool { return buckets[b] != unheld },
			func(a, b int) bool { return buckets[a] == buckets[b] },
			func(b int) string { return encodeBucket(buckets[b]) },
		)})
	}
	return mustEncode(encoded)
}

func encodeBucket(b Bucket) string {
	text := "=" + strconv.Itoa(int(b.Holder))
	switch b.Successor {
	case None:
		return text
	case Nobody:
		text += ">-"
	default:
		text += ">" + strconv.Itoa(int(b.Successor))
	}
	return text + "#" + strconv.FormatUint(b.Move, 10)
}

// DecodeMap reads the annotation of the coordinator's Lease.
func DecodeMap(text string) (*Map, error) {
	var encoded mapJSON
	if err := decode(text, &encoded, &encoded.Format); err != nil {
		return nil, err
	}
	m := &Map{Lineage: encoded.Lineage, Revision: encoded.Revision, Slots: encoded.Slots}
	for _, member := range encoded.Members {
		if member.Slot < 0 || member.Slot >= m.Slots {
			return nil, fmt.Errorf("slot %d: %w", member.Slot, errFormat)
		}
		m.Members = append(m.Members, Member(member))
	}
	for _, r := range encoded.Rows {
		row := newRow(r.Controllers...)
		if err := decodeRanges(r.Buckets, func(first, last int, value string) error {
			bucket, err := decodeBucket(value, len(m.Members))
			for b := first; b <= last; b++ {
				row.Buckets[b] = bucket
			}
			return err
		}); err != nil {
			return nil, err
		}
		m.Rows = append(m.Rows, row)
	}
	return m, nil
}

func decodeBucket(text string, members int) (Bucket, error) {
	text, ok := strings.CutPrefix(text, "=")
	holder, move, moves := strings.Cut(text, ">")
	index, err := decodeIndex(holder, members)
	if !ok || err != nil {
		return unheld, fmt.Errorf("holder %q: %w", text, errFormat)
	}
	bucket := heldBy(index)
	if !moves {
		return bucket, nil
	}
	successor, number, _ := strings.Cut(move, "#")
	if successor == "-" {
		bucket.Successor = Nobody
	} else if bucket.Successor, err = decodeIndex(successor, members); err != nil {
		return unheld, err
	}
	bucket.Move, err = strconv.ParseUint(number, 10, 64)
	return bucket, err
}

func decodeIndex(text string, members int) (Index, error) {
	index, err := strconv.Atoi(text)
	if err != nil || index < 0 || index >= members {
		return None, fmt.Errorf("member %q: %w", text, errFormat)
	}
	return Index(index), nil
}

// Encode returns the annotation for a statement.
func (s *Statement) Encode() string {
	encoded := statementJSON{Format: format, Controllers: s.Controllers, Lineage: s.Lineage, Leaving: s.Leaving}
	for _, controller := range s.Controllers {
		if moves := s.Acked[controller]; moves != nil {
			encoded.Acked = addRow(encoded.Acked, controller, encodeRanges(
				func(b int) bool { return moves[b] != 0 },
				func(a, b int) bool { return moves[a] == moves[b] },
				func(b int) string { return "#" + strconv.FormatUint(moves[b], 10) },
			))
		}
		if opened := s.Opened[controller]; !opened.Empty() {
			encoded.Opened = addRow(encoded.Opened, controller, encodeRanges(
				opened.Has, func(a, b int) bool { return opened.Has(a) == opened.Has(b) }, func(int) string { return "" },
			))
		}
	}
	return mustEncode(encoded)
}

// addRow adds ranges of a controller. Controllers with the same ranges share a row.
func addRow(rows []rowJSON, controller, ranges string) []rowJSON {
	if ranges == "" {
		return rows
	}
	if i := slices.IndexFunc(rows, func(r rowJSON) bool { return r.Buckets == ranges }); i >= 0 {
		rows[i].Controllers = append(rows[i].Controllers, controller)
		return rows
	}
	return append(rows, rowJSON{[]string{controller}, ranges})
}

// DecodeStatement reads the annotation of a member's Lease.
func DecodeStatement(text string) (*Statement, error) {
	var encoded statementJSON
	if err := decode(text, &encoded, &encoded.Format); err != nil {
		return nil, err
	}
	s := &Statement{
		Controllers: encoded.Controllers, Lineage: encoded.Lineage, Leaving: encoded.Leaving,
		Acked: map[string]*[Buckets]uint64{}, Opened: map[string]Set{},
	}
	for _, row := range encoded.Acked {
		moves := &[Buckets]uint64{}
		if err := decodeRanges(row.Buckets, func(first, last int, value string) error {
			move, err := strconv.ParseUint(strings.TrimPrefix(value, "#"), 10, 64)
			for b := first; b <= last; b++ {
				moves[b] = move
			}
			return err
		}); err != nil {
			return nil, err
		}
		for _, controller := range row.Controllers {
			s.Acked[controller] = moves
		}
	}
	for _, row := range encoded.Opened {
		var opened Set
		if err := decodeRanges(row.Buckets, func(first, last int, _ string) error {
			for b := first; b <= last; b++ {
				opened.Add(b)
			}
			return nil
		}); err != nil {
			return nil, err
		}
		for _, controller := range row.Controllers {
			s.Opened[controller] = opened
		}
	}
	return s, nil
}
