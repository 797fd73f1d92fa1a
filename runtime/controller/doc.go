// Package controller calls a reconciler for each object that changes. It works with any typed client: clients of client-go,
// generated clients, and the clients for metadata and for unstructured objects.
//
//	pods := informer.Namespaced(kube, corev1.SchemeGroupVersion.WithResource("pods"), kube.CoreV1().Pods)
//	c, err := controller.New(pods, reconciler, controller.WithWorkers(4))
//	if err != nil {
//		return err
//	}
//	return c.Run(ctx) // nil once ctx is done and all work has finished
//
// # Results
//
//   - nil resets the backoff. With [Result].RequeueAfter, the object is reconciled again after that time.
//   - An error is retried forever with exponential backoff and jitter, from 5 ms to 5 minutes. It is logged, counted, and reported
//     as a Warning event, see [WithEventRecorder].
//   - A [TerminalError] drops the object until the next event for it or an object that it owns.
//   - An optimistic-lock conflict, see [IsLockConflict], is retried with the same backoff, but is no failure; every tenth in a row
//     is logged and reported as an event.
//   - An error because a namespace is being deleted is no failure, and is retried after 5 minutes.
//   - A panic is passed to the panic handlers of apimachinery, and then treated as an error. After one in a function given to [Watch] or
//     [WatchChannel], the event enqueues nothing.
//
// Conflicts between field managers, and errors joined with a conflict, are errors. Joined errors are terminal only if all of them
// are, so return a failed status update with errors.Join(err, statusErr). [WithMaxRetries] limits retries. Dropped objects are
// reported to the log, [WithGaveUp], [WithEventRecorder] and [WithMetrics].
//
// # Informers
//
// A controller has a factory of its own, with the options of [WithInformers], which Run starts and shuts down. With the factory of
// [WithFactory], the caches are shared: Run runs the informers that the controller needs while it needs them. Start, Stop and Shutdown
// of a shared factory are up to its creator, who need not start it.
//
// Namespaces, selectors and transform functions belong to a use of a kind. [WithReconciled] sets them for reconciled objects, [WithOwned]
// for the owned objects of one kind, [WithReferred] for referred objects of one kind. Uses with the same scope share an informer.
// Namespaces may change while the controller runs, see informer.WithNamespaceSelector: objects of new namespaces are reconciled once
// all caches have them; objects of removed namespaces are dropped without a call of the reconciler. With informer.WhenServed, a
// kind may be served later than the controller starts, or no longer; [Controller.Unserved] says which are awaited.
//
// # Owned objects
//
// [Own] watches the objects of another source and enqueues their owners, [Owned.By] finds the objects of an owner. Own selects objects
// by a label, which Sync writes; [OwnAll] watches all objects of the kind. [Sync] makes owned objects match the desired ones: it writes
// objects that are missing or differ, and deletes objects that are no longer desired.
//
//	deployments, err := controller.Own(c, informer.Namespaced(kube, deploymentResource, kube.AppsV1().Deployments))
//	…
//	err := controller.Sync(ctx, writer, workload, deployments.By,
//		controller.Apply(kube.AppsV1().Deployments, appsv1apply.ExtractDeployment, desired))
//
// Sync never takes over an object that the owner does not control: it continues with the others, records a NameTaken event, and
// returns a [NameTakenError]. [Desired.Adopt] adopts objects without a controller. [Apply] compares by managed fields, which the
// cache keeps with informer.WithManagedFields; without them, each reconcile applies all objects. An owner without a UID owns
// nothing. For an owner that is being deleted, Sync does nothing, except in Finalize.
//
// # Finalizers and status
//
// With [WithFinalizer], the finalizer is added before the first Reconcile, by a patch with an optimistic lock. Objects that are
// being deleted are passed to Finalize, and then lose it. [UpdateStatus] and [StatusOf] write the status if it differs,
// [SetCondition] sets a condition with its observed generation.
//
// # Reading your own writes
//
// Caches lag behind. The controller records the resource versions that a reconcile writes, and does not reconcile the object again
// until the caches have them. Meanwhile the object occupies no worker. Sync, the helpers for the status, finalizers, and clients of
// package consistency record writes; for others, call [Wrote] and [Deleted]. After a minute, see [WithConsistencyTimeout], the
// object is reconciled anyway. With fake clientsets other than strict ones, objects never wait, because they have no resource
// versions.
//
// With leader election, the writes of the previous leader may be missing, too: see [WithHandover].
//
// # Own writes
//
// The writes of the status and of finalizers that a reconcile makes with [UpdateStatus], [StatusOf] and [WithFinalizer] do not
// enqueue the object again: otherwise, an error whose text varies would be retried without backoff, because each text is a new
// status. An event is ignored only if it goes from the resource version that the request carried to the version of the answer. Any
// other event may have a change of somebody else, and enqueues the object. For writes with other clients, call consistency.Replaced.
// A reconciler that goes on after its own status returns [Result].RequeueAfter.
//
// # Life cycle
//
//   - Start: Run waits until the handlers have seen all objects of all informers. After [WithSyncTimeout], it returns the API
//     server's reasons.
//   - Order: new events come before the initial list and resyncs, which get every eighth turn; retries stay. Namespaces take turns.
//   - End: when the context is done, workers take no more items. Reconciles in flight may continue for [WithDrainTimeout]; then
//     their contexts are canceled, and Run returns an error. Run waits for all goroutines, so a reconciler must respect its
//     context.
//   - Standby: with [WithElected], Run fills the caches at once, and reconciles all objects when the channel is closed.
//     [WithLeadership] is for processes that may lead several times.
//   - Names: two controllers of one name must not run at the same time on one factory, or with the same metrics: Run of the second
//     returns an error, see [WithName]. A name is taken while Run runs.
//
// At level 4, the log has the reason why an object is enqueued and the outcome of each reconcile. All lines of one reconcile have
// the same reconcileID. [WithTracer] takes a tracer; package tracing, a module of its own, has one for OpenTelemetry.
// [Controller.DescribeObject] says why an object is not reconciled, and what its last reconciles did.
//
// # Pause
//
// [WithPause] names an annotation whose objects are left alone: the reconciler is not called, and nothing of them is written, labeled or
// deleted, but for a condition Paused in their status. Deletions go on, see [PauseDeletion]. A reconcile in flight ends as usual.
//
// # Limits
//
// An object that was deleted and created again is seen as changed, not deleted, if that happened while the watch was broken or
// before a worker reached the object. To clean up after each object, use a finalizer. With a label or field selector, an object
// that stops matching looks deleted.
package controller
