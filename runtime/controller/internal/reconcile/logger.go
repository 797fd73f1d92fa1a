package reconcile

import (
	"sync"

	"k8s.io/client-go/tools/cache"
	klog "k8s.io/klog/v2"
)

// lazySink is a sink whose values are formatted when something is logged, because most reconciles log nothing: with the text
// format, formatting them would take longer than everything else that a reconcile without changes does.
type lazySink struct {
	parent klog.LogSink
	item   cache.ObjectName
	id     ID

	once sync.Once
	sink klog.LogSink
}

// addTo returns a logger that adds an item and the ID of a reconcile to all lines of another one. The sink must be unused.
func (s *lazySink) addTo(logger klog.Logger, item cache.ObjectName, id ID) klog.Logger {
	s.parent, s.item, s.id = logger.GetSink(), item, id
	if s.parent == nil {
		return logger // it discards everything
	}
	return klog.New(s).V(logger.GetV())
}

// direct returns a sink with the values.
func (s *lazySink) direct() klog.LogSink {
	return s.parent.WithValues("object", s.item, "reconcileID", s.id)
}

// inner returns direct for calls that come through a method of s, which is not to be logged as the caller.
func (s *lazySink) inner() klog.LogSink {
	s.once.Do(func() { s.sink = skipFrames(s.direct(), 1) })
	return s.sink
}

// Init implements klog.LogSink. The parent is initialized.
func (s *lazySink) Init(klog.RuntimeInfo) {}

// Enabled implements klog.LogSink.
func (s *lazySink) Enabled(level int) bool { return s.inner().Enabled(level) }

// Info implements klog.LogSink.
func (s *lazySink) Info(level int, message string, keysAndValues ...any) {
	s.inner().Info(level, message, keysAndValues...)
}

// Error implements klog.LogSink.
func (s *lazySink) Error(err error, message string, keysAndValues ...any) {
	s.inner().Error(err, message, keysAndValues...)
}

// WithValues implements klog.LogSink.
func (s *lazySink) WithValues(keysAndValues ...any) klog.LogSink {
	return s.direct().WithValues(keysAndValues...)
}

// WithName implements klog.LogSink.
func (s *lazySink) WithName(name string) klog.LogSink { return s.direct().WithName(name) }

// WithCallDepth implements logr.CallDepthLogSink.
func (s *lazySink) WithCallDepth(depth int) klog.LogSink { return skipFrames(s.direct(), depth) }

// skipFrames makes a sink log a caller further up the stack, if it logs callers.
func skipFrames(sink klog.LogSink, frames int) klog.LogSink {
	if caller, ok := sink.(interface{ WithCallDepth(depth int) klog.LogSink }); ok {
		return caller.WithCallDepth(frames)
	}
	return sink
}
