package metrics

func newMissing() *sampled {
	return newSampled("controller_missing_definition_fields",
		"Fields that the definitions in the cluster lack, of the kinds that are reconciled or owned.")
}

// MissingFields implements controller.Metrics. missing is called as running is in LongestRunning.
func (m *Metrics) MissingFields(controller string, missing func() int) {
	m.missing.add(controller, func() float64 { return float64(missing()) })
}
