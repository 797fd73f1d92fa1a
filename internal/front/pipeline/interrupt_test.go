package pipeline

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/output"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/front/config"
)

const interruptedTypes = "// +groupName=fleet.example.com\npackage v1\n\n// +genclient\n// +genclient:onlyVerbs=get\ntype Robot struct { TypeMeta; ObjectMeta `json:\"metadata\"` }\n\n" +
	"func (in *Robot) DeepCopyObject() runtime.Object { return nil }\n"

// TestInterruptedStages interrupts the runs for two outputs at the beginning of each stage.
func TestInterruptedStages(t *testing.T) {
	for at := 0; ; at++ {
		dir := filepath.Join(t.TempDir(), "m")
		require.NoError(t, os.MkdirAll(filepath.Join(dir, "fleet", "v1"), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/m\n\ngo 1.26.0\n"), 0o666))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "fleet", "v1", "types.go"), []byte(interruptedTypes), 0o666))
		outputs, err := config.Parse(filepath.Join(dir, option.FileName), []byte("packages: [./fleet/...]\noutputs:\n- output-dir: one\n  only: [clientset]\n- output-dir: two\n  only: [clientset]\n"))
		require.NoError(t, err)
		all, err := AllOptions(outputs, run.House{Products: generators.All})
		require.NoError(t, err)
		var stages []string
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		runs, err := Prepare(ctx, all, run.Settings{Writes: true, Observer: run.Observer{Stage: func(name string) {
			if stages = append(stages, name); len(stages) == at+1 {
				cancel()
			}
		}}})
		if err == nil {
			err = Apply(ctx, runs)
		}
		if len(stages) <= at {
			require.NoError(t, err)
			assert.Equal(t, 14, at, "%v", stages)
			return
		}
		require.ErrorIs(t, err, context.Canceled, "at %s", stages[at])
		assert.Len(t, stages, at+1, "no other stage begins: %v", stages)
		second := at == 13
		assert.Equal(t, second, errors.Is(err, output.ErrIncomplete), "%d. stage %s", at, stages[at])
		_, err = os.Stat(filepath.Join(dir, "one"))
		assert.Equal(t, second, err == nil)
		assert.NoDirExists(t, filepath.Join(dir, "two"))
		assert.False(t, slices.Contains(stages[:at], "writing") && !second)
	}
}
