package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// errLeftOut is returned if an operation is not measured for a contestant.
var errLeftOut = errors.New("left out")

const (
	// requestFactor and bulkFactor are the maximum ratios of the strict fake's time to the plain fake's.
	requestFactor, bulkFactor = 3, 1.5
	// newLimit is the maximum time to create a strict clientset.
	newLimit = time.Millisecond
	// clients is the number of concurrent clients.
	clients = 32
)

// operation is measured for all contestants.
type operation struct {
	name string
	// factor is the target: the maximum ratio of the strict fake's time to the plain fake's. It is 0 for a new clientset.
	factor float64
	run    func(ctx context.Context, s sizes, c contestant) (time.Duration, error)
}

// sizes are numbers of objects.
type sizes struct{ requests, bulk int }

// operations are all operations, in the order of the rows.
var operations = []operation{
	{"new clientset", 0, newClientsets},
	{"create", requestFactor, creates},
	{"get", requestFactor, requests(func(ctx context.Context, a api, object client.Object) error { return a.get(ctx, object.GetName()) })},
	{"update", requestFactor, requests(func(ctx context.Context, a api, object client.Object) error { return a.update(ctx, object) })},
	{"update of the status", requestFactor, requests(func(ctx context.Context, a api, object client.Object) error { return a.updateStatus(ctx, object) })},
	{"merge patch", requestFactor, requests(func(ctx context.Context, a api, object client.Object) error { return a.merge(ctx, object.GetName()) })},
	{"server-side apply", requestFactor, requests(func(ctx context.Context, a api, object client.Object) error { return a.apply(ctx, object.GetName()) })},
	{"delete", requestFactor, requests(func(ctx context.Context, a api, object client.Object) error { return a.delete(ctx, object.GetName()) })},
	{"request of one of 32 clients", requestFactor, parallel},
	{"list of %d", bulkFactor, lists("", 1)},
	{"list of every tenth of %d", bulkFactor, lists(selector, tiers)},
	{"create and watch %d", bulkFactor, watches},
}

// spent returns the CPU time of do, or the elapsed time if that is unknown.
func spent(do func() error) (time.Duration, error) {
	runtime.GC() // earlier garbage does not count
	start, cpu := time.Now(), cpuTime()
	err := do()
	if used := cpuTime() - cpu; used > 0 {
		return used, err
	}
	return time.Since(start), err
}

// newClientsets creates clientsets. The first one in a process may take longer.
func newClientsets(_ context.Context, _ sizes, c contestant) (time.Duration, error) {
	const count = 20
	used, err := spent(func() error {
		for range count {
			if _, err := c.make(); err != nil {
				return err
			}
		}
		return nil
	})
	return used / count, err
}

// filled returns a clientset with the given number of objects.
func filled(ctx context.Context, c contestant, count int) (api, []client.Object, error) {
	a, err := c.make()
	if err != nil {
		return nil, nil, err
	}
	objects := make([]client.Object, count)
	for i := range objects {
		if objects[i], err = a.create(ctx, i); err != nil {
			return nil, nil, err
		}
	}
	return a, objects, nil
}

func creates(ctx context.Context, s sizes, c contestant) (time.Duration, error) {
	a, err := c.make()
	if err != nil {
		return 0, err
	}
	used, err := spent(func() error {
		for i := range s.requests {
			if _, err := a.create(ctx, i); err != nil {
				return err
			}
		}
		return nil
	})
	return used / time.Duration(s.requests), err
}

// requests measures a request for each of many objects.
func requests(do func(context.Context, api, client.Object) error) func(context.Context, sizes, contestant) (time.Duration, error) {
	return func(ctx context.Context, s sizes, c contestant) (time.Duration, error) {
		a, objects, err := filled(ctx, c, s.requests)
		if err != nil {
			return 0, err
		}
		used, err := spent(func() error {
			for _, object := range objects {
				if err := do(ctx, a, object); err != nil {
					return err
				}
			}
			return nil
		})
		return used / time.Duration(s.requests), err
	}
}

// parallel measures concurrent clients that create, read, update, patch, list and delete their own objects. It returns the time
// per request.
func parallel(ctx context.Context, s sizes, c contestant) (time.Duration, error) {
	a, err := c.make()
	if err != nil {
		return 0, err
	}
	each, steps := max(s.requests/clients, 1), 5
	used, err := spent(func() error {
		group, ctx := errgroup.WithContext(ctx)
		for number := range clients {
			group.Go(func() error {
				for i := range each {
					if err := visit(ctx, a, number*each+i); err != nil {
						return err
					}
				}
				return nil
			})
		}
		return group.Wait()
	})
	return used / time.Duration(clients*each*steps), err
}

// visit sends five requests for an object.
func visit(ctx context.Context, a api, number int) error {
	object, err := a.create(ctx, number)
	if err != nil {
		return err
	}
	name := object.GetName()
	return errors.Join(a.get(ctx, name), a.update(ctx, object), a.merge(ctx, name), a.delete(ctx, name))
}

// full caches the filled clientsets by contestant and number of objects: filling one may take half a minute.
var full = map[string]api{}

// lists measures a list that selects one in oneOf objects.
func lists(selector string, oneOf int) func(context.Context, sizes, contestant) (time.Duration, error) {
	return func(ctx context.Context, s sizes, c contestant) (time.Duration, error) {
		key := fmt.Sprint(c.name, s.bulk)
		if full[key] == nil {
			a, _, err := filled(ctx, c, s.bulk)
			if err != nil {
				return 0, err
			}
			full[key] = a
		}
		return spent(func() error {
			count, err := full[key].list(ctx, selector)
			if want := (s.bulk + oneOf - 1) / oneOf; err == nil && count != want {
				err = fmt.Errorf("%d objects, not %d", count, want)
			}
			return err
		})
	}
}

// watches measures creates with an open watch whose events are read: plain fakes deliver them in the create request.
func watches(ctx context.Context, s sizes, c contestant) (time.Duration, error) {
	if c.slowWrites {
		return 0, errLeftOut
	}
	clear(full) // so that the garbage collector need not scan them
	a, err := c.make()
	if err != nil {
		return 0, err
	}
	w, err := a.watch(ctx)
	if err != nil {
		return 0, err
	}
	defer w.Stop()
	return spent(func() error {
		for i := range s.bulk {
			if _, err := a.create(ctx, i); err != nil {
				return err
			}
			if event := <-w.ResultChan(); event.Object == nil {
				return fmt.Errorf("the watch has ended after %d of %d events", i, s.bulk)
			}
		}
		return nil
	})
}

func median(values []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}
