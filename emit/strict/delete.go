package strict

import (
	"fmt"
	"slices"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func (s *Server) delete(r *request, options metav1.DeleteOptions) error {
	r.dryRun = len(options.DryRun) > 0
	if err := r.route(); err != nil {
		return err
	}
	if err := optionsError("DeleteOptions", metav1validation.ValidateDeleteOptions(&options)); err != nil {
		return err
	}
	defer s.collect()
	return s.remove(r, options)
}

// remove deletes the object of a request, or marks it as being deleted if it has finalizers.
func (s *Server) remove(r *request, options metav1.DeleteOptions) error {
	live, err := r.live()
	if err != nil {
		return err
	}
	if err := r.preconditions(live, options.Preconditions); err != nil {
		return err
	}
	u := clone(live.object)
	finalizers := withPolicy(u.GetFinalizers(), options)
	if len(finalizers) == 0 {
		if !r.dryRun {
			s.put(r.resource, r.key, nil)
		}
		return nil
	}
	changed := !slices.Equal(finalizers, u.GetFinalizers())
	u.SetFinalizers(finalizers)
	if u.GetDeletionTimestamp() == nil {
		changed = true
		if !r.NoGeneration {
			u.SetGeneration(u.GetGeneration() + 1)
		}
		now := s.now()
		u.SetDeletionTimestamp(&now)
		u.SetDeletionGracePeriodSeconds(new(int64))
	}
	if changed && !r.dryRun {
		s.put(r.resource, r.key, newRecord(u))
	}
	return nil
}

// preconditions returns an error if an object does not meet the preconditions of a deletion.
func (r *request) preconditions(live *record, wanted *metav1.Preconditions) error {
	if wanted == nil {
		return nil
	}
	what := schema.GroupResource{Group: r.Group, Resource: r.Kind.Kind}
	if uid := live.object.GetUID(); wanted.UID != nil && *wanted.UID != uid {
		return apierrors.NewConflict(what, r.key.Name, fmt.Errorf(
			"the UID in the precondition (%s) does not match the UID in record (%s). The object might have been deleted and then recreated", *wanted.UID, uid))
	}
	if version := strconv.FormatUint(live.revision, 10); wanted.ResourceVersion != nil && *wanted.ResourceVersion != version {
		return apierrors.NewConflict(what, r.key.Name, fmt.Errorf(
			"the ResourceVersion in the precondition (%s) does not match the ResourceVersion in record (%s). The object might have been modified",
			*wanted.ResourceVersion, version))
	}
	return nil
}

// withPolicy returns the finalizers of an object when its deletion starts. The propagation policy of the options, if any, sets the
// finalizers for the garbage collector.
func withPolicy(finalizers []string, options metav1.DeleteOptions) []string {
	orphan, foreground := false, false
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

// finish deletes an object whose last finalizer was removed by an update. It returns the updated object, but watches receive the
// object before the update.
func (s *Server) finish(r *request, u *unstructured.Unstructured) (runtime.Object, error) {
	last := newRecord(u)
	if !r.dryRun {
		s.put(r.resource, r.key, nil)
		defer s.collect()
	}
	return s.answer(r.served, last)
}

// deleteCollection deletes the objects that match a list.
func (s *Server) deleteCollection(r *request, options metav1.DeleteOptions, listOptions metav1.ListOptions) error {
	if err := r.route(); err != nil {
		return err
	}
	if err := optionsError("DeleteOptions", metav1validation.ValidateDeleteOptions(&options)); err != nil {
		return err
	}
	p, err := s.page(r, listOptions)
	if err != nil {
		return err
	}
	defer s.collect()
	for _, key := range p.keys {
		one := &request{served: r.served, key: key, dryRun: len(options.DryRun) > 0}
		if err := s.remove(one, options); err != nil && !apierrors.IsNotFound(err) {
			return err
		}
	}
	return nil
}
