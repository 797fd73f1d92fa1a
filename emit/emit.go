// Package emit embeds the run-time code that generators emit unchanged: Go packages that are compiled and tested in place. The
// generators only rewrite the package clause and the import paths of generated packages, and omit lines that end with
// "//emit:if Capability" for releases of client-go without the capability; see model.Target.
package emit

import (
	"embed"
	"io/fs"
	"path"
)

// FS holds the emitted files, in one folder per package. They are listed one by one, so that no test is emitted.
//
//go:embed controllers/claim.go controllers/consistency.go controllers/controller.go controllers/errors.go controllers/factory.go
//go:embed controllers/failures.go controllers/finalizer.go controllers/identity.go controllers/kube.go controllers/metrics.go
//go:embed controllers/names.go controllers/options.go controllers/owned.go controllers/queue.go controllers/reconcile.go
//go:embed controllers/result.go controllers/session.go controllers/settings.go controllers/sync.go controllers/waiters.go controllers/watch.go
//go:embed controllers/tracing/tracing.go
//go:embed controllers/controllertest/clients.go controllers/controllertest/events.go controllers/controllertest/reconcile.go
//go:embed controllers/controllertest/kube.go controllers/controllertest/writes.go
//go:embed strict/collect.go strict/create.go strict/delete.go strict/discovery.go strict/fields.go strict/gotype.go strict/kubernetes.go strict/list.go strict/objects.go
//go:embed strict/patch.go strict/request.go strict/scale.go strict/server.go strict/store.go strict/tracker.go strict/validate.go strict/watch.go strict/write.go
//go:embed shared/broadcast.go shared/describe.go shared/errors.go shared/events.go shared/handlers.go shared/indexer.go shared/informer.go shared/listener.go shared/listerwatcher.go
//go:embed shared/metrics.go shared/mutation.go shared/namespaces.go shared/served.go shared/set.go shared/settings.go shared/source.go shared/store.go shared/trim.go
//go:embed shared/version.go
//go:embed cached/copies.go cached/index.go cached/list.go cached/objects.go reader/listed.go reader/reader.go
var FS embed.FS

// The packages that emitted files import. Their import paths are replaced by the user's.
const (
	ClientsetPackage   = "github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	InformersPackage   = "github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions"
	ControllersPackage = "github.com/informer-gen-lite/informer-gen-lite/emit/controllers"
	CachedPackage      = "github.com/informer-gen-lite/informer-gen-lite/emit/cached"
)

// Files returns the names of the files of a package that is emitted whole, sorted.
func Files(pkg string) []string {
	names, _ := fs.Glob(FS, path.Join(pkg, "*.go")) // fails only for invalid patterns
	return names
}
