package verbs

import (
	"fmt"
	"net/http"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/store"
)

// Delete deletes an object, or marks it as being deleted if it has finalizers. It returns the marked object, or what a client gets
// for one that is gone.
func (s *Server) Delete(t Target, options metav1.DeleteOptions) (result runtime.Object, err error) {
	err = s.serve(t, http.MethodDelete, func(r *request) error {
		if err := r.checkPath(); err != nil {
			return err
		}
		if err := r.route("delete"); err != nil {
			return err
		}
		if err := optionsError("DeleteOptions", metav1validation.ValidateDeleteOptions(&options)); err != nil {
			return err
		}
		result, err = r.delete(options)
		return err
	})
	return result, err
}

// delete deletes the object of the request, and returns what the client gets.
func (r *request) delete(options metav1.DeleteOptions) (runtime.Object, error) {
	if err := r.load(); err != nil {
		return nil, err
	}
	if err := r.preconditions(options.Preconditions); err != nil {
		return nil, err
	}
	defer r.server.store.Collect()
	return r.deleted(r.server.store.Delete(r.resource, r.live, options), len(options.DryRun) > 0)
}

// deleted returns what a client gets for a deletion: the marked object, the one that is gone, or the status that most kinds have instead.
func (r *request) deleted(marked *store.Record, isDryRun bool) (runtime.Object, error) {
	switch {
	case marked != nil:
		return r.answer(marked)
	case r.kind.ReturnsDeleted:
		return r.answer(r.live)
	}
	status := &metav1.Status{
		Status: metav1.StatusSuccess,
		// A server sends the code with the response only, but client-go's fakes read it here.
		Code:    http.StatusOK,
		Details: &metav1.StatusDetails{Name: r.key.Name, Group: r.kind.Group, Kind: r.kind.Resource, UID: r.live.Object.GetUID()},
	}
	if r.server.is38 {
		status.ResourceVersion = r.live.Object.GetResourceVersion()
		if !isDryRun {
			status.ResourceVersion = strconv.FormatUint(r.server.store.Revision(), 10)
		}
	}
	return status, nil
}

// preconditions returns an error if the stored object does not meet the preconditions of a deletion.
func (r *request) preconditions(wanted *metav1.Preconditions) error {
	if wanted == nil {
		return nil
	}
	what := schema.GroupResource{Group: r.kind.Group, Resource: r.kind.Kind}
	if uid := r.live.Object.GetUID(); wanted.UID != nil && *wanted.UID != uid {
		return apierrors.NewConflict(what, r.key.Name, fmt.Errorf(
			"the UID in the precondition (%s) does not match the UID in record (%s). The object might have been deleted and then recreated",
			*wanted.UID, uid))
	}
	if version := strconv.FormatUint(r.live.Revision, 10); wanted.ResourceVersion != nil && *wanted.ResourceVersion != version {
		return apierrors.NewConflict(what, r.key.Name, fmt.Errorf(
			"the ResourceVersion in the precondition (%s) does not match the ResourceVersion in record (%s). "+
				"The object might have been modified",
			*wanted.ResourceVersion, version))
	}
	return nil
}

// DeleteCollection deletes the objects that match a list.
func (s *Server) DeleteCollection(t Target, options metav1.DeleteOptions, listOptions metav1.ListOptions) error {
	return s.serve(t, http.MethodDelete, func(r *request) error {
		if err := r.route("delete"); err != nil {
			return err
		}
		if err := optionsError("DeleteOptions", metav1validation.ValidateDeleteOptions(&options)); err != nil {
			return err
		}
		p, _, err := r.page(listOptions)
		if err != nil {
			return err
		}
		defer s.store.Collect()
		for _, record := range p.Records {
			one := s.request(r.kind, Target{Namespace: record.Key.Namespace, Name: record.Key.Name}, http.MethodDelete)
			if one.live = r.resource.Get(record.Key); one.live == nil {
				continue // the list was of an older version
			}
			if err := one.preconditions(options.Preconditions); err != nil {
				return err
			}
			s.store.Delete(r.resource, one.live, options)
		}
		return nil
	})
}
