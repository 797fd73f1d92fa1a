package build_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/test/build/localproxy"
	"github.com/informer-gen-lite/informer-gen-lite/test/internal/doctest"
)

// TestReadme follows README as a new user in an empty directory: it writes the type, generates with the command from README, runs
// the commands that this prints, runs the program, and adds the reconciler and the scaffold.
func TestReadme(t *testing.T) {
	env, _ := localproxy.Serve(t, string(root))
	s := doctest.Session{T: t, Root: root, Dir: t.TempDir(), Bin: t.TempDir(), Env: env}
	code := map[string][]string{}
	for _, b := range root.Blocks(t, doctest.Readme) {
		code[b.Language] = append(code[b.Language], b.Code)
	}
	require.Len(t, code["go"], 4)
	require.Len(t, code["sh"], 1)
	run := func(script string) string {
		out, err := s.Run(script)
		require.NoError(t, err, "%s: %s", script, out)
		return out
	}
	text, err := os.ReadFile(root.Path(doctest.Readme))
	require.NoError(t, err)
	quoted := func(words string) string { // README contains these words
		require.Contains(t, string(text), "`"+words+"`")
		return words
	}

	run(quoted("go mod init example.com/shop"))
	s.Write(quoted("apis/fleet/v1/types.go"), code["go"][0])
	for line := range strings.Lines(run(code["sh"][0])) {
		if command, printed := strings.CutPrefix(line, "\t"); printed {
			run(command)
		}
	}
	s.Write(quoted("main.go"), code["go"][1])
	assert.Equal(t, quoted("added arm-1")+"\n", run(quoted("go run .")))

	s.Write("reconciler.go", reconcilerHead+code["go"][2])
	run("go vet ./...")
	scaffold := strings.Replace(quoted("informer-gen-lite scaffold Robot"), "informer-gen-lite", strings.TrimSuffix(code["sh"][0], " ./...\n"), 1)
	run(scaffold)
	run(code["sh"][0])
	for _, name := range []string{"cmd/shop-operator/main.go", "config/crd/fleet.example.com_robots.yaml", "config/rbac/role.yaml", "config/rbac/shop-operator.yaml", "internal/controller/robot/reconciler_test.go"} {
		assert.FileExists(t, filepath.Join(s.Dir, name))
	}
	s.Write("generate.go", "package main\n\n"+code["go"][3])
	assert.Contains(t, run("go generate ."), "0 files written")
}

// reconcilerHead precedes the reconciler in README.
const reconcilerHead = `package main

import (
	"context"
	"time"

	fleetv1 "example.com/shop/apis/fleet/v1"
	clientset "example.com/shop/pkg/generated/clientset/versioned"
	fleetcontrollers "example.com/shop/pkg/generated/controllers/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"k8s.io/client-go/tools/cache"
	klog "k8s.io/klog/v2"
)

`
