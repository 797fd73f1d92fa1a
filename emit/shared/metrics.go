package shared

// metrics publishes the resource version of the store as client-go's informers do, if the informer has a name.
type metrics struct {
	// store is an empty client-go store: only client-go can register the metric.
	store interface{ Bookmark(version string) }
}

func (m metrics) reached(version string) {
	if m.store != nil && version != "" {
		m.store.Bookmark(version)
	}
}
