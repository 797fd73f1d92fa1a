// Package manager runs several controllers in one process, as an operator does: with shared informers, one lease, probes, metrics, a debug
// page, and an ordered start and end.
//
//	func main() {
//		manager.Main("fleet-operator", func(m *manager.Manager) error {
//			return errors.Join(workload.Add(m), region.Add(m))
//		}, manager.WithMetrics(metrics.New()))
//	}
//
// An Add function makes a controller with clients and options of the manager. Scaffolded controllers have one:
//
//	func Add(m *manager.Manager) error {
//		kube, err := manager.Client(m, kubernetes.NewForConfig)
//		if err != nil {
//			return err
//		}
//		pods := informer.Namespaced(kube, corev1.SchemeGroupVersion.WithResource("pods"), kube.CoreV1().Pods)
//		c, err := controller.New(pods, reconciler, m.ControllerOptions("pod-controller")...)
//		if err != nil {
//			return err
//		}
//		return m.Add(c)
//	}
//
// [Main] is for commands: it has flags, logs and exit codes. [New] and [Manager.Start] are for programs that have their own.
//
// # Leader election
//
// Replicas of a process compete for a lease with the name of the manager, once their caches have synced. Only its holder reconciles; the
// others stand by with warm caches, and take over within milliseconds when the holder ends. When it crashes, they wait until its lease
// has expired. A holder that cannot renew the lease stops to reconcile before others take over, and competes again as a newcomer, see
// [WithRecoveryDeadline]. If it was frozen, it notices that when it goes on; until then, clients of [Manager.Config] refuse to write.
//
// Reconcilers of the new leader wait for the last writes of the previous one, see package handover.
//
// A process that replaces others, for example the commands of single controllers, holds their leases, too: see [AlsoHold].
//
// # Probes, metrics, debugging
//
// Each has an address of its own. /healthz fails if a reconcile has been running for an hour, see [WithStuckAfter]: a restart is the
// only way out. /readyz fails until all caches have synced. It says which leases the process does not hold. Connections to both end with
// each request, so that idle ones cannot keep the kubelet out. /metrics answers four requests at the same time. It has no protection
// without [WithMetricsSecurity]. The debug address must be one of the loopback interface:
//
//	kubectl port-forward deployment/fleet-operator 6060
//	curl localhost:6060/debug/controllers                    # objects that are queued, held back, failing
//	curl 'localhost:6060/debug/controllers?object=shop/web'  # why an object is not reconciled
//	curl -X PUT -d 4 localhost:6060/debug/flags/v            # log each reconcile
//	go tool pprof http://localhost:6060/debug/pprof/heap
package manager
