package verbs

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/client-go/rest"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/codec"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/store"
)

// unstructuredObject is an object in JSON form.
type unstructuredObject = unstructured.Unstructured

// request is a request for objects of a kind.
type request struct {
	server   *Server
	kind     *codec.Kind
	resource *store.Resource
	// method is the HTTP method, which is part of some errors.
	method      string
	key         store.Key
	subresource string
	shard       shard
	// manager is the field manager of a write.
	manager string
	dryRun  bool
	// seeds is set if the request does not come from a client, but from Add.
	seeds bool
}

// request returns a request.
func (s *Server) request(k *codec.Kind, t Target, method string) request {
	return request{
		server: s, kind: k, resource: s.resources[k], method: method,
		key: store.Key{Namespace: t.Namespace, Name: t.Name}, subresource: t.Subresource,
	}
}

// name returns the resource, for errors.
func (r *request) name() schema.GroupResource { return r.kind.GroupResource() }

// writer returns the identity of the request for managed fields.
func (r *request) writer() codec.Writer {
	return codec.Writer{Kind: r.kind, Subresource: r.subresource, Manager: r.manager}
}

// current is a stored object.
type current struct {
	*store.Record
	// old is the object in the version of the request.
	old *unstructuredObject
}

// load returns the object of the request. The object is nil, with an error, if it does not exist.
func (r *request) load() (*current, error) {
	record := r.resource.Get(r.key)
	if record == nil {
		return nil, apierrors.NewNotFound(r.name(), r.key.Name)
	}
	old, err := r.server.codec.InVersion(r.kind, record.Object)
	return &current{record, old}, err
}

// clientError is an error of a client that did not send the request.
type clientError struct{ error }

// checkPath returns a client's error for a name that cannot be part of a path.
func (r *request) checkPath() error {
	if r.key.Name == "" {
		return clientError{errors.New("resource name may not be empty")}
	}
	if problems := rest.IsValidPathSegmentName(r.key.Namespace); r.kind.Namespaced && len(problems) > 0 {
		return clientError{fmt.Errorf("invalid namespace %q: %v", r.key.Namespace, problems)}
	}
	if problems := rest.IsValidPathSegmentName(r.key.Name); len(problems) > 0 {
		return clientError{fmt.Errorf("invalid resource name %q: %v", r.key.Name, problems)}
	}
	return nil
}

// route returns an error if a server does not have the path of the request: the namespace is missing, or the subresource is
// unknown or lacks the verb. Verbs are spelled as in discovery.
func (r *request) route(verb string) error {
	lacksNamespace := r.kind.Namespaced && r.key.Namespace == "" && (r.method != http.MethodGet || r.key.Name != "")
	isServed := r.kind.IsServed()
	ok := r.subresource == "" || r.kind.Has(r.subresource)
	switch {
	case ok && isServed && !lacksNamespace:
		if r.subresource == "" || r.kind.Allows(r.subresource, verb) {
			return nil
		}
		return apierrors.NewGenericServerResponse(http.StatusMethodNotAllowed, r.method, r.name(), r.key.Name, "", 0, true)
	case !ok && isServed && !lacksNamespace && !r.kind.BuiltIn:
		return apierrors.NewNotFound(r.name(), r.key.Name) // custom resources word it like this
	}
	return apierrors.NewGenericServerResponse(http.StatusNotFound, r.method, r.name(), r.key.Name, "404 page not found", 0, true)
}

// optionsError returns the error for options that are not valid.
func optionsError(kind string, errs field.ErrorList) error {
	if len(errs) == 0 {
		return nil
	}
	return apierrors.NewInvalid(schema.GroupKind{Group: metav1.GroupName, Kind: kind}, "", errs)
}

// defaultManager is the default field manager: a server uses the first part of the user agent.
var defaultManager = func() string {
	name, _, _ := strings.Cut(rest.DefaultKubernetesUserAgent(), "/")
	return name
}()

// setWrite sets the options that are common to all writes.
func (r *request) setWrite(manager string, dryRun []string) {
	r.manager = manager
	if manager == "" {
		r.manager = defaultManager
	}
	r.dryRun = len(dryRun) > 0
}

// fixNamespace sets the namespace of an object to the namespace of the request. It returns an error if they differ.
func (r *request) fixNamespace(u *unstructuredObject) error {
	switch {
	case !r.kind.Namespaced:
		u.SetNamespace("")
	case u.GetNamespace() == "":
		u.SetNamespace(r.key.Namespace)
	case u.GetNamespace() != r.key.Namespace:
		return errNamespace()
	}
	return nil
}

// errNamespace returns the error for an object in another namespace than the request.
func errNamespace() error {
	return apierrors.NewBadRequest("the namespace of the provided object does not match the namespace sent on the request")
}

// checkName returns an error if a patch has changed the name or namespace of an object.
func (r *request) checkName(u *unstructuredObject) error {
	if err := r.fixNamespace(u); err != nil {
		return err
	}
	if u.GetName() == "" {
		return apierrors.NewBadRequest(fmt.Sprintf(
			"the name of the object (%s based on URL) was undeterminable: name must be provided", r.key.Name))
	}
	if u.GetName() != r.key.Name {
		return apierrors.NewBadRequest(fmt.Sprintf(
			"the name of the object (%s) does not match the name on the URL (%s)", u.GetName(), r.key.Name))
	}
	return nil
}
