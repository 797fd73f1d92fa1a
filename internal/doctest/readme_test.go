package doctest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/localproxy"
)

const readme = root + "/README.md"

// TestReadme follows README as a new user in an empty directory: it writes the type, generates with the command from README, runs
// the commands that this prints, runs the program, and adds the reconciler and the scaffold.
func TestReadme(t *testing.T) {
	env := localproxy.Serve(t, root)
	s := session{t: t, dir: t.TempDir(), bin: t.TempDir()}
	code := map[string][]string{}
	for _, b := range blocks(t, readme) {
		code[b.language] = append(code[b.language], b.code)
	}
	require.Len(t, code["go"], 4)
	require.Len(t, code["sh"], 1)
	export := "export " + shellWords(env) + "\n"
	run := func(script string) string {
		out, err := s.run(export + script)
		require.NoError(t, err, "%s: %s", script, out)
		return out
	}
	text, err := os.ReadFile(readme)
	require.NoError(t, err)
	quoted := func(words string) string { // README contains these words
		require.Contains(t, string(text), "`"+words+"`")
		return words
	}

	run(quoted("go mod init example.com/shop"))
	s.write(quoted("apis/fleet/v1/types.go"), code["go"][0])
	for line := range strings.Lines(run(code["sh"][0])) {
		if command, printed := strings.CutPrefix(line, "\t"); printed {
			run(command)
		}
	}
	s.write(quoted("main.go"), code["go"][1])
	assert.Equal(t, quoted("added arm-1")+"\n", run(quoted("go run .")))

	s.write("reconciler.go", reconcilerHead+code["go"][2])
	run("go vet ./...")
	scaffold := strings.Replace(quoted("informer-gen-lite scaffold Robot"), "informer-gen-lite", strings.TrimSuffix(code["sh"][0], " ./...\n"), 1)
	run(scaffold)
	for _, name := range []string{"cmd/robot-controller/main.go", "config/crd/fleet.example.com_robots.yaml", "config/rbac/robot-controller.yaml", "internal/controller/robot/reconciler_test.go"} {
		assert.FileExists(t, filepath.Join(s.dir, name))
	}
	s.write("generate.go", "package main\n\n"+code["go"][3])
	assert.Contains(t, run("go generate ."), "0 files written")
}

// reconcilerHead precedes the reconciler in README.
const reconcilerHead = `package main

import (
	"context"
	"time"

	fleetv1 "example.com/shop/apis/fleet/v1"
	clientset "example.com/shop/pkg/generated/clientset/versioned"
	"example.com/shop/pkg/generated/controllers"
	fleetcontrollers "example.com/shop/pkg/generated/controllers/fleet/v1"
	"k8s.io/client-go/tools/cache"
	klog "k8s.io/klog/v2"
)

`

// shellWords quotes environment variables for a shell.
func shellWords(env []string) string {
	var words []string
	for _, variable := range env {
		name, value, _ := strings.Cut(variable, "=")
		words = append(words, name+"='"+value+"'")
	}
	return strings.Join(words, " ")
}
