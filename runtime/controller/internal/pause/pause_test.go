package pause

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
)

var byTest = Rule{Annotation: "example.com/paused"}

func TestRule(t *testing.T) {
	deleted := metav1.Unix(1, 0)
	object := func(annotations map[string]string, deletion *metav1.Time) metav1.Object {
		return &metav1.ObjectMeta{Annotations: annotations, DeletionTimestamp: deletion}
	}
	for name, test := range map[string]struct {
		object             metav1.Object
		want, withDeletion bool
	}{
		"no annotations": {object: object(nil, nil)},
		"another":        {object: object(map[string]string{"example.com/other": "true"}, nil)},
		"true":           {object: object(map[string]string{byTest.Annotation: "true"}, nil), want: true, withDeletion: true},
		"empty":          {object: object(map[string]string{byTest.Annotation: ""}, nil), want: true, withDeletion: true},
		"False":          {object: object(map[string]string{byTest.Annotation: "False"}, nil), want: true, withDeletion: true},
		"false":          {object: object(map[string]string{byTest.Annotation: "false"}, nil)},
		"deleted":        {object: object(map[string]string{byTest.Annotation: ""}, &deleted), withDeletion: true},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, byTest.Pauses(test.object))
			assert.Equal(t, test.withDeletion, Rule{byTest.Annotation, true}.Pauses(test.object))
			assert.False(t, Rule{}.Pauses(test.object))
			assert.Equal(t, test.want, byTest.Changed(&metav1.ObjectMeta{}, test.object))
			assert.False(t, byTest.Changed(test.object, test.object))
		})
	}
}

func TestCheck(t *testing.T) {
	for annotation, valid := range map[string]bool{
		"": true, "paused": true, "example.com/paused": true, "example.com/Paused": true, "Example.com/paused": true,
		"a b": false, "example.com/": false, "a/b/c": false,
	} {
		assert.Equal(t, valid, Rule{Annotation: annotation}.Check() == nil, annotation)
	}
}

// pointed is a kind whose status is a pointer.
type pointed struct {
	metav1.ObjectMeta

	Status *fleetv1.WorkloadStatus
}

func TestConditionsOf(t *testing.T) {
	workload := &fleetv1.Workload{}
	assert.Same(t, &workload.Status.Conditions, conditionsOf(workload, false))
	for _, object := range []any{
		&appsv1.Deployment{}, &metav1.PartialObjectMetadata{}, &unstructured.Unstructured{}, &metav1.ObjectMeta{}, &pointed{},
		&struct{ Status string }{}, &struct{ Status *string }{}, &struct{ Status struct{ Conditions []string } }{},
		&struct {
			Status struct{ fleetv1.WorkloadStatus }
		}{}, &struct{ *pointed }{},
	} {
		assert.Nil(t, conditionsOf(object, false), "%T", object)
	}
	object := &pointed{}
	assert.NotNil(t, conditionsOf(object, true))
	assert.Same(t, &object.Status.Conditions, conditionsOf(object, false))
}

func TestShow(t *testing.T) {
	before, now := metav1.Unix(1, 0), metav1.Unix(2, 0)
	ours := metav1.Condition{
		Type: "Paused", Status: metav1.ConditionTrue, Reason: "PausedByAnnotation",
		Message: "The annotation example.com/paused pauses reconciliation.", ObservedGeneration: 7, LastTransitionTime: before,
	}
	with := func(change func(*metav1.Condition)) *metav1.Condition {
		condition := ours
		change(&condition)
		return &condition
	}
	stranger := with(func(c *metav1.Condition) { c.Reason = "Maintenance" })
	unpaused := with(func(c *metav1.Condition) { c.Status, c.Reason, c.Message = metav1.ConditionFalse, "Running", "" })
	older := with(func(c *metav1.Condition) { c.ObservedGeneration = 6 })
	fresh := with(func(c *metav1.Condition) { c.LastTransitionTime = now })
	other := with(func(c *metav1.Condition) { c.Message = strings.ReplaceAll(c.Message, "paused p", "other p") })
	for name, test := range map[string]struct {
		is            *metav1.Condition
		paused, force bool
		want          *metav1.Condition
	}{
		"paused":                   {nil, true, true, fresh},
		"taken away by others":     {nil, true, false, nil},
		"still paused":             {&ours, true, false, &ours},
		"new generation":           {older, true, false, &ours},
		"paused by a stranger":     {stranger, true, true, stranger},
		"paused by another":        {other, true, true, other},
		"unpaused by a stranger":   {unpaused, true, true, fresh},
		"unpaused, later":          {unpaused, true, false, unpaused},
		"resumed":                  {&ours, false, true, nil},
		"resumed of a stranger":    {stranger, false, true, stranger},
		"resumed of another":       {other, false, true, nil},
		"running":                  {nil, false, true, nil},
		"running, says a stranger": {unpaused, false, true, unpaused},
	} {
		t.Run(name, func(t *testing.T) {
			object := &fleetv1.Workload{ObjectMeta: metav1.ObjectMeta{Generation: 7}}
			if test.paused {
				object.Annotations = map[string]string{byTest.Annotation: ""}
			}
			if test.is != nil {
				object.Status.Conditions = []metav1.Condition{*test.is}
			}
			changed := byTest.show(object, test.paused, test.force, now)
			var got *metav1.Condition
			if len(object.Status.Conditions) > 0 {
				got = &object.Status.Conditions[0]
			}
			assert.Equal(t, test.want, got)
			assert.Equal(t, !assert.ObjectsAreEqual(test.is, got), changed)
		})
	}
	object := &fleetv1.Workload{Status: fleetv1.WorkloadStatus{Conditions: []metav1.Condition{ours}}}
	object.Annotations = map[string]string{byTest.Annotation: "true"}
	assert.False(t, Rule{Annotation: "example.com/other"}.show(object, false, true, now), "it belongs to a controller with that annotation")
	assert.False(t, byTest.show(&appsv1.Deployment{}, true, true, now))
	assert.True(t, byTest.show(&pointed{}, true, true, metav1.NewTime(time.Unix(3, 0))))
}

func TestFieldManager(t *testing.T) {
	assert.Equal(t, "robots-pause", Gate[*fleetv1.Workload]{Controller: "robots"}.fieldManager())
	long := Gate[*fleetv1.Workload]{Controller: strings.Repeat("a", 200)}.fieldManager()
	assert.Len(t, long, 128)
	assert.True(t, strings.HasSuffix(long, "a-pause"))
}
