package cli

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
		p, stop := startProgress(&b, late)
		shown := func() string {
			p.mu.Lock()
			defer p.mu.Unlock()
			return b.String()
		}
		p.at("loading")
		assert.Empty(t, shown(), "nothing is said before patience is at an end")
		late <- time.Now()
		synctest.Wait()
		assert.Equal(t, eraseLine+"loading…", shown())
		p.at("rendering")
		assert.Equal(t, eraseLine+"loading…"+eraseLine+"rendering…", shown())
		stop()
		assert.Equal(t, eraseLine+"loading…"+eraseLine+"rendering…"+eraseLine, shown(), "the line is erased")
	})
}

func TestOutputInterruptsProgress(t *testing.T) {
	var b bytes.Buffer
	p, stop := startProgress(&b, nil)
	p.at("loading")
	p.say(&b, "one")
	assert.Equal(t, "one\n", b.String(), "there is no line in the way yet")
	p.show()
	p.say(&b, "two")
	stop()
	assert.Equal(t, "one\n"+eraseLine+"loading…"+eraseLine+"two\n"+eraseLine+"loading…"+eraseLine, b.String())

	b.Reset()
	var none *progress
	none.say(&b, "three")
	assert.Equal(t, "three\n", b.String())
}

func TestProgressOfAShortRun(t *testing.T) {
	var b bytes.Buffer
	p, stop := startProgress(&b, nil)
	p.at("loading")
	stop()
	p.show() // patience may end at the same moment
	p.at("rendering")
	assert.Empty(t, b.String())
}

func TestNoProgress(t *testing.T) {
	var p *progress
	p.at("loading") // must not fail
	dir := configured(t, "")
	writeFile(t, dir+"/v1/types.go", "// +groupName=fleet.example.com\n"+oneKind)
	_, _, stderr := run(t, dir)
	assert.Empty(t, stderr)
}
