package informer

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/lasting"
)

// gracePeriod is how long WaitForSync waits after an error that is likely to persist, to collect further errors.
const gracePeriod = time.Second

// foreignPoll is how often WaitForSync checks informers that this package did not create.
const foreignPoll = 100 * time.Millisecond

// WaitForSync waits until all informers have synced: their caches have all objects. Otherwise, it returns an error that joins the
// API server's responses for each resource and namespace, each an [*Error]:
//
//   - when ctx is done. The error wraps the cause, and names the informers that have not synced.
//   - one second after an error that is likely to persist, such as a missing role or CustomResourceDefinition.
//   - immediately if no informer was requested, if an informer was not started, or if [Factory.Err] has an error.
//
// Informers keep retrying, and a later WaitForSync succeeds once they have synced. Resources that are not served are not waited
// for, see [Informer.StartWhenServed].
func (f *Factory) WaitForSync(ctx context.Context) error {
	return f.WaitForCacheSyncWithContext(ctx).Err
}

// WaitForCacheSync is WaitForSync, but logs the error and reports for each type whether its informers have synced.
func (f *Factory) WaitForCacheSync(stopCh <-chan struct{}) map[reflect.Type]bool {
	result := f.WaitForCacheSyncWithContext(wait.ContextForChannel(stopCh))
	if result.Err != nil {
		utilruntime.HandleError(result.Err)
	}
	return result.Synced
}

// WaitForCacheSyncWithContext is WaitForSync, but also reports for each type whether its informers have synced.
func (f *Factory) WaitForCacheSyncWithContext(ctx context.Context) cache.SyncResult {
	if err := f.Err(); err != nil {
		return cache.SyncResult{Err: err}
	}
	var grace <-chan time.Time
	over := false
	for {
		changed := f.changed.Wait()
		progress := f.progress()
		switch {
		case progress.invalid != nil || progress.done():
			return progress.result(progress.invalid)
		case progress.lasting && over:
			return progress.result(joinErrors(errors.New("informers cannot sync"), progress.failures))
		case progress.lasting && grace == nil:
			grace = time.After(gracePeriod)
		}
		var poll <-chan time.Time
		if progress.foreign {
			poll = time.After(foreignPoll)
		}
		select {
		case <-changed:
		case <-poll:
		case <-grace:
			grace, over = nil, true
		case <-ctx.Done():
			if progress = f.progress(); progress.done() {
				return progress.result(nil)
			}
			cause := fmt.Errorf("waiting for %s: %w", strings.Join(progress.waiting, ", "), context.Cause(ctx))
			return progress.result(joinErrors(cause, progress.failures))
		}
	}
}

// progress is the state of the informers of a factory, for WaitForSync.
type progress struct {
	synced map[reflect.Type]bool
	// waiting has the informers that have not synced.
	waiting []string
	// invalid is set if waiting is pointless.
	invalid  error
	failures []*Error
	lasting  bool
	// foreign is set if an informer that this package did not create has not synced.
	foreign bool
}

func (p progress) done() bool { return len(p.waiting) == 0 && p.invalid == nil }

func (p progress) result(err error) cache.SyncResult {
	return cache.SyncResult{Synced: p.synced, Err: err}
}

func (f *Factory) progress() progress {
	f.lock.Lock()
	defer f.lock.Unlock()
	result := progress{synced: map[reflect.Type]bool{}}
	var idle []string
	for _, m := range f.order {
		if m.unserved {
			continue
		}
		synced := m.informer.HasSynced()
		before, several := result.synced[m.object]
		result.synced[m.object] = synced && (before || !several)
		if synced {
			continue
		}
		result.waiting = append(result.waiting, m.String())
		if !m.runs() && !m.awaited && (m.own == nil || !m.own.IsRunning()) {
			idle = append(idle, m.String())
		}
		if m.own == nil {
			result.foreign = true
			continue
		}
		failures := errorsOf(m.resource, m.own.Unsynced())
		result.failures = append(result.failures, failures...)
		result.lasting = result.lasting || slices.ContainsFunc(failures, func(e *Error) bool { return lasting.Is(e.Err) })
	}
	switch {
	case len(f.order) == 0:
		result.invalid = errors.New("no informer was requested: call For, then Start")
	case len(idle) > 0:
		result.invalid = fmt.Errorf("not started: %s; call Start after requesting informers, and again after requesting more",
			strings.Join(idle, ", "))
	}
	return result
}
