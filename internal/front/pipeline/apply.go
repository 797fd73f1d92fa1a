package pipeline

import (
	"context"
	"errors"
	"fmt"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/output"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
)

// Apply writes the runs of all outputs, one after the other.
func Apply(ctx context.Context, runs []run.Run) error {
	begun := false
	for i := range runs {
		if err := apply(ctx, &runs[i]); err != nil {
			if begun && !errors.Is(err, output.ErrIncomplete) {
				err = fmt.Errorf("%w in this output; overall, %w", err, output.ErrIncomplete)
			}
			return err
		}
		begun = begun || !runs[i].Plan.Idle()
	}
	return nil
}

// apply writes the planned files. Others may have written to the directory in the meantime, including another output of the same
// command, so the plan is recomputed under the lock. The lock is not held any longer: a process that held one while waiting for
// another could deadlock.
func apply(ctx context.Context, r *run.Run) error {
	if err := r.Settings.At(ctx, "writing"); err != nil {
		return err
	}
	if r.Plan.Idle() {
		return nil
	}
	unlock, err := output.Lock(ctx, r.API.Modules(), r.Settings.Observer.Waiting)
	if err != nil {
		return err
	}
	defer unlock()
	if r.Plan, err = r.Plan.Renew(); err != nil {
		return err
	}
	if err := mayRemove(ctx, r); err != nil {
		return err
	}
	return r.Plan.Apply(ctx)
}
