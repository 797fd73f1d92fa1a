package shards

import (
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/manager/internal/shards/balance"
)

// Index is the position of a member in Map.Members.
type Index = balance.Index

const (
	// None as a holder: no member serves the bucket. As a successor: the bucket stays where it is.
	None = balance.None
	// Nobody as a successor: the holder gives the bucket up, and no member can take it yet.
	Nobody Index = -2
)

// Map assigns the buckets of each controller to members. The coordinator writes it to an annotation of its Lease.
type Map struct {
	// Lineage names the member that created the map, and when. Revision grows with each change; it is 0 until the map is open.
	Lineage  string
	Revision uint64
	// Slots is the number of slots that its coordinator knows.
	Slots   int
	Members []Member
	Rows    []Row
}

// Member is a member that the map mentions.
type Member struct {
	Identity string
	Slot     int
	// Version is a resource version of the slot's Lease at which the member held it. Who has not seen that version yet cannot say that
	// the member is dead.
	Version uint64
}

// Row has the buckets of controllers that are distributed alike.
type Row struct {
	Controllers []string
	Buckets     [Buckets]Bucket
}

// Bucket is the place of a bucket. A bucket that moves has a holder, a successor, and the revision at which the move began: the holder
// acknowledges that revision when it has drained the bucket.
type Bucket struct {
	Holder, Successor Index
	Move              uint64
}

// unheld is a bucket that no member holds.
var unheld = Bucket{Holder: None, Successor: None}

// heldBy returns a bucket that a member holds.
func heldBy(member Index) Bucket { return Bucket{Holder: member, Successor: None} }

// moves reports whether a bucket is on the way.
func (b Bucket) moves() bool { return b.Successor != None }

// row returns the row of a controller, or nil.
func (m *Map) row(controller string) *Row {
	for i := range m.Rows {
		if slices.Contains(m.Rows[i].Controllers, controller) {
			return &m.Rows[i]
		}
	}
	return nil
}

// index returns the index of a member, or None.
func (m *Map) index(identity string) Index {
	for i, member := range m.Members {
		if member.Identity == identity {
			return Index(i)
		}
	}
	return None
}

// mentions reports whether a bucket is with a member or on the way to it.
func (m *Map) mentions(identity string) bool {
	index := m.index(identity)
	if index == None {
		return false
	}
	for i := range m.Rows {
		for _, bucket := range m.Rows[i].Buckets {
			if bucket.Holder == index || bucket.Successor == index {
				return true
			}
		}
	}
	return false
}

// newRow returns a row without holders.
func newRow(controllers ...string) Row {
	row := Row{Controllers: controllers}
	for i := range row.Buckets {
		row.Buckets[i] = unheld
	}
	return row
}

// compact joins rows that are equal, and removes members without a bucket.
func (m *Map) compact() {
	var rows []Row
	for _, row := range m.Rows {
		if i := slices.IndexFunc(rows, func(other Row) bool { return other.Buckets == row.Buckets }); i >= 0 {
			rows[i].Controllers = append(rows[i].Controllers, row.Controllers...)
			slices.Sort(rows[i].Controllers)
			continue
		}
		rows = append(rows, row)
	}
	m.Rows = rows
	to := make([]Index, len(m.Members))
	var members []Member
	for i, member := range m.Members {
		to[i] = None
		if m.mentions(member.Identity) {
			to[i] = Index(len(members))
			members = append(members, member)
		}
	}
	m.Members = members
	for i := range m.Rows {
		for b := range m.Rows[i].Buckets {
			bucket := &m.Rows[i].Buckets[b]
			if bucket.Holder >= 0 {
				bucket.Holder = to[bucket.Holder]
			}
			if bucket.Successor >= 0 {
				bucket.Successor = to[bucket.Successor]
			}
		}
	}
}

// same reports whether two maps differ in nothing but their revision.
func (m *Map) same(other *Map) bool {
	return m.Slots == other.Slots && slices.Equal(m.Members, other.Members) && slices.EqualFunc(m.Rows, other.Rows, func(a, b Row) bool {
		return a.Buckets == b.Buckets && slices.Equal(a.Controllers, b.Controllers)
	})
}
