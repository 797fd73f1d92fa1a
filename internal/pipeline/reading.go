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

// read begins to read the output of an API, if its location is known. Before that, it waits for other processes that write to the same
// modules; reading while others write is harmless if the run does not write itself.
func (s Settings) read(ctx context.Context, api *API) *reading {
	ctx, cancel := context.WithCancel(ctx)
	r := &reading{cancel: cancel, unlock: func() {}}
	if api.unlocated != nil {
		return r // resolving returns this error, or a more important one
	}
	place, modules, packages := api.Place, api.modules(), packageDirs(api)
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
		r.tree, err = output.Scan(place.Dir, place.Root(), dirs, packages...)
		return err
	})
	return r
}

// wait returns what was read.
func (r *reading) wait() (*output.Tree, error) {
	err := r.group.Wait()
	return r.tree, err
}

// close lets other processes write. If read still waits for them, it stops.
func (r *reading) close() {
	r.cancel()
	_ = r.group.Wait() // wait returns the error
	r.unlock()
}
