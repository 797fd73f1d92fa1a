package apiserver

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/rest"
)

// readyTimeout is far more than a start takes, on any machine.
const readyTimeout = 2 * time.Minute

// local is a server in this process.
type local struct {
	options     Options // with the port and the etcd that it has
	config      *rest.Config
	connections *connections
	etcd        *embed.Etcd // nil if it is somebody else's
	cancel      context.CancelFunc
	done        chan struct{} // closed once the API server has ended
	err         error         // why it ended; to be read after done
}

func startLocal(ctx context.Context, options Options) (instance, error) {
	if err := os.MkdirAll(options.Dir, 0o700); err != nil {
		return nil, err
	}
	l := &local{options: options, done: make(chan struct{})}
	if len(options.Etcd) == 0 {
		etcd, err := StartEtcd(ctx, filepath.Join(options.Dir, "etcd"))
		if err != nil {
			return nil, fmt.Errorf("start etcd: %w", err)
		}
		l.etcd = etcd
		l.options.Etcd = EtcdURLs(etcd)
	}
	if err := l.serve(); err != nil {
		l.closeEtcd()
		return nil, fmt.Errorf("start API server: %w", err)
	}
	if err := WaitReady(ctx, l.config, l.done); err != nil {
		return nil, errors.Join(err, l.Stop())
	}
	return l, nil
}

// Ready implements Instance.
func (l *local) Ready() Announcement {
	return Announcement{Host: l.config.Host, CA: l.config.CAData, Port: l.options.Port, Etcd: l.options.Etcd}
}

// Done implements Instance.
func (l *local) Done() <-chan struct{} { return l.done }

// Stop implements Instance.
func (l *local) Stop() error {
	l.cancel()
	<-l.done
	l.closeEtcd()
	return l.err
}

func (l *local) sever() { l.connections.sever() }

func (l *local) closeEtcd() {
	if l.etcd != nil {
		l.etcd.Close()
		l.etcd = nil
	}
}

// WaitReady waits until the server of config says that it is ready. It gives up when ended is closed.
func WaitReady(ctx context.Context, config *rest.Config, ended <-chan struct{}) error {
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return err
	}
	defer client.CloseIdleConnections()
	return wait.PollUntilContextTimeout(ctx, 10*time.Millisecond, readyTimeout, true, func(ctx context.Context) (bool, error) {
		select {
		case <-ended:
			return false, errors.New("the API server ended before it was ready")
		default:
		}
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, config.Host+"/readyz", nil)
		if err != nil {
			return false, err
		}
		response, err := client.Do(request)
		if err != nil {
			return false, nil // not listening yet
		}
		return response.StatusCode == http.StatusOK, response.Body.Close()
	})
}
