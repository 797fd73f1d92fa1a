package progress

import "k8s.io/client-go/tools/cache"

// IsPaused reports whether an object was paused when it was last looked at.
func (l *Log) IsPaused(name cache.ObjectName) bool {
	l.lock.Lock()
	defer l.lock.Unlock()
	e := l.entries[name]
	return e != nil && e.class == Paused
}

// Paused returns the number of such objects.
func (l *Log) Paused() (paused int) {
	l.lock.Lock()
	defer l.lock.Unlock()
	for _, e := range l.entries {
		if e.class == Paused {
			paused++
		}
	}
	return paused
}
