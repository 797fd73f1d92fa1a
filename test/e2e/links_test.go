package e2e

import (
	"context"
	"io"
	"net"
	"net/url"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/client-go/rest"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
)

// link is the way of one process to the API server, which can be cut.
type link struct {
	listener net.Listener
	server   string
	all      sync.WaitGroup

	lock sync.Mutex
	// cut refuses connections, and hangs accepts them and passes nothing on.
	cut, hangs bool
	// open are the connections of both sides, and own the addresses that the server sees.
	open map[net.Conn]bool
	own  map[string]bool
}

// newLink returns a link that works until the test ends.
func newLink(t *testing.T, config *rest.Config) *link {
	t.Helper()
	server, err := url.Parse(config.Host)
	require.NoError(t, err)
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	l := &link{listener: listener, server: server.Host, open: map[net.Conn]bool{}, own: map[string]bool{}}
	ctx, cancel := context.WithCancel(t.Context())
	l.all.Go(func() { l.accept(ctx) })
	t.Cleanup(func() {
		cancel()
		_ = listener.Close()
		l.sever()
		l.all.Wait()
	})
	return l
}

// kubeconfig writes a kubeconfig file for processes that use the link.
func (l *link) kubeconfig(t *testing.T, config *rest.Config) string {
	t.Helper()
	config = rest.CopyConfig(config)
	config.Host = "https://" + l.listener.Addr().String()
	path := filepath.Join(t.TempDir(), "kubeconfig")
	require.NoError(t, apiservertest.WriteKubeconfig(config, path))
	return path
}

func (l *link) accept(ctx context.Context) {
	for {
		client, err := l.listener.Accept()
		if err != nil {
			return
		}
		l.all.Go(func() { l.pass(ctx, client) })
	}
}

// pass passes on what a client sends and gets, until one side or the link ends that.
func (l *link) pass(ctx context.Context, client net.Conn) {
	if !l.keep(client) {
		return
	}
	defer l.drop(client)
	server, err := new(net.Dialer).DialContext(ctx, "tcp", l.server)
	if err != nil || !l.keep(server) {
		return
	}
	defer l.drop(server)
	l.lock.Lock()
	l.own[server.LocalAddr().String()] = true
	l.lock.Unlock()
	var back sync.WaitGroup
	back.Go(func() {
		_, _ = io.Copy(client, l.unlessHanging(server))
		l.drop(client)
	})
	_, _ = io.Copy(server, l.unlessHanging(client))
	l.drop(server)
	back.Wait()
}

// keep notes an open connection, unless the link is cut.
func (l *link) keep(c net.Conn) bool {
	l.lock.Lock()
	defer l.lock.Unlock()
	if l.cut {
		_ = c.Close()
		return false
	}
	l.open[c] = true
	return true
}

func (l *link) drop(c net.Conn) {
	l.lock.Lock()
	defer l.lock.Unlock()
	_ = c.Close()
	delete(l.open, c)
}

// hanging is a reader that loses what it reads while the link hangs: connections end with that, so nobody gets a part.
type hanging struct {
	io.Reader

	link *link
}

func (l *link) unlessHanging(r io.Reader) io.Reader { return hanging{r, l} }

// Read implements io.Reader.
func (h hanging) Read(into []byte) (int, error) {
	for {
		n, err := h.Reader.Read(into)
		h.link.lock.Lock()
		hangs := h.link.hangs
		h.link.lock.Unlock()
		if err != nil || !hangs {
			return n, err
		}
	}
}

// sever closes all connections.
func (l *link) sever() {
	l.lock.Lock()
	defer l.lock.Unlock()
	for c := range l.open {
		_ = c.Close()
	}
	clear(l.open)
}

// set cuts the link, makes it hang, or mends it: then connections begin anew, because what was lost in them does not come again.
func (l *link) set(cut, hangs bool) {
	l.lock.Lock()
	l.cut, l.hangs = cut, hangs
	l.lock.Unlock()
	if !hangs {
		l.sever()
	}
}

// has reports whether the server has got a request from an address by this link.
func (l *link) has(address string) bool {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.own[address]
}
