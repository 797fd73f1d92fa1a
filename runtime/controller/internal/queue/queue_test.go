package queue

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	klog "k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/progress"
)

// laneSteps applies steps to lanes as a work queue does, and returns the names that it took, with a ' behind those from the
// low lane.
//
//	+a  a is added with urgency
//	-a  a is added without
//	@a  a will be added after a delay, and keeps the low lane
//	!a  a is added by the queue on its own, after a delay
//	~a  a is added with urgency while it is processed, and _a without
//	=a  the processing of a ends, and the queue adds it again
//	*a  a, which waits already, is added with urgency
//	^a  a, which waits already, is added without
//	<   an item is taken
func laneSteps(l *lanes, steps string) string {
	var taken []string
	for step := range strings.FieldsSeq(steps) {
		name, _ := cache.ParseObjectName(step[1:])
		switch step[0] {
		case '+':
			l.forget(name)
			l.Push(name)
		case '-':
			l.whileLow(lowItem{name, nil}, func() { l.Push(name) })
		case '!', '=':
			l.Push(name)
		case '~':
			l.forget(name)
		case '_':
			l.whileLow(lowItem{name, nil}, func() {})
		case '*':
			l.forget(name)
			l.Touch(name)
		case '^':
			l.whileLow(lowItem{name, nil}, func() { l.Touch(name) })
		case '@':
			l.defers(name)
		case '<':
			name := l.Pop()
			lane := ""
			if _, low := l.wasLow(name); low {
				lane = "'"
			}
			taken = append(taken, name.String()+lane)
		}
	}
	return strings.Join(taken, " ")
}

func TestLanes(t *testing.T) {
	for name, test := range map[string]struct {
		steps, want string
		left        int
	}{
		"in order":                      {"+a +b +c < < <", "a b c", 0},
		"low in order":                  {"-a -b -c < < <", "a' b' c'", 0},
		"urgent first":                  {"-a -b +c < < <", "c a' b'", 0},
		"delayed is urgent":             {"-a !b < <", "b a'", 0},
		"delayed in its lane":           {"-a @b !b +c < < <", "c a' b'", 0},
		"delayed, overtaken":            {"@b -a +b < < !b <", "b a' b", 0},
		"promoted":                      {"-a -b -c *c < < <", "c a' b'", 0},
		"promoted from the front":       {"-a -b *a < <", "a b'", 0},
		"all promoted":                  {"-a -b *b *a < <", "b a", 0},
		"never demoted":                 {"-a +b ^b < <", "b a'", 0},
		"touched without urgency":       {"-a -b ^b < <", "a' b'", 0},
		"low again in the old place":    {"-a -b *a < -a < <", "a a' b'", 0},
		"low again after all others":    {"-a *a -b < -a < <", "a b' a'", 0},
		"added while processed":         {"-a ~b =b < <", "b a'", 0},
		"added low while processed":     {"-a _b =b < <", "b a'", 0},
		"urgency stays while processed": {"-a ~b _b =b < <", "b a'", 0},
		"urgency joins while processed": {"-a _b ~b =b < <", "b a'", 0},
		"requeued and added meanwhile":  {"-b -a < ~b =b @b < < !b +c < <", "b' b a' c b'", 0},
		"left":                          {"+a -b -c *c <", "a", 2},
		"aging": {"-x -y " + strings.Repeat("+a ", 16) + strings.Repeat("< ", 18),
			strings.Repeat("a ", 7) + "x' " + strings.Repeat("a ", 7) + "y' a a", 0},
		"no aging without low items": {strings.Repeat("+a ", 9) + strings.Repeat("< ", 8) + "-x < <", strings.TrimSpace(strings.Repeat("a ", 9)) + " x'", 0},
	} {
		t.Run(name, func(t *testing.T) {
			for _, many := range []int{-1, 0, 1, 100} {
				l := newLanes()
				l.many = many
				assert.Equal(t, test.want, laneSteps(l, test.steps), many)
				assert.Equal(t, test.left, l.Len())
			}
		})
	}
}

// TestLanesOfMany adds an item without urgency to many urgent ones, which are not copied for it. Then many others join it.
func TestLanesOfMany(t *testing.T) {
	l := newLanes()
	for i := range 10_000 {
		laneSteps(l, "+"+strconv.Itoa(i))
	}
	laneSteps(l, "-low")
	assert.Len(t, l.known, 1)
	laneSteps(l, "*5 *low -other +5000")
	assert.Len(t, l.known, 1)
	assert.Equal(t, "0 1 2 3 4 5 6 other'", laneSteps(l, strings.Repeat("< ", 8)))
	assert.Empty(t, l.known)
}

func TestLanesKeepNothing(t *testing.T) {
	l := newLanes()
	laneSteps(l, "-a *a ~b =b +c _d =d -e @f !f < < < < < <")
	assert.Zero(t, l.Len())
	assert.Zero(t, l.marks.Load())
	assert.Empty(t, l.deferred)
	assert.Empty(t, l.popped)
	assert.Nil(t, l.adding.Load())
	assert.Empty(t, l.promoted)
	assert.Empty(t, l.known)
}

// TestLanesForgetPromotedItems promotes all low items: the lane that they were in keeps none of them.
func TestLanesForgetPromotedItems(t *testing.T) {
	l := newLanes()
	for range 1000 {
		laneSteps(l, "-a *a <")
	}
	assert.Empty(t, l.low)
}

// TestLane asks where items are, and why.
func TestLane(t *testing.T) {
	log := progress.New(clock.RealClock{})
	q := New(Config{Name: "name", Clock: clock.RealClock{}, Logger: klog.Background(), Progress: log})
	defer q.ShutDown()
	lane := func(name string) string {
		lane, origin := q.Lane(cache.NewObjectName("", name))
		if origin != nil {
			lane += " " + origin.Event
		}
		return lane
	}
	add := func(name string, urgent bool, event string) {
		q.Enqueue(Item{Name: cache.NewObjectName("", name), Urgent: urgent}, progress.Cause{Event: event})
	}
	for _, name := range []string{"a", "b", "c"} {
		add(name, false, "found")
	}
	add("d", true, "added")
	add("c", true, "updated") // promotes it
	assert.Equal(t, []string{"low found", "low found", "urgent", "urgent", ""}, []string{lane("a"), lane("b"), lane("c"), lane("d"), lane("e")})
	urgent, low := q.Lens()
	assert.Equal(t, []int{2, 2}, []int{urgent, low})
	for _, want := range []string{"d", "c", "a", "b"} {
		it, _ := q.Take()
		assert.Equal(t, want, it.Name.Name)
		assert.Empty(t, lane(want), "it was taken")
		if assert.Equal(t, it.Urgent, it.Origin == nil) && !it.Urgent {
			assert.Equal(t, "found", it.Origin.Event)
		}
		q.Finish(it, false)
	}
}

// TestQueueOfAnotherOrder uses a work queue with its own order. It gets no priorities, and nothing is kept.
func TestQueueOfAnotherOrder(t *testing.T) {
	log := progress.New(clock.RealClock{})
	q := New(Config{Name: "name", Clock: clock.RealClock{}, Logger: klog.Background(), Progress: log, New: func(
		limiter workqueue.TypedRateLimiter[cache.ObjectName], _ workqueue.TypedQueueConfig[cache.ObjectName],
	) workqueue.TypedRateLimitingInterface[cache.ObjectName] {
		return workqueue.NewTypedRateLimitingQueue(limiter)
	}})
	defer q.ShutDown()
	for i := range 1000 {
		it := Item{Name: cache.NewObjectName("shop", strconv.Itoa(i))}
		q.Enqueue(it, progress.Cause{Event: "found"})
		urgent, low := q.Lens()
		assert.Equal(t, []int{1, 0}, []int{urgent, low})
		assert.Equal(t, "found", log.Object(it.Name, "", nil).Cause.Event, "nothing else has it")
		got, _ := q.Take()
		assert.Equal(t, it.Name, got.Name)
		q.Enqueue(it, progress.Cause{}) // during processing
		q.Finish(got, true)
		got, _ = q.Take()
		q.Finish(got, false)
	}
	assert.Zero(t, q.Len())
	assert.Zero(t, q.lanes.marks.Load())
}

func TestDefaultBackoff(t *testing.T) {
	limiter := DefaultLimiter()
	name := cache.NewObjectName("shop", "web")
	for wait := backoffBase; wait < BackoffMax; wait *= 2 {
		got := limiter.When(name)
		assert.GreaterOrEqual(t, got, wait)
		assert.LessOrEqual(t, got, wait*3/2)
	}
	for range 10 {
		got := limiter.When(name)
		assert.GreaterOrEqual(t, got, BackoffMax)
		assert.LessOrEqual(t, got, BackoffMax*3/2)
	}
	limiter.Forget(name)
	assert.Less(t, limiter.When(name), 2*backoffBase)
}

// TestTurns has a namespace with many items, and others with few. An item waits for at most one item of each other namespace.
func TestTurns(t *testing.T) {
	for name, test := range map[string]struct{ steps, want string }{
		"one noisy namespace":        {"+n/a +n/b +n/c +q/a < < < <", "n/a q/a n/b n/c"},
		"joins later":                {"+n/a +n/b +n/c < +q/a < < <", "n/a n/b q/a n/c"},
		"all in turn":                {"+a/a +a/b +b/a +b/b +c/a < < < < <", "a/a b/a c/a a/b b/b"},
		"low":                        {"-n/a -n/b -n/c -q/a < < < <", "n/a' q/a' n/b' n/c'"},
		"urgent in turn before low":  {"-n/a +n/b +n/c +q/a < < < <", "n/b q/a n/c n/a'"},
		"a promoted item costs none": {"-n/a -n/b -q/a *n/a < < <", "n/a n/b' q/a'"},
		"empty and back":             {"+n/a < +n/b +q/a < < +n/c <", "n/a n/b q/a n/c"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, laneSteps(newLanes(), test.steps))
		})
	}
}

// TestTurnsOfMany adds and takes random items, and counts how many of other namespaces come before each.
func TestTurnsOfMany(t *testing.T) {
	type waiting struct {
		own    int
		others map[string]int
	}
	random := rand.New(rand.NewPCG(1, 2))
	lane, queued := turns[cache.ObjectName]{}, map[cache.ObjectName]*waiting{}
	for i := range 20_000 {
		if random.IntN(2) == 0 {
			name := cache.NewObjectName(strconv.Itoa(int(math.Sqrt(float64(random.IntN(400))))), strconv.Itoa(i))
			queued[name] = &waiting{own: len(lane.of(name.Namespace)), others: map[string]int{}}
			lane.push(name.Namespace, name)
		} else if lane.len > 0 {
			taken := lane.pop()
			require.Zero(t, queued[taken].own, "in order")
			delete(queued, taken)
			for name, w := range queued {
				if name.Namespace == taken.Namespace {
					w.own--
					clear(w.others)
				} else if w.others[taken.Namespace]++; w.own == 0 {
					require.LessOrEqual(t, w.others[taken.Namespace], 1)
				}
			}
		}
		require.Equal(t, len(queued), lane.len)
	}
	for lane.len > 0 {
		lane.pop()
	}
	assert.Zero(t, lane.ring.len())
	assert.LessOrEqual(t, len(lane.lines), 1)
}

// BenchmarkQueue takes and finishes items of namespaces that all have some.
func BenchmarkQueue(b *testing.B) {
	for _, namespaces := range []int{1, 10_000} {
		b.Run(strconv.Itoa(namespaces), func(b *testing.B) {
			q := New(Config{Name: "name", Clock: clock.RealClock{}, Logger: klog.Background(), Progress: progress.New(clock.RealClock{})})
			defer q.ShutDown()
			names := make([]cache.ObjectName, 20_000)
			for i := range names {
				names[i] = cache.NewObjectName(strconv.Itoa(i%namespaces), strconv.Itoa(i))
				q.Enqueue(Item{Name: names[i], Urgent: true}, progress.Cause{})
			}
			for b.Loop() {
				it, _ := q.Take()
				q.Finish(it, false)
				q.Enqueue(it, progress.Cause{})
			}
		})
	}
}
