package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// built builds the command and the type checker without the race detector, which makes large inputs several times slower. Tests that
// call app.run use every generator with it.
var built = sync.OnceValues(func() (dir string, err error) {
	if dir, err = os.MkdirTemp("", "cli-programs-"); err != nil {
		return "", err
	}
	removeBuilt = func() { _ = os.RemoveAll(dir) }
	build := exec.Command("go", "build", "-race=false", "-o", dir+string(os.PathSeparator), "../../cmd/informer-gen-lite", "../../test/internal/typecheck")
	out, err := build.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return dir, nil
})

// removeBuilt is called by TestMain.
var removeBuilt = func() {}

// runBuilt runs a program in dir.
func runBuilt(t *testing.T, dir, program string, args ...string) (code int, stdout, stderr []byte) {
	t.Helper()
	programs, err := built()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), filepath.Join(programs, program), args...)
	var out, problems bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &problems
	err = cmd.Run()
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	return cmd.ProcessState.ExitCode(), out.Bytes(), problems.Bytes()
}

// runQuickly is like run, with the built program.
func runQuickly(t *testing.T, dir string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	code, out, problems := runBuilt(t, dir, "informer-gen-lite", args...)
	return code, string(out), string(problems)
}
