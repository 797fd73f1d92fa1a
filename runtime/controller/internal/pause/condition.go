package pause

import (
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The type and the reason of the condition of paused objects.
const (
	Condition = "Paused"
	Reason    = "PausedByAnnotation"
)

// message is the message of the condition. It names the annotation, so that controllers with different annotations do not undo each
// other's writes.
const message = "The annotation %s pauses reconciliation."

// conditionsOf returns the field status.conditions of an object, or nil if its type has no such list. A status that is a nil pointer is
// set if allocate is true; otherwise, the conditions are nil, too.
func conditionsOf(object any, allocate bool) *[]metav1.Condition {
	value := reflect.Indirect(reflect.ValueOf(object))
	if field, ok := value.Type().FieldByName("Status"); !ok || len(field.Index) != 1 {
		return nil
	}
	status := value.FieldByName("Status")
	if status.Kind() == reflect.Pointer && status.IsNil() && allocate {
		status.Set(reflect.New(status.Type().Elem()))
	}
	status = reflect.Indirect(status)
	if status.Kind() != reflect.Struct {
		return nil
	}
	if field, ok := status.Type().FieldByName("Conditions"); !ok || len(field.Index) != 1 {
		return nil
	}
	conditions, _ := reflect.TypeAssert[*[]metav1.Condition](status.FieldByName("Conditions").Addr())
	return conditions
}

// isShown reports whether the conditions of an object say that it is paused.
func isShown(object any) bool {
	conditions := conditionsOf(object, false)
	return conditions != nil && meta.IsStatusConditionTrue(*conditions, Condition)
}

// show sets the condition in a copy of an object, or takes it away. It reports whether that changes the status. If force is false, show
// only updates an existing condition: whoever took the condition away may do so again.
func (r Rule) show(object metav1.Object, paused, force bool, now metav1.Time) (changed bool) {
	conditions := conditionsOf(object, paused && force)
	if conditions == nil {
		return false
	}
	current := meta.FindStatusCondition(*conditions, Condition)
	text := fmt.Sprintf(message, r.Annotation)
	if !paused {
		return current != nil && isStale(object, *current) && meta.RemoveStatusCondition(conditions, Condition)
	}
	ours := current != nil && current.Reason == Reason && current.Message == text
	if current != nil && current.Status == metav1.ConditionTrue && !ours || !ours && !force {
		return false
	}
	return meta.SetStatusCondition(conditions, metav1.Condition{
		Type: Condition, Status: metav1.ConditionTrue, Reason: Reason, Message: text,
		ObservedGeneration: object.GetGeneration(), LastTransitionTime: now,
	})
}

// isStale reports whether a condition was written because of an annotation that the object no longer has.
func isStale(object metav1.Object, condition metav1.Condition) bool {
	var annotation string
	_, err := fmt.Sscanf(condition.Message, message, &annotation)
	return err == nil && condition.Reason == Reason && !isSet(object, annotation)
}
