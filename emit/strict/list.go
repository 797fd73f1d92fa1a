package strict

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion"
	internalvalidation "k8s.io/apimachinery/pkg/apis/meta/internalversion/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/client-go/tools/cache"
)

// selection has the selectors of a list or watch.
type selection struct {
	*served
	namespace string
	labels    labels.Selector
	fields    fields.Selector
}

// everything reports whether there are no selectors.
func (sel selection) everything() bool { return sel.labels.Empty() && sel.fields.Empty() }

// matches reports whether an object matches the selectors.
func (s *Server) matches(sel selection, r *record) bool {
	if sel.namespace != "" && r.object.GetNamespace() != sel.namespace {
		return false
	}
	if sel.everything() {
		return true
	}
	return sel.labels.Matches(labels.Set(r.object.GetLabels())) && sel.fields.Matches(s.fieldsOf(sel, r))
}

// fieldsOf returns the selectable fields of an object.
func (s *Server) fieldsOf(sel selection, r *record) fields.Set {
	set := fields.Set{"metadata.name": r.object.GetName()}
	if sel.Namespaced {
		set["metadata.namespace"] = r.object.GetNamespace()
	}
	declared := sel.schema.SelectableFields()
	if len(declared) == 0 || sel.fields.Empty() {
		return set
	}
	u, err := s.inVersion(sel.served, r.object)
	if err != nil {
		return set
	}
	for _, name := range declared {
		set[name] = ""
		if value, found, err := unstructured.NestedFieldNoCopy(u.Object, strings.Split(name, ".")...); err == nil && found && value != nil {
			set[name] = fmt.Sprint(value)
		}
	}
	return set
}

// selectionOf returns the selection of a list or watch, or a server's error if it cannot be parsed.
func (s *Server) selectionOf(r *request, options metav1.ListOptions) (selection, error) {
	sel := selection{served: r.served, namespace: r.key.Namespace}
	var err error
	if sel.labels, err = labels.Parse(options.LabelSelector); err != nil {
		return sel, apierrors.NewBadRequest(err.Error())
	}
	if sel.fields, err = fields.ParseSelector(options.FieldSelector); err != nil {
		return sel, apierrors.NewBadRequest(err.Error())
	}
	internal := &internalversion.ListOptions{
		LabelSelector: sel.labels, FieldSelector: sel.fields, Watch: options.Watch, AllowWatchBookmarks: options.AllowWatchBookmarks,
		ResourceVersion: options.ResourceVersion, ResourceVersionMatch: options.ResourceVersionMatch,
		TimeoutSeconds: options.TimeoutSeconds, Limit: options.Limit, Continue: options.Continue,
		SendInitialEvents: options.SendInitialEvents,
	}
	if err := optionsError("ListOptions", internalvalidation.ValidateListOptions(internal, true)); err != nil {
		return sel, err
	}
	for _, requirement := range sel.fields.Requirements() {
		if !r.selectable(requirement.Field) {
			return sel, apierrors.NewBadRequest("field label not supported: " + requirement.Field)
		}
	}
	return sel, nil
}

// selectable reports whether field selectors can use a field.
func (k *served) selectable(name string) bool {
	if name == "metadata.name" || name == "metadata.namespace" && k.Namespaced {
		return true
	}
	return slices.Contains(k.schema.SelectableFields(), name)
}

func (s *Server) list(r *request, options metav1.ListOptions) (runtime.Object, error) {
	if err := r.route(); err != nil {
		return nil, err
	}
	p, err := s.page(r, options)
	if err != nil {
		return nil, err
	}
	list, err := r.scheme.New(r.GroupVersion().WithKind(r.Kind.Kind + "List"))
	if err != nil {
		return nil, err
	}
	items := make([]runtime.Object, len(p.keys))
	for i, key := range p.keys {
		object, err := s.as(r.served, p.objects[key])
		if err != nil {
			return nil, err
		}
		items[i] = object.DeepCopyObject()
		if r.BuiltIn {
			items[i].GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
		}
	}
	if err := meta.SetList(list, items); err != nil {
		return nil, err
	}
	accessor, err := meta.ListAccessor(list)
	if err != nil {
		return nil, err
	}
	accessor.SetResourceVersion(strconv.FormatUint(p.revision, 10))
	accessor.SetContinue(p.next)
	accessor.SetRemainingItemCount(p.remaining)
	return list, nil
}

// page is a part of a list.
type page struct {
	keys      []cache.ObjectName
	objects   map[cache.ObjectName]*record
	revision  uint64
	next      string
	remaining *int64
}

// page returns the requested page of a list.
func (s *Server) page(r *request, options metav1.ListOptions) (*page, error) {
	sel, err := s.selectionOf(r, options)
	if err != nil {
		return nil, err
	}
	_, single := sel.fields.RequiresExactMatch("metadata.name")
	revision, after, err := s.start(options, single)
	if err != nil {
		return nil, err
	}
	if options.ResourceVersion == "0" {
		options.Limit = 0 // a server serves this from its cache, without pages
	}
	p := &page{revision: revision}
	var keys []cache.ObjectName
	var last cache.ObjectName
	var ok bool
	if keys, p.objects, ok = s.at(r.resource, revision); !ok {
		return nil, expired(options, after)
	}
	for i, key := range keys {
		if r.key.Namespace != "" && key.Namespace != r.key.Namespace || after != "" && pathOf(r, key) < after {
			continue
		}
		if options.Limit > 0 && int64(len(p.keys)) == options.Limit && !single {
			// There is another page even if no object on it matches the selectors.
			p.next = encodeContinue(revision, pathOf(r, last)+"\x00")
			if sel.everything() {
				p.remaining = r.remaining(keys[i:])
			}
			return p, nil
		}
		last = key
		if s.matches(sel, p.objects[key]) {
			p.keys = append(p.keys, key)
		}
	}
	return p, nil
}

// remaining returns the number of remaining objects in the namespace of a request.
func (r *request) remaining(keys []cache.ObjectName) *int64 {
	count := int64(0)
	for _, key := range keys {
		if r.key.Namespace == "" || key.Namespace == r.key.Namespace {
			count++
		}
	}
	return &count
}

// pathOf returns the key of an object in continue tokens, relative to the key of the request.
func pathOf(r *request, key cache.ObjectName) string {
	if r.key.Namespace != "" || key.Namespace == "" {
		return key.Name
	}
	return key.Namespace + "/" + key.Name
}

// start returns the revision of a list and its first key. A list of a single object has no pages.
func (s *Server) start(options metav1.ListOptions, single bool) (revision uint64, after string, err error) {
	if options.Continue != "" {
		revision, after, err = decodeContinue(options.Continue)
		if err != nil {
			return 0, "", apierrors.NewBadRequest("invalid continue token: " + err.Error())
		}
		if options.ResourceVersion != "" && options.ResourceVersion != "0" {
			return 0, "", apierrors.NewBadRequest("specifying resource version is not allowed when using continue")
		}
		if revision == 0 {
			revision = s.revision
		}
		return revision, after, nil
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
	return s.revision, "", nil
}

// reached returns an error if the server has not reached a revision.
func (s *Server) reached(wanted uint64) error {
	if wanted <= s.revision {
		return nil
	}
	tooLarge := apierrors.NewTimeoutError(fmt.Sprintf("Too large resource version: %d, current: %d", wanted, s.revision), 1)
	tooLarge.ErrStatus.Details.Causes = []metav1.StatusCause{{Type: metav1.CauseTypeResourceVersionTooLarge, Message: "Too large resource version"}}
	return tooLarge
}

// parseVersion returns a resource version as a number; "" is 0.
func parseVersion(resourceVersion string) (uint64, error) {
	version, err := parseNumber(resourceVersion)
	if err != nil {
		return 0, field.ErrorList{field.Invalid(field.NewPath("resourceVersion"), resourceVersion, err.Error())}.ToAggregate()
	}
	return version, nil
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
func expired(options metav1.ListOptions, after string) error {
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
	err.ErrStatus.Continue = encodeContinue(0, after)
	return err
}

// continueVersion is the version of the format of continue tokens.
const continueVersion = "meta.k8s.io/v1"

// continueToken is the content of a continue token: the revision of the list, or -1 for the latest, and the key of the next object.
type continueToken struct {
	Version  string `json:"v"`
	Revision int64  `json:"rv"`
	Start    string `json:"start"`
}

func encodeContinue(revision uint64, start string) string {
	token := continueToken{continueVersion, int64(revision), start}
	if revision == 0 {
		token.Revision = -1
	}
	data, _ := json.Marshal(token) // strings and numbers can be encoded
	return base64.RawURLEncoding.EncodeToString(data)
}

func decodeContinue(text string) (revision uint64, start string, err error) {
	data, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return 0, "", fmt.Errorf("continue key is not valid: %w", err)
	}
	var token continueToken
	if err := json.Unmarshal(data, &token); err != nil {
		return 0, "", fmt.Errorf("continue key is not valid: %w", err)
	}
	switch {
	case token.Version != continueVersion:
		return 0, "", fmt.Errorf("continue key is not valid: server does not recognize this encoded version %s", token.Version)
	case token.Revision == 0:
		return 0, "", fmt.Errorf("continue key is not valid: incorrect encoded start resourceVersion (version %s)", continueVersion)
	case token.Start == "":
		return 0, "", fmt.Errorf("continue key is not valid: encoded start key empty (version %s)", continueVersion)
	}
	if key := "/" + strings.TrimPrefix(token.Start, "/"); path.Clean(key) != key {
		return 0, "", fmt.Errorf("continue key is not valid: %s", token.Start)
	}
	return uint64(max(token.Revision, 0)), token.Start, nil
}
