package apiserver

import (
	"net"
	"sync"
)

// connections is a listener that can break all connections that came by it: the API server itself leaves those that are
// open when it ends, among them its own to itself.
type connections struct {
	net.Listener
	mu   sync.Mutex
	open map[net.Conn]struct{}
}

// Accept implements net.Listener.
func (c *connections) Accept() (net.Conn, error) {
	conn, err := c.Listener.Accept()
	if err != nil {
		return nil, err
	}
	tracked := &connection{Conn: conn, all: c}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open[tracked] = struct{}{}
	return tracked, nil
}

// sever breaks all open connections.
func (c *connections) sever() {
	c.mu.Lock()
	var open []net.Conn
	for conn := range c.open {
		open = append(open, conn)
	}
	c.mu.Unlock()
	for _, conn := range open {
		_ = conn.Close() // one that is closed already is as good
	}
}

// connection forgets itself when it is closed.
type connection struct {
	net.Conn
	all *connections
}

// Close implements net.Conn.
func (c *connection) Close() error {
	c.all.mu.Lock()
	delete(c.all.open, c)
	c.all.mu.Unlock()
	return c.Conn.Close()
}
