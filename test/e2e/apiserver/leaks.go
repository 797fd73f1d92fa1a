package apiserver

import "go.uber.org/goleak"

// Leftovers are the goroutines that a server leaves in its process after Stop, for goleak to overlook. There are two
// kinds, both in the libraries: the timers of reads that waited for the watch cache, which end by themselves within
// three seconds; and one per process that flushes the log for the health check of the same name, for ever.
func Leftovers() []goleak.Option {
	return []goleak.Option{
		goleak.IgnoreAnyFunction("k8s.io/apiserver/pkg/storage/cacher.(*watchCache).waitUntilFreshLocked.func2"),
		goleak.IgnoreAnyFunction("k8s.io/apimachinery/pkg/util/wait.Forever"),
	}
}
