package apiservertest

// Leftovers returns the functions of goroutines that a server leaves behind after Stop, for goleak.IgnoreAnyFunction.
// Both kinds come from libraries: timers of reads that waited for the watch cache, which end within three seconds, and
// one goroutine per process that flushes the log for the log health check, forever.
func Leftovers() []string {
	return []string{
		"k8s.io/apiserver/pkg/storage/cacher.(*watchCache).waitUntilFreshLocked.func2",
		"k8s.io/apimachinery/pkg/util/wait.Forever",
	}
}
