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

// Delete deletes an object, or marks it as being deleted if it has finalizers. It returns the response: the marked object or, if the
// object is gone, the last object or a status.
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

// delete deletes the object of the request, and returns the response.
func (r *request) delete(options metav1.DeleteOptions) (runtime.Object, error) {
	live, err := r.load()
	if err != nil {
		return nil, err
	}
	if err := r.preconditions(live.Record, options.Preconditions); err != nil {
		return nil, err
	}
	defer r.server.store.Collect()
	return r.deleted(live.Record, r.server.store.Delete(r.resource, live.Record, options), len(options.DryRun) > 0)
}

// deleted returns the response to a deletion: the marked object, the removed object, or the status that most kinds have instead.
func (r *request) deleted(was, marked *store.Record, isDryRun bool) (runtime.Object, error) {
	switch {
	case marked != nil:
		return r.answer(marked)
	case r.kind.ReturnsDeleted:
		return r.answer(was)
	}
	status := &metav1.Status{
		Status: metav1.StatusSuccess,
		// A server sends the code with the response only, but client-go's fakes read it here.
		Code:    http.StatusOK,
		Details: &metav1.StatusDetails{Name: r.key.Name, Group: r.kind.Group, Kind: r.kind.Resource, UID: was.Object.GetUID()},
	}
	if r.server.is38 {
		status.ResourceVersion = was.Object.GetResourceVersion()
		if !isDryRun {
			status.ResourceVersion = strconv.FormatUint(r.server.store.Revision(), 10)
		}
	}
	return status, nil
}

// preconditions returns an error if the stored object does not meet the preconditions of a deletion.
func (r *request) preconditions(live *store.Record, wanted *metav1.Preconditions) error {
	if wanted == nil {
		return nil
	}
	what := schema.GroupResource{Group: r.kind.Group, Resource: r.kind.Kind}
	if uid := live.Object.GetUID(); wanted.UID != nil && *wanted.UID != uid {
		return apierrors.NewConflict(what, r.key.Name, fmt.Errorf(
			"the UID in the precondition (%s) does not match the UID in record (%s). The object might have been deleted and then recreated",
			*wanted.UID, uid))
	}
	if version := strconv.FormatUint(live.Revision, 10); wanted.ResourceVersion != nil && *wanted.ResourceVersion != version {
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
			live := r.resource.Get(record.Key)
			if live == nil {
				continue // the list was of an older version
			}
			if err := one.preconditions(live, options.Preconditions); err != nil {
				return err
			}
			s.store.Delete(r.resource, live, options)
		}
		return nil
	})
}
