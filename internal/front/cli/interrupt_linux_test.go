package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/output"
)

const nothingChanged = "informer-gen-lite: interrupted, nothing was changed\nexit code 130\n"

// TestInterruptedGoCommand interrupts only the go command, as if its signal had arrived first, and then its whole process group.
func TestInterruptedGoCommand(t *testing.T) {
	for _, script := range []string{"kill -TERM $$", "kill -INT $$", "kill -TERM 0; exec sleep 1000", "sleep 1000 & kill -INT $PPID; wait"} {
		dir := fleetModule(t, "Robot")
		writeFile(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.26.0\n\nrequire example.com/not/downloaded v1.0.0\n")
		bin := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(bin, "go"), []byte("#!/bin/sh\n"+script+"\n"), 0o777))
		cmd, output := startable(dir)
		cmd.Env = append(cmd.Env, "PATH="+bin+":"+os.Getenv("PATH"))
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		require.NoError(t, cmd.Run(), script)
		assert.Equal(t, nothingChanged, output.String(), script)
		assert.NoDirExists(t, filepath.Join(dir, "pkg"))
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // processes left over from the script
	}
}

// startBlocked starts the command and waits until it blocks on its standard input.
func startBlocked(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	_, err = io.WriteString(stdin, strings.Repeat("# more than a pipe holds\n", 1<<12))
	require.NoError(t, err, "it has read some")
}

func TestInterruptedMigrate(t *testing.T) {
	for _, args := range [][]string{{"migrate", "-"}, {"migrate", "--check", "-"}} {
		cmd, printed := startable(fleetModule(t, "Robot"), args...)
		startBlocked(t, cmd)
		require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
		require.NoError(t, cmd.Wait())
		assert.Equal(t, nothingChanged, printed.String())
	}
}

func TestInterruptedWhileWaitingForLock(t *testing.T) {
	dir := fleetModule(t, "Robot")
	unlock, err := output.Lock(t.Context(), []string{dir}, nil)
	require.NoError(t, err)
	defer unlock()
	cmd, _ := startable(dir, "--output", "github")
	var printed bytes.Buffer
	cmd.Stdout = &printed
	waits := make(firstWrite, 1)
	cmd.Stderr = waits
	require.NoError(t, cmd.Start())
	assert.Contains(t, <-waits, "waiting for another run")
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	require.NoError(t, cmd.Wait())
	assert.Equal(t, "::error::interrupted, nothing was changed\nexit code 130\n", printed.String())
}

// TestSecondSignal sends signals until the process has ended. After the first signal, the process writes to a pipe without a
// reader. The signals are spaced like those of a user: Go's runtime may crash if a signal arrives while another one ends the
// process.
func TestSecondSignal(t *testing.T) {
	cmd, _ := startable(fleetModule(t, "Robot"), "migrate", "-")
	read, write, err := os.Pipe()
	require.NoError(t, err)
	defer func() { _ = read.Close() }()
	cmd.Stdout, cmd.Stderr = write, write
	fd := int(write.Fd())
	require.NoError(t, syscall.SetNonblock(fd, true))
	for err == nil {
		_, err = syscall.Write(fd, []byte("\n"))
	}
	require.NoError(t, syscall.SetNonblock(fd, false))
	startBlocked(t, cmd)
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for {
		select {
		case err := <-ended:
			assert.EqualError(t, err, "signal: terminated")
			return
		case <-again.C:
			_ = cmd.Process.Signal(syscall.SIGTERM)
		}
	}
}

func TestNamedPipes(t *testing.T) {
	for name, args := range map[string][]string{
		"fleet/v1/pipe.go": nil, ".informer-gen.yaml": nil, "header.txt": {"--go-header-file", "header.txt"},
		"crds/crd.yaml": {"--crd-dir", "crds"}, "update.sh": {"migrate", "update.sh"},
		"pkg/generated/zz_generated.sum": nil,
	} {
		dir := fleetModule(t, "Robot")
		pipe := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(pipe), 0o777))
		require.NoError(t, syscall.Mkfifo(pipe, 0o666))
		code, _, stderr := execute(t, dir, args...)
		assert.NotEqual(t, exitDone, code, name)
		assert.Contains(t, stderr, pipe+": this is a named pipe, and only regular files are read", name)
	}
	code, _, stderr := execute(t, fleetModule(t, "Robot"), "--go-header-file", os.DevNull)
	assert.Equal(t, exitDone, code, stderr)
}

func TestInterruptedError(t *testing.T) {
	for want, err := range map[string]error{
		"interrupted": errWatching, "interrupted, nothing was changed": errors.New("package not found"),
		"interrupted after some files were replaced: run again to finish": fmt.Errorf("%w; %w", context.Canceled, output.ErrIncomplete),
	} {
		assert.EqualError(t, interrupted(err), want)
	}
}
