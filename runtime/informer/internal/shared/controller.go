package shared

import (
	"context"

	"k8s.io/client-go/tools/cache"
)

// GetController implements cache.SharedInformer.
func (i *Informer) GetController() cache.Controller { return controller{i} }

// controller is returned by GetController. Run does nothing, as with client-go's informers.
type controller struct{ informer *Informer }

// Run implements cache.Controller.
func (controller) Run(<-chan struct{}) {}

// RunWithContext implements cache.Controller.
func (controller) RunWithContext(context.Context) {}

// HasSynced implements cache.Controller.
func (c controller) HasSynced() bool { return c.informer.HasSynced() }

// HasSyncedChecker implements cache.Controller.
func (c controller) HasSyncedChecker() cache.DoneChecker { return c.informer.HasSyncedChecker() }

// LastSyncResourceVersion implements cache.Controller.
func (c controller) LastSyncResourceVersion() string { return c.informer.LastSyncResourceVersion() }
