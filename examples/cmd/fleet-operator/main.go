// Command fleet-operator runs the controllers of this module. To add a kind, import its package and call its Add.
package main

import (
	"errors"

	"github.com/informer-gen-lite/informer-gen-lite/examples/internal/controller/region"
	"github.com/informer-gen-lite/informer-gen-lite/examples/internal/controller/workload"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/manager"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/metrics"
)

func main() {
	manager.Main("fleet-operator", func(m *manager.Manager) error {
		return errors.Join(
			workload.Add(m),
			region.Add(m),
		)
	}, manager.WithMetrics(metrics.New()))
}
