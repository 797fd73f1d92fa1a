package contract

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/util/retry"

	edgev1alpha1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/edge/v1alpha1"
)

// workers is the number of goroutines in a probe.
const workers = 8

// together runs f concurrently in all workers, and records how often each result occurred.
func (p *P) together(label string, f func(worker int) error) {
	var running sync.WaitGroup
	var mu sync.Mutex
	results := map[string]int{}
	start := make(chan struct{})
	for i := range workers {
		running.Go(func() {
			<-start
			err := f(i)
			result := "ok"
			if err != nil {
				result = string(apierrors.ReasonForError(err))
			}
			mu.Lock()
			results[result]++
			mu.Unlock()
		})
	}
	close(start)
	running.Wait()
	p.printf("%s: %v", label, results) // fmt sorts the keys
}

// increment adds one to the MTU of relay a. It retries after conflicts.
func (p *P) increment() error {
	backoff := retry.DefaultBackoff
	backoff.Steps = 100
	return retry.RetryOnConflict(backoff, func() error {
		r, err := p.relays().Get(p.ctx, "a", get)
		if err != nil {
			return err
		}
		r.Spec.MTU++
		_, err = p.relays().Update(p.ctx, r, update)
		return err
	})
}

var concurrencyProbes = group("concurrency",
	probe("create-same-name", func(p *P) {
		p.together("create", func(int) error {
			_, err := p.relays().Create(p.ctx, relay("a"), create)
			return err
		})
	}),
	probe("create-generated-names", func(p *P) {
		p.together("create", func(int) error {
			_, err := p.relays().Create(p.ctx, relay("", func(r *edgev1alpha1.Relay) { r.GenerateName = "a-" }), create)
			return err
		})
		list, err := p.relays().List(p.ctx, all)
		p.must("list", err)
		p.printf("%d items", len(list.Items))
	}),
	probe("update-same-version", func(p *P) {
		r := p.add("a")
		p.together("update", func(int) error {
			_, err := p.relays().Update(p.ctx, r.DeepCopy(), update)
			return err
		})
		p.together("update with a change", func(worker int) error {
			sent := r.DeepCopy()
			sent.Spec.MTU = int32(2000 + worker)
			_, err := p.relays().Update(p.ctx, sent, update)
			return err
		})
		p.show("generation", p.read("a").Generation)
	}),
	probe("increment", func(p *P) {
		p.add("a")
		p.together("increment", func(int) error { return p.increment() })
		r := p.read("a")
		p.printf("mtu=%d generation=%d", r.Spec.MTU, r.Generation)
	}),
	probe("patches-of-one-map", func(p *P) {
		p.add("a")
		p.together("patch", func(worker int) error {
			patch := fmt.Sprintf(`{"metadata":{"labels":{"w%d":"x"}}}`, worker)
			_, err := p.relays().Patch(p.ctx, "a", types.MergePatchType, []byte(patch), metav1.PatchOptions{})
			return err
		})
		p.printf("%d labels", len(p.read("a").Labels))
	}),
	probe("appliers", func(p *P) {
		p.together("apply", func(worker int) error {
			c := p.config("a", spec().WithHints(map[string]string{fmt.Sprintf("w%d", worker): "x"}))
			_, err := p.relays().Apply(p.ctx, c, as(fmt.Sprintf("w%d", worker)))
			return err
		})
		r := p.read("a")
		p.printf("%d hints, %d managers", len(r.Spec.Hints), len(r.ManagedFields))
	}),
	probe("delete-same", func(p *P) {
		p.add("a")
		p.together("delete", func(int) error { return p.relays().Delete(p.ctx, "a", remove) })
	}),
	probe("delete-same-with-finalizer", func(p *P) {
		p.add("a", finalized(finalizer))
		p.together("delete", func(int) error { return p.relays().Delete(p.ctx, "a", remove) })
		p.show("generation", p.read("a").Generation)
	}),
	probe("status-and-spec", func(p *P) {
		r := p.add("a")
		setTunnels("x")(r)
		_, err := p.relays().UpdateStatus(p.ctx, r, update)
		p.must("update status", err)
		p.together("patch", func(worker int) error {
			if worker%2 == 0 {
				_, err := p.relays().Patch(p.ctx, "a", types.MergePatchType, fmt.Appendf(nil, `{"spec":{"hints":{"w%d":"x"}}}`, worker), metav1.PatchOptions{})
				return err
			}
			_, err := p.relays().Patch(p.ctx, "a", types.JSONPatchType,
				fmt.Appendf(nil, `[{"op":"add","path":"/status/tunnels/-","value":"w%d"}]`, worker), metav1.PatchOptions{}, "status")
			return err
		})
		r = p.read("a")
		p.printf("%d hints, %d tunnels, generation %d", len(r.Spec.Hints), len(r.Status.Tunnels), r.Generation)
	}),
	probe("watch-sees-all", func(p *P) {
		w := p.since(all)
		p.together("create", func(worker int) error {
			_, err := p.relays().Create(p.ctx, relay(fmt.Sprintf("r%d", worker)), create)
			return err
		})
		last, increasing, added := "0", true, 0
		for range workers {
			event, missing := w.receive()
			if missing != "" {
				p.printf("watch: %s", missing)
				break
			}
			version := relayOf(event).ResourceVersion
			increasing = increasing && compare(last, version) == "newer"
			last = version
			if event.Type == watch.Added {
				added++
			}
		}
		p.printf("%d added, versions increase: %t", added, increasing)
	}),
	probe("watchers-agree", func(p *P) {
		var streams []*stream
		for range workers {
			streams = append(streams, p.since(all))
		}
		p.together("create", func(worker int) error {
			_, err := p.relays().Create(p.ctx, relay(fmt.Sprintf("r%d", worker)), create)
			return err
		})
		orders := map[string]int{}
		for _, s := range streams {
			var order strings.Builder
			for range workers {
				event, missing := s.receive()
				order.WriteString(relayOf(event).Name + missing)
			}
			orders[order.String()]++
		}
		p.printf("%d orders of events", len(orders))
	}),
	probe("lists-are-consistent", func(p *P) {
		p.together("create", func(worker int) error {
			created, err := p.relays().Create(p.ctx, relay(fmt.Sprintf("r%d", worker)), create)
			if err != nil {
				return err
			}
			list, err := p.relays().List(p.ctx, all)
			if err == nil && atLeast(created.ResourceVersion, list.ResourceVersion) != "not older" {
				return errors.New("an old list")
			}
			return err
		})
		p.showList("list", all)
	}),
)
