package controllers

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"k8s.io/client-go/tools/cache"
)

// laneSteps applies steps to lanes as a work queue does, and returns the names that it took.
//
//	+a  a is added with urgency
//	-a  a is added without
//	!a  a is added by the queue on its own, after a delay
//	~a  a is added with urgency while it is processed, and _a without
//	=a  the processing of a ends, and the queue adds it again
//	*a  a, which waits already, is added with urgency
//	^a  a, which waits already, is added without
//	<   an item is taken
func laneSteps(l *lanes, steps string) string {
	var taken []string
	for _, step := range strings.Fields(steps) {
		name := cache.NewObjectName("", step[1:])
		switch step[0] {
		case '+', '-':
			l.announce(name, step[0] == '+')
			l.Push(name)
			l.added()
		case '!', '=':
			l.Push(name)
		case '~', '_':
			l.announce(name, step[0] == '~')
			l.added()
		case '*', '^':
			l.announce(name, step[0] == '*')
			l.Touch(name)
			l.added()
		case '<':
			taken = append(taken, l.Pop().Name)
		}
	}
	return strings.Join(taken, " ")
}

func TestLanes(t *testing.T) {
	for name, test := range map[string]struct {
		steps, want string
		left        int
	}{
		"in order":                        {"+a +b +c < < <", "a b c", 0},
		"low in order":                    {"-a -b -c < < <", "a b c", 0},
		"urgent first":                    {"-a -b +c < < <", "c a b", 0},
		"delayed is urgent":               {"-a !b < <", "b a", 0},
		"promoted":                        {"-a -b -c *c < < <", "c a b", 0},
		"promoted from the front":         {"-a -b *a < <", "a b", 0},
		"all promoted":                    {"-a -b *b *a < <", "b a", 0},
		"never demoted":                   {"-a +b ^b < <", "b a", 0},
		"touched without urgency":         {"-a -b ^b < <", "a b", 0},
		"low again in the old place":      {"-a *a -b < -a < <", "a a b", 0},
		"added while processed":           {"-a ~b =b < <", "b a", 0},
		"added low while processed":       {"+a _b =b < <", "a b", 0},
		"urgency is kept while processed": {"-a ~b _b =b < <", "b a", 0},
		"urgency joins while processed":   {"-a _b ~b =b < <", "b a", 0},
		"forgotten after processing":      {"-a _b =b !b < < <", "b a b", 0},
		"left":                            {"+a -b -c *c <", "a", 2},
		"aging": {"-x -y " + strings.Repeat("+a ", 16) + strings.Repeat("< ", 18),
			strings.Repeat("a ", 7) + "x " + strings.Repeat("a ", 7) + "y a a", 0},
		"no aging without low items": {strings.Repeat("+a ", 9) + strings.Repeat("< ", 8) + "-x < <", strings.TrimSpace(strings.Repeat("a ", 9)) + " x", 0},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLanes()
			assert.Equal(t, test.want, laneSteps(l, test.steps))
			assert.Equal(t, test.left, l.Len())
		})
	}
}

func TestLanesKeepNothing(t *testing.T) {
	l := newLanes()
	laneSteps(l, "-a *a ~b =b +c _d =d < < < <")
	assert.Zero(t, l.Len())
	assert.Empty(t, l.busy)
	assert.Empty(t, l.waiting)
}

func TestFailures(t *testing.T) {
	var f failures
	a, b := cache.NewObjectName("shop", "a"), cache.NewObjectName("shop", "b")
	f.forget(a)
	assert.Equal(t, []int{1, 2, 1, 3}, []int{f.add(a), f.add(a), f.add(b), f.add(a)})
	f.forget(a)
	assert.Equal(t, []int{1, 2}, []int{f.add(a), f.add(b)})
}
