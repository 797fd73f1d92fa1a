package progress

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestProgressOfALongRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b bytes.Buffer
		late := make(chan time.Time)
		p, stop := Start(&b, late)
		shown := func() string {
			p.mu.Lock()
			defer p.mu.Unlock()
			return b.String()
		}
		p.At("loading")
		assert.Empty(t, shown(), "nothing is said before patience is at an end")
		late <- time.Now()
		synctest.Wait()
		assert.Equal(t, eraseLine+"loading…", shown())
		p.At("rendering")
		assert.Equal(t, eraseLine+"loading…"+eraseLine+"rendering…", shown())
		stop()
		assert.Equal(t, eraseLine+"loading…"+eraseLine+"rendering…"+eraseLine, shown(), "the line is erased")
	})
}

func TestOutputInterruptsProgress(t *testing.T) {
	var b bytes.Buffer
	p, stop := Start(&b, nil)
	p.At("loading")
	p.Say(&b, "one")
	assert.Equal(t, "one\n", b.String(), "there is no line in the way yet")
	p.show()
	p.Say(&b, "two")
	stop()
	assert.Equal(t, "one\n"+eraseLine+"loading…"+eraseLine+"two\n"+eraseLine+"loading…"+eraseLine, b.String())

	b.Reset()
	var none *Line
	none.Say(&b, "three")
	assert.Equal(t, "three\n", b.String())
}

func TestProgressOfAShortRun(t *testing.T) {
	var b bytes.Buffer
	p, stop := Start(&b, nil)
	p.At("loading")
	stop()
	p.show() // patience may end at the same moment
	p.At("rendering")
	assert.Empty(t, b.String())
}

func TestNoLine(*testing.T) {
	var p *Line
	p.At("loading") // must not fail
}
