package conversiontest

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

// RoundTrip converts random objects between two versions of a kind and back, in both directions, and fails the test with the paths of all
// fields that do not come back. The type arguments are the structs, not pointers to them.
func RoundTrip[Hub, Spoke any](t testing.TB, options ...Option) {
	t.Helper()
	s := &settings{seed: 1, iterations: 100}
	for _, option := range options {
		option(s)
	}
	hub, spoke := reflect.TypeFor[Hub](), reflect.TypeFor[Spoke]()
	if err := s.check(hub, spoke); err != nil {
		t.Fatalf("%v", err)
	}
	toHub, toSpoke, err := s.conversions(hub, spoke)
	if err != nil {
		t.Fatalf("%v", err)
	}
	for _, trip := range []*trip{
		{settings: s, from: hub, to: spoke, there: toSpoke, back: toHub},
		{settings: s, from: spoke, to: hub, there: toHub, back: toSpoke},
	} {
		if err := trip.run(); err != nil {
			t.Fatalf("%v", err)
		}
		for _, problem := range trip.problems() {
			t.Errorf("%s → %s → %s%s", trip.from, trip.to, trip.from, problem)
		}
	}
	for _, allowed := range s.allowed {
		if !allowed.found {
			t.Logf("%s of %s is not lost any more: remove WithLoss", allowed.path, allowed.of)
		}
	}
}

// check returns an error for arguments that make no sense.
func (s *settings) check(hub, spoke reflect.Type) error {
	for _, typ := range []reflect.Type{hub, spoke} {
		if typ.Kind() != reflect.Struct {
			return fmt.Errorf("%s is no struct: use RoundTrip[v1.Robot, v1beta1.Robot]", typ)
		}
	}
	if s.iterations < 1 {
		return fmt.Errorf("%d iterations test nothing", s.iterations)
	}
	for _, allowed := range s.allowed {
		if allowed.reason == "" {
			return fmt.Errorf("the loss of %s has no reason", allowed.path)
		}
		if allowed.of != hub && allowed.of != spoke {
			return fmt.Errorf("the loss of %s is one of %s, which is neither %s nor %s", allowed.path, allowed.of, hub, spoke)
		}
	}
	return nil
}

// trip converts objects of one type to another and back.
type trip struct {
	settings    *settings
	from, to    reflect.Type
	there, back conversion

	changes comparison
	// failures counts the iterations in which a conversion returned an error, failure is the first one.
	failures int
	failure  string
}

// run converts the objects. It returns an error if objects of the type cannot be filled or encoded.
func (trip *trip) run() error {
	filler := newFiller(trip.from, trip.settings.funcs)
	for i := range trip.settings.iterations {
		object := reflect.New(trip.from)
		filler.all = i%4 == 0
		if err := filler.fill(object.Interface(), trip.settings.seed+int64(i)); err != nil {
			return err
		}
		before, err := trip.stored(object)
		if err != nil {
			return fmt.Errorf("%w: fill the value with WithFuncs", err)
		}
		after, err := trip.roundTrip(object)
		if err != nil {
			if trip.failures++; trip.failures == 1 {
				trip.failure = fmt.Sprintf("%v (iteration %d)\n\tobject: %s", err, i, text(before, 10*maxText))
			}
			continue
		}
		trip.changes.iteration = i
		trip.changes.object(trip.from, before, after)
	}
	return nil
}

// stored encodes an object and decodes it again, as a server that stores it. It returns the decoded JSON document.
func (trip *trip) stored(object reflect.Value) (any, error) {
	encoded, err := json.Marshal(object.Interface())
	if err != nil {
		return nil, fmt.Errorf("cannot encode %s: %w", object.Type().Elem(), err)
	}
	if !trip.settings.internal(object.Interface()) {
		object.Elem().SetZero()
		if err := json.Unmarshal(encoded, object.Interface()); err != nil {
			return nil, fmt.Errorf("cannot decode %s: %w", object.Type().Elem(), err)
		}
		if encoded, err = json.Marshal(object.Interface()); err != nil {
			return nil, fmt.Errorf("cannot encode %s: %w", object.Type().Elem(), err)
		}
	}
	return document(encoded)
}

// roundTrip returns the document of an object after two conversions.
func (trip *trip) roundTrip(object reflect.Value) (any, error) {
	other, again := reflect.New(trip.to), reflect.New(trip.from)
	if err := trip.there.run(object, other); err != nil {
		return nil, err
	}
	if _, err := trip.stored(other); err != nil {
		return nil, err
	}
	if err := trip.back.run(other, again); err != nil {
		return nil, err
	}
	return trip.stored(again)
}

// problems returns what does not survive the trip.
func (trip *trip) problems() (problems []string) {
	if trip.failures > 0 {
		problems = append(problems, fmt.Sprintf(": %d of %d conversions fail (seed %d), the first with %s",
			trip.failures, trip.settings.iterations, trip.settings.seed, trip.failure))
	}
	var lines []string
	for _, path := range slices.Sorted(maps.Keys(trip.changes.byPath)) {
		if !trip.mayLose(path) {
			lines = append(lines, "\t"+path+": "+trip.changes.byPath[path]+"\n")
		}
	}
	if len(lines) > 0 {
		fields := fmt.Sprintf("%d fields", len(lines))
		if len(lines) == 1 {
			fields = "1 field"
		}
		problems = append(problems, fmt.Sprintf(
			" loses %s (seed %d, %d iterations):\n%s\tkeep them, for example in an annotation, or allow the loss by WithLoss[%s](path, reason)",
			fields, trip.settings.seed, trip.settings.iterations, strings.Join(lines, ""), trip.from))
	}
	return problems
}

// mayLose reports whether a loss is allowed.
func (trip *trip) mayLose(path string) bool {
	i := slices.IndexFunc(trip.settings.allowed, func(l *loss) bool { return l.of == trip.from && l.has(path) })
	if i >= 0 {
		trip.settings.allowed[i].found = true
	}
	return i >= 0
}

// conversion converts an object into another one. Both are pointers.
type conversion func(from, to reflect.Value) error

// run converts an object. A panic of the conversion is an error with its stack.
func (c conversion) run(from, to reflect.Value) (err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("panic: %v\n%s", problem, debug.Stack())
		}
	}()
	return c(from, to)
}
