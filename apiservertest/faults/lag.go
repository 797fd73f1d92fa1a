package faults

import (
	"context"
	"net/http"
	"time"
)

// Lag executes requests at once, but delays each part of the response by d. Watch events arrive late and in order.
func Lag(d time.Duration) Action {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		l := &lagging{ResponseWriter: w, controller: http.NewResponseController(w), lag: d, ctx: r.Context(), parts: make(chan part, 1<<16)}
		delivered := make(chan struct{})
		go func() {
			defer close(delivered)
			l.deliver()
		}()
		defer func() { // the response must not be written to after the handler returns
			close(l.parts)
			<-delivered
		}()
		next.ServeHTTP(l, r)
	}
}

// lagging is the response to a request. Its methods are called by one goroutine at a time, as http.Handler requires.
type lagging struct {
	http.ResponseWriter
	controller *http.ResponseController
	lag        time.Duration
	ctx        context.Context
	parts      chan part
}

type part struct {
	due  time.Time
	data []byte
}

// Write implements http.ResponseWriter.
func (l *lagging) Write(data []byte) (int, error) {
	select {
	case l.parts <- part{time.Now().Add(l.lag), append([]byte(nil), data...)}:
		return len(data), nil
	case <-l.ctx.Done():
		return 0, l.ctx.Err()
	}
}

// Flush implements http.Flusher. Written data is flushed by deliver; before the first write, only the headers are
// flushed.
func (l *lagging) Flush() { _, _ = l.Write(nil) } // the next write fails too

// CloseNotify implements http.CloseNotifier: the API server checks it to find out whether a response can stream.
func (l *lagging) CloseNotify() <-chan bool {
	if notifier, ok := l.ResponseWriter.(http.CloseNotifier); ok { //nolint:staticcheck // servers still look for it
		return notifier.CloseNotify()
	}
	return make(chan bool)
}

// Unwrap gives http.ResponseController access to the real response, for example to its deadlines.
func (l *lagging) Unwrap() http.ResponseWriter { return l.ResponseWriter }

// deliver writes delayed data when it is due, until the request ends.
func (l *lagging) deliver() {
	for p := range l.parts {
		timer := time.NewTimer(time.Until(p.due))
		select {
		case <-timer.C:
		case <-l.ctx.Done():
			timer.Stop()
			return
		}
		if len(p.data) > 0 {
			if _, err := l.ResponseWriter.Write(p.data); err != nil {
				return
			}
		}
		_ = l.controller.Flush() // the next write fails too
	}
}
