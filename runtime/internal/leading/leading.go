// Package leading runs the work of a leader, in one term after the other.
package leading

import (
	"context"

	klog "k8s.io/klog/v2"
)

// Lead waits until the process leads. The context term is done when it leads no more, and has the values of ctx. The caller calls leave
// when whatever it does in the term has returned. If ctx is done first, Lead returns its error.
type Lead = func(ctx context.Context) (term context.Context, leave func(), err error)

// Elected returns a Lead for a process that leads once and for all when a channel is closed.
func Elected(elected <-chan struct{}) Lead {
	return func(ctx context.Context) (context.Context, func(), error) {
		select {
		case <-elected:
			return context.WithoutCancel(ctx), func() {}, nil
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		}
	}
}

// Each runs a function in each term until ctx is done or the function fails. An error at the end of a term is no failure. If the function
// returns nil earlier, Each waits for the next term.
func Each(ctx context.Context, lead Lead, run func(ctx, term context.Context) error) error {
	for {
		term, leave, err := lead(ctx)
		if err != nil {
			return nil //nolint:nilerr // ctx is done
		}
		err = run(ctx, term)
		over := term.Err() != nil
		leave()
		switch {
		case ctx.Err() != nil:
			return err
		case over && err != nil:
			klog.FromContext(ctx).Info("Has ended with the lease", "err", err)
		case err != nil:
			return err
		case !over:
			select {
			case <-term.Done():
			case <-ctx.Done():
				return nil
			}
		}
	}
}
