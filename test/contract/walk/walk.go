package walk

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
)

// Walk compares two clientsets. Each round uses its own namespace, so that differences can be reproduced with few requests.
type Walk struct {
	Server versioned.Interface
	// Fake returns the fake for a round.
	Fake func() versioned.Interface
	// Prefix is the prefix of namespace names.
	Prefix string

	rounds atomic.Int64
}

// Difference is a minimal sequence of requests after which both sides differ.
type Difference struct {
	Requests []string
	// Server and Fake are the last observations of each side.
	Server, Fake string
}

func (d *Difference) String() string {
	return fmt.Sprintf("%s\nserver: %s\nfake:   %s", strings.Join(d.Requests, "\n"), d.Server, d.Fake)
}

// attempts is the number of replays before a round counts as different. Managed fields are sorted by time in seconds, and an
// apply that changes only their order is a write. If a new second begins between the requests to server and fake, the orders may
// differ; a replay does not reproduce that.
const attempts = 3

// Round sends length random requests derived from seed. It returns the first difference, with as few requests as possible, or
// nil.
func (w *Walk) Round(ctx context.Context, seed uint64, length int) *Difference {
	ops := round(rand.New(rand.NewPCG(seed, 0)), length) //nolint:gosec // not a secret
	var difference *Difference
	for range attempts {
		if difference = w.replay(ctx, ops); difference == nil {
			return nil
		}
	}
	return w.shrink(ctx, ops[:min(len(difference.Requests), len(ops))], difference)
}

// shrink removes requests as long as a difference remains.
func (w *Walk) shrink(ctx context.Context, ops []op, difference *Difference) *Difference {
	for size := len(ops) / 2; size > 0; size /= 2 {
		for from := 0; from+size <= len(ops); {
			fewer := slices.Delete(slices.Clone(ops), from, from+size)
			if smaller := w.replay(ctx, fewer); smaller != nil {
				ops, difference = fewer[:min(len(smaller.Requests), len(fewer))], smaller
				continue
			}
			from += size
		}
	}
	return difference
}

// replay sends requests to both sides in a new namespace.
func (w *Walk) replay(ctx context.Context, ops []op) *Difference {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	namespace := fmt.Sprintf("%s-%d", w.Prefix, w.rounds.Add(1))
	server, fake := newSide(w.Server, namespace), newSide(w.Fake(), namespace)
	var requests []string
	for i, o := range ops {
		a, b := server.do(ctx, o), fake.do(ctx, o)
		requests = append(requests, fmt.Sprintf("%3d %s: %s", i, o, brief(a)))
		if a != b {
			return &Difference{requests, a, b}
		}
	}
	requests = append(requests, "the end")
	a, b := server.end(ctx), fake.end(ctx)
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			return &Difference{requests, a[i], strings.Join(b[min(i, len(b)):min(i+1, len(b))], "\n")}
		}
	}
	return nil
}

// brief returns the beginning of an observation.
func brief(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line[:min(len(line), 240)]
}
