package queue

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/cache"
	klog "k8s.io/klog/v2"
)

// Known returns the names of objects of earlier runs. It asks again after an error, until ctx is done.
func Known(ctx context.Context, ask func(context.Context) ([]cache.ObjectName, error)) (names []cache.ObjectName) {
	pace := wait.Backoff{Duration: time.Second, Factor: 2, Jitter: 0.1, Steps: 10, Cap: time.Minute}
	_ = pace.DelayFunc().Until(ctx, true, true, func(ctx context.Context) (done bool, err error) {
		if names, err = ask(ctx); err != nil {
			klog.FromContext(ctx).Error(err, "Objects of earlier runs are not known, will be retried")
		}
		return err == nil, nil
	}) // ends with ctx
	return names
}
