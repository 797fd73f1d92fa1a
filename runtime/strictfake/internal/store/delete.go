package store

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/builtin"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/object"
)

// Delete removes a stored object, or marks it as being deleted if it has finalizers: then it returns the marked one, otherwise nil. The
// propagation policy of the options sets the finalizers of the garbage collector, which runs with the next call of Collect. A dry run
// changes nothing. Preconditions are not checked.
func (s *Store) Delete(r *Resource, record *Record, options metav1.DeleteOptions) *Record {
	isDryRun := len(options.DryRun) > 0
	before := record.Object.GetFinalizers()
	finalizers := withPolicy(before, options)
	if len(finalizers) == 0 && !builtin.IsHeld(record.Object) {
		if !isDryRun {
			s.Remove(r, record.Key)
		}
		return nil
	}
	isDeleted := record.Object.GetDeletionTimestamp() != nil
	if isDeleted && slices.Equal(finalizers, before) {
		return record
	}
	u := object.Clone(record.Object)
	u.SetFinalizers(finalizers)
	if !isDeleted {
		builtin.Terminate(u)
		if r.Counted {
			u.SetGeneration(u.GetGeneration() + 1)
		}
		now := s.Now()
		u.SetDeletionTimestamp(&now)
		u.SetDeletionGracePeriodSeconds(new(int64))
	}
	marked := NewRecord(u)
	if !isDryRun {
		s.Put(r, marked)
	}
	return marked
}

// withPolicy returns the finalizers of an object when its deletion starts. The propagation policy of the options, if any, sets the
// finalizers for the garbage collector.
func withPolicy(finalizers []string, options metav1.DeleteOptions) []string {
	var orphan, foreground bool
	orphanDependents := options.OrphanDependents //nolint:staticcheck // deprecated in the API, but API servers still honor it
	switch {
	case orphanDependents != nil:
		orphan = *orphanDependents
	case options.PropagationPolicy != nil:
		orphan = *options.PropagationPolicy == metav1.DeletePropagationOrphan
		foreground = *options.PropagationPolicy == metav1.DeletePropagationForeground
	default:
		return finalizers
	}
	var result []string
	for _, finalizer := range finalizers {
		if finalizer != metav1.FinalizerOrphanDependents && finalizer != metav1.FinalizerDeleteDependents {
			result = append(result, finalizer)
		}
	}
	if orphan {
		result = append(result, metav1.FinalizerOrphanDependents)
	}
	if foreground {
		result = append(result, metav1.FinalizerDeleteDependents)
	}
	return result
}
