package progress

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestProgressOfALongRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b bytes.Buffer
		p := New(&b, Patience)
		out := p.Above(&b)
		shown := func() string {
			p.mu.Lock()
			defer p.mu.Unlock()
			defer b.Reset()
			return b.String()
		}
		p.At("loading")
		time.Sleep(Patience - time.Millisecond)
		assert.Empty(t, shown(), "nothing is said before patience is at an end")
		p.At("parsing")
		time.Sleep(time.Millisecond)
		synctest.Wait()
		assert.Equal(t, eraseLine+"parsing…", shown())
		p.At("rendering")
		assert.Equal(t, eraseLine+"rendering…", shown())
		_, err := fmt.Fprintln(out, "a warning")
		require.NoError(t, err)
		assert.Equal(t, eraseLine+"a warning\n", shown(), "the line makes room")
		time.Sleep(time.Hour)
		synctest.Wait()
		assert.Empty(t, shown(), "an idle run, such as a watch, shows nothing")
		p.At("loading")
		_, err = fmt.Fprintln(out, "done")
		require.NoError(t, err)
		time.Sleep(time.Hour)
		synctest.Wait()
		assert.Equal(t, "done\n", shown(), "a short run shows nothing")
		p.At(strings.Repeat("long ", 20))
		time.Sleep(Patience)
		synctest.Wait()
		assert.Len(t, []rune(strings.TrimPrefix(shown(), eraseLine)), width)
		p.Stop()
		assert.Equal(t, eraseLine, shown())
	})
}

func TestDownloads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b, stderr bytes.Buffer
		p := New(&b, Patience)
		defer p.Stop()
		var lines []string
		w := p.Downloads(&stderr, func(line string) { lines = append(lines, line) })
		text := "go: downloading k8s.io/api v0.37.2\nerrors\ngo: down"
		_, err := fmt.Fprint(w, text)
		require.NoError(t, err)
		time.Sleep(Patience)
		synctest.Wait()
		_, err = fmt.Fprint(w, "loading k8s.io/client-go v0.37.2\n")
		require.NoError(t, err)
		assert.Equal(t, eraseLine+"downloading module 1, k8s.io/api v0.37.2…"+eraseLine+"downloading module 2, k8s.io/client-go v0.37.2…", b.String())
		assert.Equal(t, []string{"errors"}, lines)
		assert.Equal(t, text+"loading k8s.io/client-go v0.37.2\n", stderr.String())
	})
}

// TestWithoutTerminal has no line: all methods do nothing, and writers are those passed.
func TestWithoutTerminal(t *testing.T) {
	p := From(t.Context())
	assert.Nil(t, p)
	p.At("loading")
	p.Stop()
	var b bytes.Buffer
	assert.Same(t, &b, p.Above(&b))
	assert.Same(t, &b, p.Downloads(&b, nil))
	assert.Same(t, New(&b, Patience).w, From(With(context.Background(), New(&b, Patience))).w)
}
