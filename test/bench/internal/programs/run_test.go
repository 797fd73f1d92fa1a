package programs

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestClientGoCommands(t *testing.T) {
	task := Task{Pattern: "./...", Packages: []string{"k8s.io/api/apps/v1", "k8s.io/api/core/v1"}, ClientGo: true}
	assert.Equal(t, "generate ./... --output-dir out --output-pkg bench.example/generated "+
		"--applyconfiguration-dir applyconfigurations --clientset-dir kubernetes --listers-dir listers --informers-dir informers "+
		"--prefers-protobuf --plural-exceptions Endpoints:Endpoints",
		strings.Join(task.ours("out"), " "))
	assert.Equal(t, []string{
		"deepcopy-gen --output-file zz_generated.deepcopy.go ./...",
		"applyconfiguration-gen --output-dir out/applyconfigurations --output-pkg bench.example/generated/applyconfigurations " +
			"k8s.io/api/apps/v1 k8s.io/api/core/v1",
		"client-gen --output-dir out --output-pkg bench.example/generated --plural-exceptions Endpoints:Endpoints " +
			"--clientset-name kubernetes --input-base  --input k8s.io/api/apps/v1,k8s.io/api/core/v1 " +
			"--apply-configuration-package bench.example/generated/applyconfigurations --prefers-protobuf",
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
		"--applyconfiguration-dir applyconfiguration --clientset-dir clientset/versioned --listers-dir listers "+
		"--informers-dir informers/externalversions",
		strings.Join(task.ours("out"), " "))
	assert.Equal(t, []string{
		"deepcopy-gen --output-file zz_generated.deepcopy.go ./...",
		"register-gen --output-file zz_generated.register.go a.example/v1",
		"applyconfiguration-gen --output-dir out/applyconfiguration --output-pkg bench.example/generated/applyconfiguration a.example/v1",
		"client-gen --output-dir out/clientset --output-pkg bench.example/generated/clientset " +
			"--clientset-name versioned --input-base  --input a.example/v1 " +
			"--apply-configuration-package bench.example/generated/applyconfiguration",
		"lister-gen --output-dir out/listers --output-pkg bench.example/generated/listers a.example/v1",
		"informer-gen --output-dir out/informers --output-pkg bench.example/generated/informers " +
			"--versioned-clientset-package bench.example/generated/clientset/versioned " +
			"--listers-package bench.example/generated/listers a.example/v1",
	}, lines(task.upstream("out")))
}

func TestClientsAlone(t *testing.T) {
	task := Task{Pattern: "./...", Packages: []string{"k8s.io/api/apps/v1"}, ClientGo: true, Clients: true}
	assert.Contains(t, strings.Join(task.ours("out"), " "), " --only clientset,listers,informers ")
	commands := lines(task.upstream("out"))
	require.Len(t, commands, 3)
	for i, program := range []string{"client-gen", "lister-gen", "informer-gen"} {
		assert.Equal(t, program, strings.Fields(commands[i])[0])
		assert.NotContains(t, commands[i], "apply-configuration")
	}
}

func TestHelperCommands(t *testing.T) {
	task := Task{Helpers: &Helpers{Defaults: []string{"a/v1", "a/v2"}, Conversions: []string{"a/v1"}, Peers: "core"}}
	const options = "generate --only defaults,conversion --output-dir out --output-pkg bench.example/generated --extra-peer-dirs core "
	assert.Equal(t, options+"a/v1 a/v2", strings.Join(task.ours("out"), " "))
	assert.Equal(t, []string{
		"defaulter-gen --output-file zz_generated.defaults.go a/v1 a/v2",
		"conversion-gen --output-file zz_generated.conversion.go --extra-peer-dirs core a/v1",
	}, lines(task.upstream("out")))
	assert.Equal(t, []string{"zz_generated.defaults.go", "zz_generated.conversion.go"}, task.PackageFiles())
	task.Pattern, task.Helpers.Peers = "./...", ""
	assert.Equal(t, strings.Replace(options, " --extra-peer-dirs core ", " ./...", 1), strings.Join(task.ours("out"), " "))
}

func TestReplacing(t *testing.T) {
	command := strings.Join(Task{Pattern: "./...", ClientGo: true, Replaces: "k8s.io/api/clients"}.ours("out"), " ")
	assert.Contains(t, command, " --output-pkg k8s.io/api/clients ")
	assert.True(t, strings.HasSuffix(command, " --adopt --accept-loss out k8s.io/apimachinery/pkg/apis/meta/v1"), command)
}

// TestEveryProgramIsRun compares the commands with the programs that are built.
func TestEveryProgramIsRun(t *testing.T) {
	var run []string
	for _, command := range (Task{}).upstream("out") {
		run = append(run, command[0])
	}
	assert.Equal(t, upstreamPrograms, run)
	var helpers []string
	for _, command := range (&Helpers{}).upstream() {
		helpers = append(helpers, command[0])
	}
	assert.Equal(t, helperPrograms, helpers)
}

func lines(commands [][]string) []string {
	var all []string
	for _, command := range commands {
		all = append(all, filepath.ToSlash(strings.Join(command, " ")))
	}
	return all
}

func TestEnvironment(t *testing.T) {
	t.Setenv("GOWORK", "go.work")
	set := New("bin")
	cmd := set.command(t.Context(), "module", "client-gen", []string{"a"})
	assert.Equal(t, "module", cmd.Dir)
	assert.Equal(t, []string{filepath.Join("bin", "client-gen"), "a"}, cmd.Args)
	assert.Equal(t, "GOWORK=off", cmd.Env[len(cmd.Env)-1], "the last one counts")

	dir := t.TempDir()
	cold := set.Cold(dir).command(t.Context(), "module", "client-gen", nil)
	assert.Equal(t, filepath.Join(dir, "bin", "client-gen"), cold.Args[0])
	assert.Equal(t, "GOCACHE="+filepath.Join(dir, "gocache"), cold.Env[len(cold.Env)-1])
}
