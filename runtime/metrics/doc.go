// Package metrics serves the Prometheus metrics of controllers.
//
// New returns a value that controllers report to and that answers scrapes:
//
//	m := metrics.New()
//	c, err := controller.New(source, reconciler, controller.WithMetrics(m))
//	…
//	http.Handle("/metrics", m)
//
// With a manager, pass it once, for all controllers: manager.WithMetrics(metrics.New()).
//
// # What is served
//
// Metrics named controller_runtime_* have the same name, labels and meaning as in controller-runtime, so its dashboards and
// alerts work here too:
//
//	controller_runtime_reconcile_total{result}             success, requeue_after, requeue (conflicts), error
//	controller_runtime_reconcile_errors_total              failures, not counting conflicts
//	controller_runtime_terminal_reconcile_errors_total     terminal errors
//	controller_runtime_reconcile_panics_total
//	controller_runtime_reconcile_time_seconds              histogram
//	controller_runtime_active_workers
//	controller_runtime_max_concurrent_reconciles
//
// The others are this module's own:
//
//	controller_reconcile_duration_seconds{outcome}         histogram, 1 ms to 131 s, by controller.Outcome
//	controller_gave_up_total                               objects dropped after a terminal error or the last retry
//	controller_held_back_seconds                           histogram of waits for the caches to have the last writes
//	controller_stale_reconciles_total                      such waits that reached the consistency timeout
//	controller_longest_running_reconcile_seconds           of the reconciles in flight; 0 without any
//	controller_buckets                                     buckets of objects that this replica serves, see manager.WithShards
//	controller_moving_buckets                              buckets that this replica takes over or hands over
//	controller_paused_objects                              objects that an annotation pauses, see controller.WithPause
//	controller_missing_definition_fields                   fields that definitions in the cluster lack, see manager.WithStaleDefinitions
//	informer_shards_ignored{resource}                      1 while the API server sends the objects of all shards, see informer.WithShards
//
// All but the last have the label controller. Alert on controller_longest_running_reconcile_seconds to notice a reconcile that hangs.
//
// The registry of k8s.io/component-base is served too, with the metrics of work queues, informers, REST clients, leader election
// and the Go runtime. Metrics of your own belong in Registry.
package metrics
