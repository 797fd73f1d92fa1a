// Package strictfake makes fake clientsets answer as an API server: clientsets that this project or code-generator has generated,
// and client-go's own.
//
// A plain fake clientset stores its input unchanged. It has no resource versions, so no update ever conflicts; an update of the spec
// also writes the status; deleting ignores finalizers; a watch starts now, whatever the options say. Tests that pass on it fail on
// a cluster. A [Server] behaves as a server behaves for custom resources, down to the texts of errors: this is measured by several
// hundred probes of a real one.
//
//	server, client := strictfake.NewServer(), fake.NewClientset()
//	err := server.Serve(client, scheme.Scheme, applyconfiguration.NewTypeConverter(scheme.Scheme))
//
// # What a server does
//
//   - Resource versions count all changes. Updates need the latest one, and fail with a conflict otherwise. Writes without changes
//     are no changes.
//   - Metadata is defaulted and validated: UIDs, timestamps, generations, generated names, owner references.
//   - The status and the scale are subresources. Updates of the object do not change the status, and the other way around.
//   - Managed fields, server-side apply with conflicts, JSON patches and merge patches; strategic merge patches for built-in kinds.
//   - Finalizers, preconditions, propagation policies. A garbage collector deletes dependents before the request that deletes their
//     last owner returns.
//   - Label, field and shard selectors, pages with continue tokens, lists and watches from older resource versions, bookmarks, initial
//     events, timeouts, status 410 for versions that are no longer kept.
//   - Dry runs, field validation, several versions of a kind with conversion, discovery.
//   - Subresources of built-in kinds, such as eviction and ephemeralcontainers, and the rules of a server's strategies for each kind.
//
// # What it does not do
//
// It runs no controllers but the garbage collector, no admission, no authorization. Of the objects of built-in kinds, only the
// metadata is defaulted and validated. The same holds for custom resources, unless [Server.SetSchema] sets a schema: package
// crdfake of this project does that for CustomResourceDefinitions, with the libraries of the API server.
//
//	err = crdfake.Use(server, crds...)
//
// Reviews such as SubjectAccessReview and TokenReview, which servers answer from what they know about users, are left to the
// reactors of the clientset, in whatever order they were added.
//
// # Clientsets
//
// [Server.Serve] finds the clients of a clientset. It calls each client once, while the clientset only records, and
// reads kinds, plurals, scopes and subresources from methods and actions. What methods do not show are [ServeOption] values.
// Whether a kind is built in follows from its group. Several clientsets can share a server: they then share resource versions,
// history and garbage collection. Their reactors and recorded actions stay apart.
//
// Reactors that are prepended after Serve come before the server, so tests can let requests fail as usual. Reactors run with the
// lock of their clientset: they must not call its clients, but can call [Server.Tracker] and [Server.Add].
//
// Three things of a clientset do not change:
//
//   - Its own Tracker. If the clientset was created elsewhere, it holds the objects from before Serve, which clients no longer
//     see: use [Server.Tracker] and [Server.Add]. Strict clientsets that our generator writes return the server's.
//   - IsWatchListSemanticsUnSupported. Informers of client-go ask it whether they may stream their first list. If it is true, as
//     for client-go's own fake clientset, they list and watch.
//   - Watch without the context of the request, which client-go's fakes drop: stop watches with Stop, or call StopWith(ctx), a
//     method that the watches of a server have in addition.
//
// # Concurrency
//
// A [Server] and the clientsets that it serves are safe for concurrent use, apart from Serve and SetSchema, which say what must
// not happen at the same time. Requests are serialized, as in etcd. The lock of a clientset (client-go's Fake holds it during a
// request) comes before the server's lock. Functions for conversion and schemas run with the server's lock, so they must not call
// clients. Watches never block writes: each reads from the history at its own pace, and keeps the changes that it has not read yet
// in memory.
//
// With testing/synctest, a server runs in the bubble of the test that creates it.
package strictfake
