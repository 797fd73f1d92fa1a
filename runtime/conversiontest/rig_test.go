package conversiontest_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/conversiontest"
)

// recorder records what a test reports.
type recorder struct {
	testing.TB

	failed    bool
	text, log strings.Builder
}

// Helper implements testing.TB.
func (r *recorder) Helper() {}

// Logf implements testing.TB.
func (r *recorder) Logf(format string, args ...any) { fmt.Fprintf(&r.log, format+"\n", args...) }

// Errorf implements testing.TB.
func (r *recorder) Errorf(format string, args ...any) {
	r.failed = true
	fmt.Fprintf(&r.text, format+"\n", args...)
}

// Fatalf implements testing.TB.
func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}

// roundTrip returns what RoundTrip reports.
func roundTrip[Hub, Spoke any](t *testing.T, options ...conversiontest.Option) *recorder {
	t.Helper()
	r, done := &recorder{TB: t}, make(chan struct{})
	go func() {
		defer close(done)
		conversiontest.RoundTrip[Hub, Spoke](r, options...)
	}()
	<-done
	return r
}

// losses returns the paths that RoundTrip reports for one direction, which begins with a type, and what happened to them.
func losses(t *testing.T, r *recorder, from string) map[string]string {
	t.Helper()
	found := map[string]string{}
	_, report, _ := strings.Cut("\n"+r.text.String(), "\nconversiontest_test."+from+" →")
	report, _, _ = strings.Cut(report, "\tkeep them")
	for line := range strings.Lines(report) {
		path, what, ok := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		if path, isPath := strings.CutPrefix(path, "\t"); ok && isPath {
			verb, _, _ := strings.Cut(what, " ")
			if strings.Contains(what, " became ") {
				verb = "changed"
			}
			found[path] = verb
		}
	}
	return found
}
