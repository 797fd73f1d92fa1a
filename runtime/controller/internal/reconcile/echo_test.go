package reconcile

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"k8s.io/client-go/tools/cache"
)

// play applies steps to a filter and returns the steps that enqueue the object.
//
//	begin    a reconcile begins
//	end:1>2  it ends, and has written version 2 over version 1; several writes are separated by commas
//	1>2      an update event
//	minor:1>2  one that does not enqueue the object anyway
//	forget   the object was added or deleted
func play(f *Filter, steps string) string {
	name := cache.NewObjectName("shop", "web")
	var enqueue []string
	for step := range strings.FieldsSeq(steps) {
		verb, rest, _ := strings.Cut(step, ":")
		foreign := false
		switch verb {
		case "begin":
			f.Begin(name)
		case "end":
			foreign = f.End(name, changes(rest)...)
		case "forget":
			f.Forget(name)
		case "minor":
			foreign = f.Updated(name, changes(rest)[0], false)
		default:
			foreign = f.Updated(name, changes(step)[0], true)
		}
		if foreign {
			enqueue = append(enqueue, step)
		}
	}
	return strings.Join(enqueue, " ")
}

func changes(text string) (all []Change) {
	for change := range strings.SplitSeq(text, ",") {
		if from, to, ok := strings.Cut(change, ">"); ok {
			all = append(all, Change{from, to})
		}
	}
	return all
}

func TestFilter(t *testing.T) {
	many := strings.Repeat(" 1>2", maxUndecided+1)
	for name, test := range map[string]struct {
		steps, want string
		left        int
	}{
		"no reconcile":                      {"1>2", "1>2", 0},
		"an echo after the answer":          {"begin end:1>2 1>2", "", 0},
		"an echo before the answer":         {"begin 1>2 end:1>2", "", 0},
		"an echo counts once":               {"begin end:1>2 1>2 1>2", "1>2", 0},
		"two writes":                        {"begin end:1>2,2>3 1>2 2>3", "", 0},
		"two writes, one before the answer": {"begin 1>2 end:1>2,2>3 2>3", "", 0},
		"two writes in one event":           {"begin end:1>2,2>3 1>3", "1>3", 0},
		"writes of two reconciles":          {"begin end:1>2 begin end:2>3 1>2 2>3", "", 0},
		"a foreign change before":           {"begin end:2>3 1>2 2>3", "1>2", 0},
		"a foreign change behind":           {"begin end:1>2 1>2 2>3", "2>3", 0},
		"a foreign change during it":        {"begin 1>2 end", "end", 0},
		"both during it":                    {"begin 1>2 2>3 end:2>3", "end:2>3", 0},
		"a foreign change before, too late": {"begin 1>2 end:1>2 2>3", "2>3", 0},
		"a relist hides a foreign change":   {"begin end:2>3 1>3", "1>3", 0},
		"a relist goes further":             {"begin end:1>2 1>4 4>5", "1>4 4>5", 0},
		"a write that changed nothing":      {"begin end:2>2 1>2", "1>2", 0},
		"a write without a version":         {"begin end:>2 1>2", "1>2", 0},
		"an event without versions":         {"begin end:1>2 >", ">", 0},
		"deleted":                           {"begin end:1>2 forget 1>2", "1>2", 0},
		"deleted during the next":           {"begin end:1>2 begin forget end 1>2", "1>2", 0},
		"restored from a backup":            {"begin end:8>9 8>5 5>8 8>9", "8>5 5>8 8>9", 0},
		"an echo to come":                   {"begin end:5>6 3>4", "3>4", 1},
		"the echo comes later":              {"begin end:5>6 3>4 4>5 5>6", "3>4 4>5", 0},
		"a reconcile without events":        {"begin end", "", 0},
		"a reconcile that goes on":          {"begin", "", 1},
		"an end too many":                   {"end:1>2 1>2", "1>2", 0},
		"minor events":                      {"minor:1>2 begin minor:2>3 end:2>3,3>4 minor:3>4 minor:4>5", "", 0},
		"many events":                       {"begin" + many + " end:1>2", "end:1>2", 0},
		"after many events":                 {"begin" + many + " end:1>2 begin end", "end:1>2", 0},
	} {
		t.Run(name, func(t *testing.T) {
			var f Filter
			assert.Equal(t, test.want, play(&f, test.steps))
			assert.Equal(t, test.left, f.Len())
		})
	}
}
