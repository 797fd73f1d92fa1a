package verbs

import (
	"fmt"
	"net/http"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/codec"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/store"
)

// Get returns an object or its scale. Unlike other verbs, it does without serve, so that the request does not escape to the heap.
func (s *Server) Get(t Target, options metav1.GetOptions) (runtime.Object, error) {
	s.store.Lock()
	defer s.store.Unlock()
	k, err := s.kindOf(t)
	if err != nil {
		return nil, err
	}
	r := s.request(k, t, http.MethodGet)
	result, err := r.get(options)
	return result, asStatus(err)
}

func (r *request) get(options metav1.GetOptions) (runtime.Object, error) {
	if err := r.checkPath(); err != nil {
		return nil, err
	}
	if err := r.route("get"); err != nil {
		return nil, err
	}
	version, err := parseNumber(options.ResourceVersion)
	if err != nil {
		return nil, r.badVersion(options.ResourceVersion, err)
	}
	if err := r.server.reached(version); err != nil {
		return nil, err
	}
	live := r.resource.Get(r.key)
	if live == nil {
		return nil, apierrors.NewNotFound(r.name(), r.key.Name)
	}
	return r.answer(live)
}

// badVersion returns the error for reading an object at a version that is no number.
func (r *request) badVersion(version string, err error) error {
	errs := malformed(version, err)
	if r.server.is38 {
		return apierrors.NewInvalid(schema.GroupKind{Group: r.kind.Group, Kind: r.kind.Resource}, r.key.Name, errs)
	}
	return errs.ToAggregate()
}

// answer returns a copy of the object of a record, or its scale, for the client.
func (r *request) answer(record *store.Record) (runtime.Object, error) {
	if r.subresource == codec.Scale {
		u, err := r.server.codec.InVersion(r.kind, record.Object)
		if err != nil {
			return nil, err
		}
		return r.kind.Scale(u)
	}
	object, err := r.server.decoded(r.kind, record)
	if err != nil {
		return nil, err
	}
	return withoutKind(object.DeepCopyObject()), nil
}

// withoutKind removes the kind from an object, as typed clients do.
func withoutKind(object runtime.Object) runtime.Object {
	object.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	return object
}

// decoded returns the object of a record in a version of its kind. It must not be modified.
func (s *Server) decoded(k *codec.Kind, record *store.Record) (runtime.Object, error) {
	version := k.GroupVersion()
	if object := record.Form(version); object != nil {
		return object, nil
	}
	u, err := s.codec.InVersion(k, record.Object)
	if err != nil {
		return nil, err
	}
	object, err := k.Decode(u)
	if err != nil {
		return nil, err
	}
	record.SetForm(version, object)
	return object, nil
}

// List returns a page of a list.
func (s *Server) List(t Target, options metav1.ListOptions) (result runtime.Object, err error) {
	err = s.serve(t, http.MethodGet, func(r *request) error {
		result, err = r.list(options)
		return err
	})
	return result, err
}

func (r *request) list(options metav1.ListOptions) (runtime.Object, error) {
	if err := r.route("list"); err != nil {
		return nil, err
	}
	p, revision, err := r.page(options)
	if err != nil {
		return nil, err
	}
	list, err := r.kind.NewList()
	if err != nil {
		return nil, err
	}
	items := make([]runtime.Object, len(p.Records))
	for i, record := range p.Records {
		object, err := r.server.decoded(r.kind, record)
		if err != nil {
			return nil, err
		}
		items[i] = object.DeepCopyObject()
		if r.kind.BuiltIn {
			withoutKind(items[i])
		}
	}
	if err := meta.SetList(list, items); err != nil {
		return nil, err
	}
	accessor, err := meta.ListAccessor(list)
	if err != nil {
		return nil, err
	}
	accessor.SetResourceVersion(strconv.FormatUint(revision, 10))
	accessor.SetContinue(p.Continue)
	accessor.SetRemainingItemCount(p.Remaining)
	r.showShard(accessor)
	return list, nil
}

// page returns the requested page of a list, and the revision of the list.
func (r *request) page(options metav1.ListOptions) (*store.Page, uint64, error) {
	sel, err := r.selection(options)
	if err != nil {
		return nil, 0, err
	}
	_, single := sel.fields.RequiresExactMatch("metadata.name")
	revision, start, err := r.server.start(options, single)
	if err != nil {
		return nil, 0, err
	}
	q := store.Query{Revision: revision, Namespace: r.key.Namespace, Limit: options.Limit, Start: start}
	if options.ResourceVersion == "0" || single {
		q.Limit = 0 // a server serves these without pages: from its cache, or with a single get
	}
	if !sel.labels.Empty() || !sel.fields.Empty() || sel.shard != nil {
		q.Matches = sel.Matches
	}
	p, ok := r.server.store.Page(r.resource, q)
	if !ok {
		return nil, 0, expired(options, start)
	}
	return p, revision, nil
}

// start returns the revision of a list and its first key. A list of a single object has no pages.
func (s *Server) start(options metav1.ListOptions, single bool) (revision uint64, after string, err error) {
	if options.Continue != "" {
		token, err := store.ParseToken(options.Continue)
		if err != nil {
			return 0, "", apierrors.NewBadRequest("invalid continue token: " + err.Error())
		}
		if options.ResourceVersion != "" && options.ResourceVersion != "0" {
			return 0, "", apierrors.NewBadRequest("specifying resource version is not allowed when using continue")
		}
		if token.Revision == 0 {
			token.Revision = s.store.Revision()
		}
		return token.Revision, token.Start, nil
	}
	wanted, err := parseVersion(options.ResourceVersion)
	if err != nil {
		return 0, "", apierrors.NewBadRequest(fmt.Sprintf("invalid resource version: %v", err))
	}
	if err := s.reached(wanted); err != nil {
		return 0, "", err
	}
	exact := options.ResourceVersionMatch == metav1.ResourceVersionMatchExact ||
		options.ResourceVersionMatch == "" && options.Limit > 0 && wanted > 0 && !single
	if exact {
		return wanted, "", nil
	}
	return s.store.Revision(), "", nil
}

// reached returns an error if the server has not reached a revision.
func (s *Server) reached(wanted uint64) error {
	current := s.store.Revision()
	if wanted <= current {
		return nil
	}
	tooLarge := apierrors.NewTimeoutError(fmt.Sprintf("Too large resource version: %d, current: %d", wanted, current), 1)
	cause := metav1.StatusCause{Type: metav1.CauseTypeResourceVersionTooLarge, Message: "Too large resource version"}
	tooLarge.ErrStatus.Details.Causes = []metav1.StatusCause{cause}
	return tooLarge
}

// parseVersion returns a resource version as a number; "" is 0.
func parseVersion(resourceVersion string) (uint64, error) {
	version, err := parseNumber(resourceVersion)
	if err != nil {
		return 0, malformed(resourceVersion, err).ToAggregate()
	}
	return version, nil
}

func malformed(resourceVersion string, err error) field.ErrorList {
	return field.ErrorList{field.Invalid(field.NewPath("resourceVersion"), resourceVersion, err.Error())}
}

// parseNumber is parseVersion with the error of the standard library.
func parseNumber(resourceVersion string) (uint64, error) {
	if resourceVersion == "" {
		return 0, nil
	}
	return strconv.ParseUint(resourceVersion, 10, 64)
}

// expired returns the error for a list at a revision that is no longer kept. For later pages it has a token to continue with an
// inconsistent list.
func expired(options metav1.ListOptions, start string) error {
	if options.Continue == "" {
		return apierrors.NewResourceExpired("The resourceVersion for the provided list is too old.")
	}
	err := apierrors.NewResourceExpired("The provided continue parameter is too old " +
		"to display a consistent list result. You can start a new list without " +
		"the continue parameter, or use the continue token in this response to " +
		"retrieve the remainder of the results. Continuing with the provided " +
		"token results in an inconsistent list - objects that were created, " +
		"modified, or deleted between the time the first chunk was returned " +
		"and now may show up in the list.")
	err.ErrStatus.Continue = store.Token{Start: start}.Encode()
	return err
}
