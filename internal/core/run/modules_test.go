package run

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
)

func TestLine(t *testing.T) {
	edit := func(dir, metrics string) string {
		return "mod edit -require=" + module.Library + "@v0.0.0 " + dir + " -require=" + module.LibraryMetrics + "@v0.0.0 " + metrics
	}
	const library, metrics = "-replace=" + module.Library + "=", "-replace=" + module.LibraryMetrics + "="
	plain := edit(library+"/src/runtime", metrics+"/src/runtime/metrics")
	lacking := []string{module.Library + "/informer", "k8s.io/client-go/rest"}
	get := func(source module.LibrarySource, vendored bool) GoGet {
		return GoGet{"/m", module.Edit(lacking, source), module.Get(lacking, "v0.37.2", source), vendored}
	}
	clone, spaces, release := module.LibrarySource{Dir: "/src/runtime"}, module.LibrarySource{Dir: "/my src/runtime"}, module.LibrarySource{Version: "v1.2.3"}
	for want, line := range map[string]string{
		"go " + plain + " && go get k8s.io/client-go@v0.37.2 ./...":                                                                        get(clone, false).Line("/m"),
		"go " + edit("'"+library+"/my src/runtime'", "'"+metrics+"/my src/runtime/metrics'") + " && go get k8s.io/client-go@v0.37.2 ./...": get(spaces, false).Line("/m"),
		"go -C .. " + plain + " && go -C .. get k8s.io/client-go@v0.37.2 ./... && go -C .. mod vendor":                                     get(clone, true).Line("/m/api"),
		"go get " + module.Library + "@v1.2.3 k8s.io/client-go@v0.37.2 ./...":                                                              get(release, false).Line("/m"),
		"go " + edit(library+"DIR", metrics+"DIR/metrics") + " && go get k8s.io/client-go@v0.37.2 ./...":                                   get(module.LibrarySource{}, false).Line("/m"),
	} {
		assert.Equal(t, want, line)
	}
	assert.Equal(t, "go -C .. mod vendor", GoGet{Module: "/m", Vendored: true}.Line("/m/api"))
	assert.Empty(t, get(clone, false).Note())
	assert.Empty(t, get(release, false).Note())
	assert.Contains(t, get(module.LibrarySource{}, false).Note(), "replace DIR by the folder runtime")
}
