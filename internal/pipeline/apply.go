package pipeline

import (
	"context"
	"errors"
	"fmt"

	"github.com/informer-gen-lite/informer-gen-lite/internal/output"
)

// Apply writes the runs of all outputs, one after the other.
func Apply(ctx context.Context, runs []Run) error {
	begun := false
	for i := range runs {
		if err := runs[i].Apply(ctx); err != nil {
			if begun && !errors.Is(err, output.ErrIncomplete) {
				err = fmt.Errorf("%w in this output; overall, %w", err, output.ErrIncomplete)
			}
			return err
		}
		begun = begun || !runs[i].Plan.Idle()
	}
	return nil
}

// Apply writes the planned files. Others may have written to the directory in the meantime, including another output of the same
// command, so the plan is recomputed under the lock. The lock is not held any longer: a process that held one while waiting for
// another could deadlock.
func (r *Run) Apply(ctx context.Context) error {
	if err := r.settings.stage(ctx, "writing"); err != nil {
		return err
	}
	if r.Plan.Idle() {
		return nil
	}
	unlock, err := output.Lock(ctx, r.API.modules(), r.settings.Observer.Waiting)
	if err != nil {
		return err
	}
	defer unlock()
	if r.Plan, err = r.Plan.Renew(); err != nil {
		return err
	}
	if err := r.mayRemove(ctx); err != nil {
		return err
	}
	return r.Plan.Apply(ctx)
}

// modules returns the directories of the modules that a run writes to: those of the output and of the API packages.
func (a *API) modules() []string {
	dirs := []string{a.Place.Root()}
	for _, b := range packageDirs(a) {
		dirs = append(dirs, b.Module)
	}
	return dirs
}

// State is the state of a generated file on disk.
type State string

// The states of files that Apply would change.
const (
	Missing State = "missing" // there is no such file
	Differs State = "differs" // its content differs
	Stale   State = "stale"   // it is no longer generated
)

// Difference is one file that Apply would write or remove.
type Difference struct {
	State State
	// Name is the file's absolute name.
	Name string
	// OnDisk and Generated are the file's contents; "" if there is no such file.
	OnDisk, Generated string
	// Command brings the file up to date; "" for generate.
	Command string
}

// Differences returns the files that Apply would write, then those that it would remove.
func (r *Run) Differences() []Difference {
	var differences []Difference
	add := func(state State, path string, generated []byte) {
		old := r.Plan.Old(path)
		if state == Differs && old == nil {
			state = Missing
		}
		name := r.API.Place.File(path)
		differences = append(differences, Difference{State: state, Name: name, OnDisk: string(old), Generated: string(generated)})
	}
	for _, file := range r.Plan.Write {
		add(Differs, file.Path, file.Content)
	}
	for _, path := range r.Plan.Remove {
		add(Stale, path, nil)
	}
	return differences
}
