// Package listener provides a listener that can break its connections.
package listener

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
	"syscall"
)

// Listener tracks open connections, because the API server does not close them when it ends, not even those to itself.
type Listener struct {
	net.Listener
	mu   sync.Mutex
	open map[net.Conn]struct{}
}

// The ports that Listen takes. Systems give outgoing connections ports above these, so that none has the port of a server while it
// restarts.
const (
	lowest  = 20_000
	highest = 32_767
)

// Listen listens on a port of 127.0.0.1; 0 takes a free one.
func Listen(port int) (*Listener, error) {
	if port != 0 {
		return listen(port)
	}
	for range 100 {
		l, err := listen(lowest + rand.IntN(highest-lowest+1)) //nolint:gosec // it is no secret
		if !errors.Is(err, syscall.EADDRINUSE) {
			return l, err
		}
	}
	return listen(0)
}

func listen(port int) (*Listener, error) {
	tcp, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return nil, err
	}
	return &Listener{Listener: tcp, open: map[net.Conn]struct{}{}}, nil
}

// Port returns the port of the listener.
func (l *Listener) Port() int { return l.Addr().(*net.TCPAddr).Port }

// Accept implements net.Listener.
func (l *Listener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	tracked := &connection{Conn: conn, all: l}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open[tracked] = struct{}{}
	return tracked, nil
}

// Sever breaks all open connections.
func (l *Listener) Sever() {
	l.mu.Lock()
	var open []net.Conn
	for conn := range l.open {
		open = append(open, conn)
	}
	l.mu.Unlock()
	for _, conn := range open {
		_ = conn.Close() // it may be closed already
	}
}

// connection unregisters itself when it is closed.
type connection struct {
	net.Conn
	all *Listener
}

// Close implements net.Conn.
func (c *connection) Close() error {
	c.all.mu.Lock()
	delete(c.all.open, c)
	c.all.mu.Unlock()
	return c.Conn.Close()
}
