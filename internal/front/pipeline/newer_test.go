package pipeline

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
)

// nextRelease is a release of client-go that does not exist yet, and nextYear a module with it.
var (
	nextRelease = model.Target{Minor: model.NewestTarget.Minor + 1}.String() + ".0"
	nextYear    = strings.ReplaceAll(`
-- go.mod --
module example.com/m

go 1.26.0

require k8s.io/client-go NEXT
-- vendor/modules.txt --
# k8s.io/client-go NEXT
## explicit
k8s.io/client-go/tools/cache
-- vendor/k8s.io/client-go/tools/cache/listwatch.go --
package cache

type ListWatch struct{}
-- vendor/k8s.io/client-go/tools/cache/other_windows.go --
package cache

func OnlyThere() {}
-- vendor/sigs.k8s.io/structured-merge-diff/v9/typed/typed.go --
package typed
`, "NEXT", nextRelease)
)

func TestNewerRelease(t *testing.T) {
	dir := t.TempDir()
	files, err := txtar.FS(txtar.Parse([]byte(nextYear)))
	require.NoError(t, err)
	require.NoError(t, os.CopyFS(dir, files))
	release, err := module.ReleaseOf(t.Context(), dir)
	require.NoError(t, err)
	require.True(t, release.TooNew)
	assert.Equal(t, "v9", release.Target.StructuredMergeDiff())

	api := &run.API{Place: module.Place{Dir: dir, ImportPath: "example.com/m"}, ClientGo: release}
	warnings := newerRelease(api)
	require.Len(t, warnings, 1)
	assert.True(t, warnings[0].Warning)
	assert.Equal(t, filepath.Join(dir, "go.mod"), warnings[0].Pos.Filename)
	assert.Equal(t, "client-go "+nextRelease+" is newer than "+model.NewestTarget.String()+", the newest known release, for which this is generated", warnings[0].Message)

	use := func(path, body string) render.File {
		return render.File{Path: path, Content: []byte("package a\n\nimport (\n\tcc \"k8s.io/client-go/tools/cache\"\n\t\"k8s.io/client-go/rest\"\n)\n\n" + body)}
	}
	assert.Empty(t, missingSymbols(api, []render.File{
		use("a.go", "var _ = cc.ListWatch{}\n\nvar _ = cc.OnlyThere\n\nvar _ rest.Config\n"), {Path: "b.yaml", Content: []byte("a: b\n")},
	}))
	problems := missingSymbols(api, []render.File{use("a.go", "var _ = cc.Gone\n"), use("b.go", "var _ = cc.Gone\n")})
	require.Len(t, problems, 1)
	assert.Equal(t, "k8s.io/client-go "+nextRelease+" lacks Gone of package k8s.io/client-go/tools/cache, which the output for "+model.NewestTarget.String()+" uses", problems[0].Message)

	api.ClientGo.TooNew = false
	assert.Empty(t, missingSymbols(api, []render.File{use("a.go", "var _ = cc.Gone\n")}))
}
