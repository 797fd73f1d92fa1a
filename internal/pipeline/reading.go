package pipeline

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/informer-gen-lite/informer-gen-lite/internal/output"
)

// reading reads the output in the background: it needs the loaded packages but not the model, which takes one core about as long.
type reading struct {
	group  errgroup.Group
	cancel context.CancelFunc
	tree   *output.Tree
	unlock func()
}

// read begins to read the output of an API, if that has a place. Before that, it waits for other processes that write to the same
// modules; reading while others write is harmless if the run does not write itself.
func (s Settings) read(ctx context.Context, api *API) *reading {
	ctx, cancel := context.WithCancel(ctx)
	r := &reading{cancel: cancel, unlock: func() {}}
	if api.unlocated != nil {
		return r // resolving ends with this error, or with one that matters more
	}
	place, modules, sites := api.Place, api.modules(), beside(api)
	dirs := slices.Concat(directories(api.Options, s))
	r.group.Go(func() error {
		if s.Writes {
			unlock, err := output.Lock(ctx, modules, s.Observer.waiting)
			if err != nil {
				return err
			}
			r.unlock = unlock
		}
		var err error
		r.tree, err = output.Scan(place.Dir, place.Root(), dirs, sites...)
		return err
	})
	return r
}

// wait returns what was read.
func (r *reading) wait() (*output.Tree, error) {
	err := r.group.Wait()
	return r.tree, err
}

// close lets other processes write. It does not wait for them, if read still does.
func (r *reading) close() {
	r.cancel()
	_ = r.group.Wait() // wait returns the error
	r.unlock()
}
