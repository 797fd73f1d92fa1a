package interrupt

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCommand(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no signals between processes")
	}
	// Shells start jobs in the background without interrupts. Processes that the test starts get them again.
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	defer signal.Stop(signals)
	for script, interrupts := range map[string]bool{
		"kill -INT $$": true, "kill -TERM $$": true, "kill -KILL $$": false, "exit 130": false, "true": false,
	} {
		ctx, cancel := Context(t.Context())
		defer cancel()
		ended := exec.Command("sh", "-c", script).Run()
		err := Command(ctx, ended)
		assert.Equal(t, interrupts, errors.Is(err, context.Canceled), script)
		assert.Equal(t, interrupts, ctx.Err() != nil, script)
		if !interrupts {
			assert.Equal(t, ended, err, script)
		}
		err = Command(t.Context(), ended)
		assert.Equal(t, interrupts, errors.Is(err, context.Canceled), "outside of a run, the error says it")
	}
	require.NoError(t, t.Context().Err())
}

func TestCommandOfAnInterruptedRun(t *testing.T) {
	ctx, cancel := Context(t.Context())
	cancel()
	assert.Equal(t, context.Canceled, Command(ctx, errors.New("exit status 1")))
	assert.NoError(t, Command(ctx, nil), "it was done before")
}

func TestDo(t *testing.T) {
	value, err := Do(t.Context(), func() (int, error) { return 1, errors.New("wrong") })
	assert.Equal(t, 1, value)
	require.EqualError(t, err, "wrong")

	ctx, cancel := context.WithCancel(t.Context())
	release := make(chan struct{})
	defer close(release)
	_, err = Do(ctx, func() (int, error) {
		cancel()
		<-release
		return 1, nil
	})
	assert.ErrorIs(t, err, context.Canceled)
}
