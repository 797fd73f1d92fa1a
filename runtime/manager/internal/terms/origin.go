package terms

import (
	"context"
	"slices"
)

// key is the key of origins in contexts.
type key struct{}

// origin says whom a request belongs to: a term, or, without one, the process, whether it leads or not.
type origin struct{ term *Term }

// OfProcess returns a context for work that a process does whether it leads or not.
func OfProcess(ctx context.Context) context.Context { return context.WithValue(ctx, key{}, origin{}) }

// Writing reports whether a request with the context may write, and returns the terms at whose end it must be canceled. A request that
// belongs to a term may, while that term lasts. So may the requests of the process. Of others nobody knows what they belong to. They may
// while the process leads in one of the seats, or has never led, but not while a term ends: they may be of that.
func Writing(ctx context.Context, seats []*Seat) (until []*Term, ok bool) {
	from, known := ctx.Value(key{}).(origin)
	switch {
	case known && from.term == nil:
		return nil, true
	case known:
		return []*Term{from.term}, from.term.Allows()
	}
	var states []state
	for _, seat := range seats {
		one := seat.state()
		states = append(states, one)
		if one == leads {
			until = append(until, seat.Last())
		}
	}
	if slices.Contains(states, ending) {
		return nil, false
	}
	return until, len(until) > 0 || !slices.Contains(states, hasLed)
}
