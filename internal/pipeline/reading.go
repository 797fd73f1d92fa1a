package pipeline

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/informer-gen-lite/informer-gen-lite/internal/output"
)

// read begins to read the output of an API, if its location is known. That needs the loaded packages but not the model, which takes one
// core about as long. Before that, it waits for other processes that write to the same modules; reading while others write is harmless if
// the run does not write itself. wait returns the output. stop lets other processes write, and ends reading.
func (s Settings) read(ctx context.Context, api *API) (wait func() (*output.Tree, error), stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var group errgroup.Group
	var tree *output.Tree
	unlock := func() {}
	wait = func() (*output.Tree, error) {
		err := group.Wait()
		return tree, err
	}
	stop = func() {
		cancel()
		_ = group.Wait() // wait returns the error
		unlock()
	}
	if api.unlocated != nil {
		return wait, stop // resolving returns this error, or a more important one
	}
	place, modules, packages := api.Place, api.modules(), packageDirs(api)
	dirs := slices.Concat(directories(api.Options, s))
	group.Go(func() (err error) {
		if s.Writes {
			locked, err := output.Lock(ctx, modules, s.Observer.Waiting)
			if err != nil {
				return err
			}
			unlock = locked
		}
		tree, err = output.Scan(place.Dir, place.Root(), dirs, packages...)
		return err
	})
	return wait, stop
}
