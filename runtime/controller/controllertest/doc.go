// Package controllertest tests reconcilers on fake clientsets, one reconcile at a time, without a running controller. It is for
// test files only.
//
//	client, kube := fake.NewStrictClientset(), kubefake.NewClientset()
//	env := controllertest.New(t, client, kube)
//	got := controllertest.Reconcile(env, func() (*fleetv1controllers.WorkloadController, error) {
//		return New(client, kube, env.Recorder)
//	}, workload, region, deployment)
//
//	require.NoError(t, got.Err)   // of the reconciler; a panic is an error
//	require.Zero(t, got.Result)   // of the reconciler
//	require.NotNil(t, got.Object) // the workload afterwards, nil if it was deleted
//	require.Equal(t, "patch workloads shop/web", got.Writes[0].String())
//	require.Equal(t, "Warning NameTaken Deployment shop/web exists and has no controller", got.Events[0].String())
//
// The clientsets answer as one API server, see package strictfake: each object is added to the clientset that knows its type, and
// owners and dependents may belong to different ones. Reconcile fills the caches, processes the object as a worker does, and stops
// the controller. Retries and events about failures need Run of the controller.
//
// [Lines] returns writes and events as strings, for comparisons. To test failures, call PrependReactor of a clientset before
// Reconcile. To test what happens next, change objects with the clientsets and call [ReconcileNamed].
package controllertest
