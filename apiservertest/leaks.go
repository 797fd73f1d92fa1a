package apiservertest

// Leftovers returns the functions of the goroutines that a server leaves in its process after Stop, for
// goleak.IgnoreAnyFunction. There are two kinds, both in the libraries: the timers of reads that waited for the watch
// cache, which end within three seconds; and one per process that flushes the log for the health check of the same name,
// forever.
func Leftovers() []string {
	return []string{
		"k8s.io/apiserver/pkg/storage/cacher.(*watchCache).waitUntilFreshLocked.func2",
		"k8s.io/apimachinery/pkg/util/wait.Forever",
	}
}
