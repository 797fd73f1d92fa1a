// Package arcs divides the objects of a kind by a hash of 64 bits, as API servers with shard selectors do (KEP-5866).
package arcs

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Arc is the hashes from First to Last, both included.
type Arc struct{ First, Last uint64 }

// Set is a set of hashes: arcs in order that neither overlap nor touch. It is never modified.
type Set []Arc

// All has every hash.
var All = Set{{0, math.MaxUint64}}

// New returns the set of all hashes in arcs.
func New(arcs ...Arc) Set {
	sorted := slices.SortedFunc(slices.Values(arcs), func(a, b Arc) int { return cmp.Compare(a.First, b.First) })
	set := Set{}
	for _, arc := range sorted {
		last := len(set) - 1
		if last >= 0 && (arc.First <= set[last].Last || arc.First == set[last].Last+1) {
			set[last].Last = max(set[last].Last, arc.Last)
			continue
		}
		set = append(set, arc)
	}
	return set
}

// String returns the numbers of the buckets, such as "0-63,128-191", or the hashes if arcs are not made of whole buckets. The empty set is
// "none".
func (s Set) String() string {
	format := "%d"
	for _, arc := range s {
		if arc.First<<8 != 0 || arc.Last|0xff<<56 != math.MaxUint64 {
			format = "0x%016x"
		}
	}
	var words []string
	for _, arc := range s {
		first, last := arc.First, arc.Last
		if format == "%d" {
			first, last = first>>56, last>>56
		}
		word := fmt.Sprintf(format, first)
		if first != last {
			word += "-" + fmt.Sprintf(format, last)
		}
		words = append(words, word)
	}
	return cmp.Or(strings.Join(words, ","), "none")
}

// IsAll reports whether the set has every hash.
func (s Set) IsAll() bool { return len(s) == 1 && s[0] == All[0] }

// Has reports whether a hash is in the set.
func (s Set) Has(hash uint64) bool {
	return slices.ContainsFunc(s, func(arc Arc) bool { return arc.First <= hash && hash <= arc.Last })
}

// And returns the hashes that are in both sets.
func (s Set) And(other Set) Set {
	both := Set{}
	for _, a := range s {
		for _, b := range other {
			if arc := (Arc{max(a.First, b.First), min(a.Last, b.Last)}); arc.First <= arc.Last {
				both = append(both, arc)
			}
		}
	}
	return both
}

// Minus returns the hashes that are not in the other set.
func (s Set) Minus(other Set) Set {
	rest := Set{}
	for _, arc := range s {
		next, done := arc.First, false
		for _, gap := range (Set{arc}).And(other) {
			if gap.First > next {
				rest = append(rest, Arc{next, gap.First - 1})
			}
			next, done = gap.Last+1, gap.Last == arc.Last
		}
		if !done {
			rest = append(rest, Arc{next, arc.Last})
		}
	}
	return rest
}

// Union returns the hashes that are in any of the sets.
func Union(sets ...Set) Set { return New(slices.Concat(sets...)...) }
