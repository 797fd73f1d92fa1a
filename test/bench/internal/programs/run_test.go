package programs

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestClientGoCommands(t *testing.T) {
	task := Task{Pattern: "k8s.io/api/...", Packages: []string{"k8s.io/api/apps/v1", "k8s.io/api/core/v1"}, ClientGo: true}
	assert.Equal(t, "generate k8s.io/api/... --output-dir out --output-pkg bench.example/generated "+
		"--clientset-dir kubernetes --listers-dir listers --informers-dir informers --prefers-protobuf "+
		"--plural-exceptions Endpoints:Endpoints --applyconfiguration-package k8s.io/client-go/applyconfigurations",
		strings.Join(task.ours("out"), " "))
	assert.Equal(t, []string{
		"client-gen --output-dir out --output-pkg bench.example/generated --plural-exceptions Endpoints:Endpoints " +
			"--clientset-name kubernetes --input-base  --input k8s.io/api/apps/v1,k8s.io/api/core/v1 --prefers-protobuf " +
			"--apply-configuration-package k8s.io/client-go/applyconfigurations",
		"lister-gen --output-dir out/listers --output-pkg bench.example/generated/listers " +
			"--plural-exceptions Endpoints:Endpoints k8s.io/api/apps/v1 k8s.io/api/core/v1",
		"informer-gen --output-dir out/informers --output-pkg bench.example/generated/informers " +
			"--plural-exceptions Endpoints:Endpoints --versioned-clientset-package bench.example/generated/kubernetes " +
			"--listers-package bench.example/generated/listers --single-directory k8s.io/api/apps/v1 k8s.io/api/core/v1",
	}, lines(task.upstream("out")))
}

func TestDefaultCommands(t *testing.T) {
	task := Task{Pattern: "./...", Packages: []string{"a.example/v1"}}
	assert.Equal(t, "generate ./... --output-dir out --output-pkg bench.example/generated "+
		"--clientset-dir clientset/versioned --listers-dir listers --informers-dir informers/externalversions",
		strings.Join(task.ours("out"), " "))
	assert.Equal(t, []string{
		"client-gen --output-dir out/clientset --output-pkg bench.example/generated/clientset " +
			"--clientset-name versioned --input-base  --input a.example/v1",
		"lister-gen --output-dir out/listers --output-pkg bench.example/generated/listers a.example/v1",
		"informer-gen --output-dir out/informers --output-pkg bench.example/generated/informers " +
			"--versioned-clientset-package bench.example/generated/clientset/versioned " +
			"--listers-package bench.example/generated/listers a.example/v1",
	}, lines(task.upstream("out")))
}

func lines(commands [][]string) []string {
	var all []string
	for _, command := range commands {
		all = append(all, filepath.ToSlash(strings.Join(command, " ")))
	}
	return all
}

func TestEnvironment(t *testing.T) {
	t.Setenv("GOCACHE", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	env, err := environment()
	require.NoError(t, err)
	assert.Contains(t, env, "GOWORK=off")
	cmd := (&Set{bin: "bin", env: env}).command(t.Context(), "module", "client-gen", []string{"a"})
	assert.Equal(t, "module", cmd.Dir)
	assert.Equal(t, []string{filepath.Join("bin", "client-gen"), "a"}, cmd.Args)
	assert.Equal(t, env, cmd.Env)
}
