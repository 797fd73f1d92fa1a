package programs

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestProjectCommands(t *testing.T) {
	for generator, want := range map[Generator][2]string{
		Definitions: {"crd:allowDangerousTypes=true output:crd:dir=out paths=./apis/...",
			"--only crd --crd-output-dir out --crd-options allowDangerousTypes=true ./apis/..."},
		DeepCopies: {"object paths=./apis/...", "--only deepcopy ./apis/..."},
		Roles: {"rbac:roleName=manager-role output:rbac:dir=out paths=./apis/...",
			"--only rbac --rbac-output-dir out --rbac-role-name manager-role --rbac-paths ./apis/... ./apis/..."},
	} {
		p := Project{Pattern: "./apis/...", Generator: generator}
		assert.Equal(t, want[0], strings.Join(p.controllerGen("out"), " "))
		assert.Equal(t, want[1], strings.Join(p.ours("out"), " "))
	}
	older := Project{Pattern: "./...", Generator: DeepCopies, ClientGo: "v0.33"}
	assert.Equal(t, "--only deepcopy --client-go v0.33 ./...", strings.Join(older.ours("out"), " "))
	assert.Equal(t, "object paths=./...", strings.Join(older.controllerGen("out"), " "))
}

func TestLenient(t *testing.T) {
	set := New("bin")
	cmd := set.Lenient().command(t.Context(), "module", controllerGen, nil)
	assert.Equal(t, []string{"GOWORK=off", "GOFLAGS=-mod=mod"}, cmd.Env[len(cmd.Env)-2:])
	assert.NotContains(t, set.env, "GOFLAGS=-mod=mod")
}
