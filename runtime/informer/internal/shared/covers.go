package shared

// Covers reports whether an object is in the arcs of the informer.
func (i *Informer) Covers(object any) bool {
	i.lock.Lock()
	defer i.lock.Unlock()
	if i.config.Arcs.IsAll() {
		return true
	}
	at := i.config.Key.PlaceOf(object)
	return at.Hashed && i.config.Arcs.Has(at.Hash)
}
