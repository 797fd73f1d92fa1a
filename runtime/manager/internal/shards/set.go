package shards

import (
	"math/bits"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/manager/internal/shards/balance"
)

// Buckets is the number of buckets. The bucket of an object is the highest byte of the 64-bit FNV-1a hash of its UID.
const Buckets = balance.Buckets

// Set is a set of buckets.
type Set [Buckets / 64]uint64

// Range is the buckets from First to Last, both included.
type Range = balance.Range

// Add adds a bucket.
func (s *Set) Add(bucket int) { s[bucket/64] |= 1 << (bucket % 64) }

// Has reports whether a bucket is in the set.
func (s *Set) Has(bucket int) bool { return s[bucket/64]&(1<<(bucket%64)) != 0 }

// Empty reports whether the set has no bucket.
func (s *Set) Empty() bool { return *s == Set{} }

// Len returns the number of buckets.
func (s *Set) Len() int {
	n := 0
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return n
}

// Arcs returns the buckets as the fewest ranges, in order.
func (s *Set) Arcs() []Range {
	var arcs []Range
	for bucket := 0; bucket < Buckets; bucket++ {
		if !s.Has(bucket) {
			continue
		}
		first := bucket
		for bucket+1 < Buckets && s.Has(bucket+1) {
			bucket++
		}
		arcs = append(arcs, Range{First: first, Last: bucket})
	}
	return arcs
}

// all is the set of all buckets.
var all = Set{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}

func (s *Set) union(other Set) {
	for i := range s {
		s[i] |= other[i]
	}
}

func (s *Set) remove(other Set) {
	for i := range s {
		s[i] &^= other[i]
	}
}

func (s *Set) intersect(other Set) {
	for i := range s {
		s[i] &= other[i]
	}
}
