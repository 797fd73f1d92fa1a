// Package synced waits for the informers of a factory with patience.
package synced

import (
	"context"
	"time"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// retry is the pause between two waits for a factory.
const retry = 100 * time.Millisecond

// Factory waits until all informers of a started factory have synced. It returns the reasons when ctx is done. Errors that are likely to
// persist do not end it before: the definition of a resource, or a role, may be installed at the same time as the controller.
func Factory(ctx context.Context, factory *informer.Factory) error {
	for {
		err := factory.WaitForSync(ctx)
		if err == nil || ctx.Err() != nil {
			return err
		}
		factory.StartWithContext(context.WithoutCancel(ctx)) // somebody may have requested another informer
		select {
		case <-time.After(retry):
		case <-ctx.Done():
		}
	}
}
