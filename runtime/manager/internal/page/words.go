package page

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
)

// causes are words for events without a resource.
var causes = map[string]string{
	"found": "start with all objects", "lost": "known from an earlier run, and gone", "resynced": "resync", "channel": "event from a channel",
	"requested": "call of Enqueue", "held back": "caches caught up", "retried": "retry", "requeued": "RequeueAfter",
	"rechecked": "recheck of what it waits for",
}

// cause returns words for why an object was enqueued, such as "deployments.apps updated".
func cause(event, resource string) string {
	if words := causes[event]; words != "" {
		return words
	}
	if resource == "" {
		return event
	}
	return resource + " " + event
}

// human returns a duration with at most two units, such as "3m12s".
func human(d time.Duration) string {
	if d > 0 && d < time.Second {
		return d.Round(max(time.Microsecond, d/1000)).String()
	}
	return duration.HumanDuration(d)
}

// ago returns how long ago a time was.
func ago(t time.Time) string { return human(time.Since(t)) }

// namespaces returns words for the namespaces that an informer watches.
func namespaces(watched []string) string {
	switch {
	case watched == nil || slices.Contains(watched, ""):
		return "all"
	case len(watched) == 0:
		return "none"
	}
	return strings.Join(watched, ", ")
}

// state returns words for a state.
func state(s controller.ObjectState) string {
	if s == controller.ObjectHeldBack {
		return "held back"
	}
	return string(s)
}

// times returns words for a number of consecutive failures.
func times(failures int) string {
	if failures == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times in a row", failures)
}

// explain says in sentences what happens to an object, and what next.
func explain(s controller.ObjectStatus) (sentences []string) {
	say := func(format string, args ...any) { sentences = append(sentences, fmt.Sprintf(format, args...)) }
	since, because := "", ""
	if !s.Since.IsZero() {
		since = " for " + ago(s.Since)
	}
	if s.Event != "" {
		because = ", because of: " + cause(s.Event, s.Resource)
	}
	switch s.State {
	case controller.ObjectRunning:
		say("It has been reconciling%s%s.", since, because)
	case controller.ObjectHeldBack:
		say("It has been held back%s, waiting for %s.", since, strings.Join(s.HeldBack, ", and "))
	case controller.ObjectQueued:
		say("It has been in the queue%s%s.", since, because)
		if s.Lane == "low" {
			say("It is in the low lane: objects with new events come first.")
		}
	case controller.ObjectWaiting:
		say("It has been waiting%s for %s.", since, s.WaitingFor)
	case controller.ObjectFailing:
		say("It has been failing%s, %s.", since, times(s.Failures))
		if s.Next.IsZero() {
			say("It was dropped until its next event.")
		}
	case controller.ObjectPaused:
		say("It has been paused%s by the annotation %s.", since, s.PausedBy)
	case controller.ObjectIdle:
		if len(s.Reconciles) == 0 {
			say("It is not in the queue, and has not been reconciled lately.")
		} else {
			say("It is up to date: the last reconcile succeeded, and nothing has enqueued it since.")
		}
	}
	if s.Failures > 0 && s.State != controller.ObjectFailing {
		say("Before, it failed %s.", times(s.Failures))
	}
	if !s.Next.IsZero() {
		say("It will be reconciled in %s if no event comes first.", human(time.Until(s.Next)))
	}
	if s.Replica != "" {
		sentences = append(sentences, s.Replica)
	}
	switch {
	case s.NotWatched:
		say("Its namespace is not watched.")
	case s.Cached && s.ResourceVersion != "":
		say("The cache has it at resource version %s.", s.ResourceVersion)
	case s.Cached:
		say("It is in the cache.")
	default:
		say("It is not in the cache: it does not exist, or a selector leaves it out.")
	}
	return sentences
}

// condition returns words for the state of a controller.
func condition(s controller.Status) string {
	switch {
	case s.Running:
		return "reconciling"
	case s.Synced && !s.Elected:
		return "on standby"
	case s.Synced:
		return "starting"
	}
	return "caches not synced"
}

// printText writes an answer as text.
func printText(w io.Writer, a answer) {
	table := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for _, c := range a.Controllers {
		fmt.Fprintf(w, "%s: %s (%s %s)\n", c.Name, condition(c), c.APIVersion, c.Kind)
		fmt.Fprintf(w, "  workers: %d of %d busy", c.Busy, c.Workers)
		if c.Busy > 0 {
			fmt.Fprintf(w, ", the longest for %s", human(c.LongestRunning.Duration))
		}
		fmt.Fprintf(w, "\n  queue: %d urgent, %d low\n", c.Urgent, c.Low)
		for _, resource := range c.Unserved {
			fmt.Fprintf(w, "  not served: %s\n", resource)
		}
		for _, l := range lists(c) {
			fmt.Fprintf(w, "  %s: %d\n", l.Title, l.Total)
			for _, o := range l.Objects {
				fmt.Fprintf(table, "    %s\t%s\t%s\n", oneLine(o.Object), ago(o.Since), oneLine(o.Reason))
			}
			_ = table.Flush()
			if l.More > 0 {
				fmt.Fprintf(w, "    and %d more\n", l.More)
			}
		}
	}
	printDefinitions(w, a.Definitions)
	if len(a.Informers) > 0 {
		fmt.Fprintf(w, "informers:\n%s", a.Informers)
	}
	for _, o := range a.Objects {
		fmt.Fprintf(w, "%s of %s: %s\n", o.Object, o.Controller, state(o.State))
		for _, sentence := range o.Explanation {
			fmt.Fprintf(w, "  %s\n", oneLine(sentence))
		}
		for _, p := range o.Reconciles {
			fmt.Fprintf(table, "    %s ago\t%s\tqueued %s\ttook %s\t%s\t%s\n", ago(p.Start), cause(p.Event, p.Resource),
				human(p.Queued.Duration), human(p.Took.Duration), p.Outcome, oneLine(p.Error))
		}
		_ = table.Flush()
	}
}

// oneLine keeps the lines of a table together.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// list has the objects of a controller in a state.
type list struct {
	controller.ObjectList

	Title string
	// Reason is the heading of the objects' reasons. More is the number of objects that are not listed.
	Reason string
	More   int
}

// lists returns the objects of a controller that need attention.
func lists(c controller.Status) []list {
	all := []list{
		{c.HeldBack, "held back", "Waiting for", 0}, {c.Waiting, "waiting", "Waiting for", 0}, {c.Failing, "failing", "Last error", 0},
	}
	if c.Paused.Total > 0 {
		all = append(all, list{c.Paused, "paused", "By the annotation", 0})
	}
	for i, l := range all {
		all[i].More = l.Total - len(l.Objects)
	}
	return all
}
