package cli

import (
	"context"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/output"
)

// apply writes what was prepared. Since then others may have written to the directory, be it for another output of
// the same run, so the plan is made once more, now that they are kept out. Locks are not held longer than that: who
// holds one while waiting for another may wait for ever.
func (a app) apply(ctx context.Context, run *prepared) error {
	if !run.plan.Idle() {
		unlock, err := a.lock(ctx, run.dir)
		if err != nil {
			return err
		}
		defer unlock()
		if run.plan, err = run.plan.Renew(); err != nil {
			return err
		}
		if err := run.plan.Apply(); err != nil {
			return err
		}
	}
	run.memory.Save(run.files)
	return nil
}

// lock keeps other runs from writing to the directory.
func (a app) lock(ctx context.Context, dir string) (unlock func(), err error) {
	return output.Lock(ctx, dir, a.cacheDir, func() {
		a.progress.say(a.stderr, "waiting for another run that writes to "+diag.Relative(a.dir, dir))
	})
}

// module returns the directory of the module that the output belongs to; without one, the output directory itself.
func (p place) module() string {
	if root, _, err := owningModule(p.dir); err == nil {
		return root
	}
	return p.dir
}

// outputOptions say how far the run may go with the files that are there.
func (o options) outputOptions(p place) output.Options {
	owned, other := o.directories()
	if dir, below := strings.CutPrefix(o.layout.ApplyConfigurations, p.importPath+"/"); below {
		other = append(other, dir) // the clients need what is there, whoever wrote it
	}
	// A run that does not write has nothing to spare: verify shows files that were edited like others that differ.
	return output.Options{Owned: owned, Other: other, Beside: o.besideNames(), Adopt: o.adopt, Force: o.force || !o.writes}
}
