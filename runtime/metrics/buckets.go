package metrics

// newBuckets returns the gauge of the buckets that this replica serves.
func newBuckets() *sampled {
	return newSampled("controller_buckets", "Buckets of objects that this replica serves, of 256 in all replicas.")
}

// newMoving returns the gauge of the buckets that come or go.
func newMoving() *sampled {
	return newSampled("controller_moving_buckets", "Buckets that this replica takes over or hands over.")
}

// Buckets implements controller.Metrics. count is called as running is in LongestRunning.
func (m *Metrics) Buckets(controller string, count func() (open, moving int)) {
	m.buckets.add(controller, func() float64 {
		open, _ := count()
		return float64(open)
	})
	m.moving.add(controller, func() float64 {
		_, moving := count()
		return float64(moving)
	})
}
