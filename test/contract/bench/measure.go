package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"golang.org/x/sync/errgroup"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/informer-gen-lite/informer-gen-lite/test/internal/harness"
)

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
	// what is the title of the row.
	what string
	// factor is the target: the maximum ratio of the strict fake's time to the plain fake's. It is 0 for a new clientset.
	factor float64
	run    func(ctx context.Context, s sizes, c contestant) (time.Duration, error)
	// manyWrites leaves out fakes with slow writes.
	manyWrites bool
}

// sizes are numbers of objects.
type sizes struct{ requests, bulk int }

// operations are all operations, in the order of the rows.
var operations = []operation{
	{name: "new", what: "new clientset", run: newClientsets},
	{name: "create", what: "create", factor: requestFactor, run: creates},
	request("get", "get", func(ctx context.Context, a api, object client.Object) error { return a.get(ctx, object.GetName()) }),
	request("update", "update", func(ctx context.Context, a api, object client.Object) error { return a.update(ctx, object) }),
	request("status", "update of the status", func(ctx context.Context, a api, object client.Object) error {
		return a.updateStatus(ctx, object)
	}),
	request("patch", "merge patch", func(ctx context.Context, a api, object client.Object) error { return a.merge(ctx, object.GetName()) }),
	request("apply", "server-side apply", func(ctx context.Context, a api, object client.Object) error {
		return a.apply(ctx, object.GetName())
	}),
	request("delete", "delete", func(ctx context.Context, a api, object client.Object) error { return a.delete(ctx, object.GetName()) }),
	{name: "parallel", what: "request of one of 32 clients", factor: requestFactor, run: parallel},
	{name: "list", what: "list of all objects", factor: bulkFactor, run: lists("", 1)},
	{name: "select", what: "list of every tenth object", factor: bulkFactor, run: lists(selector, tiers)},
	{name: "watch", what: "create and watch all objects", factor: bulkFactor, run: watches, manyWrites: true},
}

// spent returns the CPU time of do, or the elapsed time if that is unknown.
func spent(do func() error) (time.Duration, error) {
	runtime.GC() // earlier garbage does not count
	start, cpu := time.Now(), harness.CPUTime()
	err := do()
	if used := harness.CPUTime() - cpu; used > 0 {
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

// request is an operation that sends a request for each of many objects.
func request(name, what string, do func(context.Context, api, client.Object) error) operation {
	run := func(ctx context.Context, s sizes, c contestant) (time.Duration, error) {
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
	return operation{name: name, what: what, factor: requestFactor, run: run}
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
