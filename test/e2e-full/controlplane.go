package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"go.etcd.io/etcd/server/v3/embed"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest/program"
)

// controlPlane has the components that run in this process.
type controlPlane struct {
	ready       program.Announcement
	etcd        *embed.Etcd // nil if the etcd is external
	api         *component
	controllers *component // nil with an external etcd, which has controllers already
}

var _ program.Instance = (*controlPlane)(nil)

func start(ctx context.Context, options program.Options) (program.Instance, error) {
	if err := os.MkdirAll(options.Dir, 0o700); err != nil {
		return nil, err
	}
	c := &controlPlane{}
	if err := c.launch(ctx, options); err != nil {
		return nil, errors.Join(err, c.Stop())
	}
	return c, nil
}

// launch starts the components in order. After an error, Stop stops those that were started.
func (c *controlPlane) launch(ctx context.Context, options program.Options) error {
	own := len(options.Etcd) == 0
	if own {
		etcd, err := program.StartEtcd(ctx, filepath.Join(options.Dir, "etcd"))
		if err != nil {
			return fmt.Errorf("start etcd: %w", err)
		}
		c.etcd = etcd
		options.Etcd = program.EtcdURLs(etcd)
	}
	c.ready.Etcd = options.Etcd
	if err := c.serve(ctx, options); err != nil {
		return fmt.Errorf("start kube-apiserver: %w", err)
	}
	if !own {
		return nil
	}
	if err := c.control(ctx, options.Dir); err != nil {
		return fmt.Errorf("start kube-controller-manager: %w", err)
	}
	return nil
}

// Ready implements program.Instance.
func (c *controlPlane) Ready() program.Announcement { return c.ready }

// Done implements program.Instance.
func (c *controlPlane) Done() <-chan struct{} { return c.api.done }

// Stop implements program.Instance. Each component stops before its dependencies.
func (c *controlPlane) Stop() error {
	err := errors.Join(c.controllers.stop(), c.api.stop())
	if c.etcd != nil {
		c.etcd.Close()
		c.etcd = nil
	}
	return err
}

// component is a part of the control plane that runs in the background.
type component struct {
	cancel context.CancelFunc
	done   chan struct{} // closed when it has ended
	err    error         // why it ended; to be read after done
}

// background runs a function until stop is called.
func background(run func(context.Context) error) *component {
	ctx, cancel := context.WithCancel(context.Background())
	c := &component{cancel: cancel, done: make(chan struct{})}
	go func() {
		defer close(c.done)
		c.err = run(ctx)
	}()
	return c
}

// stop stops the component if it was started.
func (c *component) stop() error {
	if c == nil {
		return nil
	}
	c.cancel()
	<-c.done
	return c.err
}
