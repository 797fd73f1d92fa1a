package verbs

import (
	"errors"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilrand "k8s.io/apimachinery/pkg/util/rand"
	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/builtin"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/codec"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/object"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/store"
)

const (
	// generatedAttempts is how often a server tries to generate a name.
	generatedAttempts = 8
	// suffixLength and maxNameLength apply to generated names.
	suffixLength, maxNameLength = 5, 63
)

// A draft is an object on its way to the store, in the version of the request. The stages of a write may modify it.
type draft struct {
	object *unstructuredObject
	// live is the stored object that the draft replaces, or nil if the request creates an object.
	live *current
	// untidy is set if the object has fields that a server drops when it reads the object.
	untidy bool
}

// decoded is a draft that a client wants to be stored. isOwned is set if its managed fields are set already.
type decoded struct {
	draft
	isOwned bool
}

// owned is a draft with managed fields. These are owners, or nil if only the JSON form has them.
type owned struct {
	draft
	owners []metav1.ManagedFieldsEntry
}

// valid is a draft that may be stored. typed is the object as a Go object, or nil if it was not decoded.
type valid struct {
	draft
	typed runtime.Object
}

// write performs a write in six stages, and returns the object as the client receives it:
//
//   - decode: the JSON of the request becomes an object, by decoding, patching or merging;
//   - admit: fields that the client cannot set are set or reset;
//   - own: the field manager of the request owns the changed fields;
//   - complete: metadata that the server maintains is set;
//   - validate: metadata and schema are checked;
//   - commit: the object is stored, unless it has not changed or the request is a dry run. Then garbage is collected.
//
// The last three are repeated while a generated name is taken.
func (s *Server) write(r *request, decode func() (decoded, error)) (runtime.Object, error) {
	sent, err := decode()
	if err != nil {
		return nil, err
	}
	admitted, err := r.admit(sent)
	if err != nil {
		return nil, err
	}
	o, err := r.own(admitted)
	if err != nil {
		return nil, err
	}
	stored, err := r.store(o)
	if err != nil {
		return nil, err
	}
	defer s.store.Collect()
	return r.answer(stored)
}

// store performs the last three stages. It returns the stored object, or what would be stored.
func (r *request) store(o owned) (*store.Record, error) {
	for attempt := 1; ; attempt++ {
		completed, err := r.complete(o)
		if err != nil {
			return nil, err
		}
		v, err := r.validate(completed)
		if err != nil {
			return nil, err
		}
		stored, err := r.commit(v)
		if o.object.GetName() != "" || !apierrors.IsAlreadyExists(err) {
			return stored, err
		}
		if attempt == generatedAttempts {
			return nil, apierrors.NewGenerateNameConflict(r.name(), v.object.GetName(), 1)
		}
	}
}

// admit sets and resets the fields that the client cannot set.
func (r *request) admit(d decoded) (decoded, error) {
	u := d.object
	if r.kind.BuiltIn {
		builtin.Normalize(u)
	}
	switch {
	case r.seeds:
		u.SetResourceVersion("")
		return d, nil
	case r.subresource == codec.Scale: // derived from the stored object
		return d, nil
	case d.live != nil:
		object.DropDuplicateOwners(u)
		r.reset(u, d.live.old)
		if r.kind.BuiltIn {
			return d, builtin.StampApprovals(u, d.live.old, r.subresource, r.server.store.Now())
		}
		return d, nil
	}
	u.SetUID("")
	u.SetCreationTimestamp(metav1.Time{})
	u.SetDeletionTimestamp(nil)
	u.SetDeletionGracePeriodSeconds(nil)
	if err := r.fixNamespace(u); err != nil {
		return d, err
	}
	object.DropDuplicateOwners(u)
	r.kind.Prepare(u)
	return d, nil
}

// reset reverts the fields that an update cannot change: the status or, for the subresource status, everything else.
func (r *request) reset(u, old *unstructuredObject) {
	if r.kind.Limit(u, old, r.subresource) {
		return
	}
	if r.subresource != codec.Status {
		r.kind.DropStatus(u, old)
		return
	}
	version, managed := u.GetResourceVersion(), object.ManagedFields(u)
	kept := object.Clone(old)
	if status, ok := u.Object["status"]; ok {
		kept.Object["status"] = status
	} else {
		delete(kept.Object, "status")
	}
	u.Object = kept.Object
	u.SetResourceVersion(version)
	object.SetManagedFields(u, managed)
}

// own sets the managed fields.
func (r *request) own(d decoded) (owned, error) {
	if d.isOwned {
		return owned{draft: d.draft}, nil
	}
	old := r.kind.Empty()
	if d.live != nil {
		old = d.live.old
	}
	owners, err := r.writer().Own(old, d.object)
	return owned{d.draft, owners}, err
}

// complete sets the metadata that a server maintains: of an update the immutable metadata and the generation, of a new object its
// birth and, if asked for, its name. It returns an error for an update of another version than the stored object's.
func (r *request) complete(o owned) (owned, error) {
	if o.live != nil {
		if err := r.checkVersion(o.object, o.live); err != nil {
			return o, err
		}
		r.carryOver(o.object, o.live.old)
		return o, nil
	}
	if o.object.GetName() == "" && o.object.GetGenerateName() != "" {
		o.object = object.Clone(o.object)
		prefix := o.object.GetGenerateName()
		o.object.SetName(prefix[:min(len(prefix), maxNameLength-suffixLength)] + utilrand.String(suffixLength))
	}
	if o.object.GetUID() == "" {
		o.object.SetUID(uuid.NewUUID())
	}
	if created := o.object.GetCreationTimestamp(); created.IsZero() {
		o.object.SetCreationTimestamp(r.server.store.Now())
	}
	if !r.kind.NoGeneration && (!r.seeds || o.object.GetGeneration() == 0) {
		o.object.SetGeneration(1)
	}
	return o, nil
}

// checkVersion returns an error if an update does not have the version of the stored object.
func (r *request) checkVersion(u *unstructuredObject, live *current) error {
	if r.kind.BuiltIn && u.GetResourceVersion() == "" {
		u.SetResourceVersion(live.old.GetResourceVersion())
	}
	if _, err := parseNumber(u.GetResourceVersion()); err != nil {
		return err
	}
	switch version := u.GetResourceVersion(); {
	case version == "" || version == "0":
		kind := schema.GroupKind{Group: r.kind.Group, Kind: r.kind.Resource}
		return apierrors.NewInvalid(kind, r.key.Name, field.ErrorList{
			field.Invalid(field.NewPath("metadata", "resourceVersion"), uint64(0), "must be specified for an update"),
		})
	case version != strconv.FormatUint(live.Revision, 10):
		return apierrors.NewConflict(r.name(), r.key.Name, errors.New(
			"the object has been modified; please apply your changes to the latest version and try again"))
	}
	return nil
}

// carryOver sets the immutable metadata and the generation of an update.
func (r *request) carryOver(u, old *unstructuredObject) {
	u.SetGeneration(old.GetGeneration())
	if !r.kind.NoGeneration && r.subresource != codec.Status && !object.SameContent(old, u) {
		u.SetGeneration(old.GetGeneration() + 1)
	}
	if u.GetUID() == "" {
		u.SetUID(old.GetUID())
	}
	u.SetCreationTimestamp(old.GetCreationTimestamp())
	if deleted := old.GetDeletionTimestamp(); deleted != nil {
		u.SetDeletionTimestamp(deleted)
	}
	if period := old.GetDeletionGracePeriodSeconds(); period != nil && u.GetDeletionGracePeriodSeconds() == nil {
		u.SetDeletionGracePeriodSeconds(period)
	}
}

// commit stores an object, unless the request is a dry run or changes nothing. It returns the object as a server reads it from its store.
func (r *request) commit(v valid) (*store.Record, error) {
	if v.live != nil {
		return r.commitUpdate(v)
	}
	u := v.object
	if existing := r.resource.Get(store.Key{Namespace: u.GetNamespace(), Name: u.GetName()}); existing != nil {
		err := apierrors.NewAlreadyExists(r.name(), u.GetName())
		if existing.Object.GetDeletionTimestamp() != nil {
			err.ErrStatus.Message = "object is being deleted: " + err.ErrStatus.Message
		}
		return nil, err
	}
	if version, _ := parseNumber(u.GetResourceVersion()); version != 0 && !r.dryRun { // servers ignore anything but numbers
		return nil, errors.New("resourceVersion should not be set on objects to be created")
	}
	return r.keep(v)
}

// commitUpdate stores an updated object. An object that is being deleted is removed with its last finalizer: the client receives
// the updated object, of later servers with the version of the deletion, but watches receive the object before the update. An update
// after which a server would store the same stores nothing.
func (r *request) commitUpdate(v valid) (*store.Record, error) {
	u := v.object
	if object.KeepTimes(v.live.old, u) {
		v.typed = nil // it has the other times
	}
	if u.GetDeletionTimestamp() != nil && len(u.GetFinalizers()) == 0 && !builtin.IsHeld(u) {
		if !r.dryRun {
			r.server.store.Remove(r.resource, r.key)
			if r.server.is38 {
				u.SetResourceVersion(strconv.FormatUint(r.server.store.Revision(), 10))
			}
		}
		return store.NewRecord(u), nil
	}
	return r.keep(v)
}

// keep puts an object into the store, as commit says.
func (r *request) keep(v valid) (*store.Record, error) {
	stored, err := r.server.codec.ToStorage(r.kind, v.object)
	if err != nil {
		return nil, err
	}
	if v.live != nil && !v.live.Untidy && object.SameJSON(v.live.Stored.Object, stored.Object) {
		return v.live.Record, nil
	}
	read, err := r.server.codec.FromStorage(r.kind, stored)
	if err != nil {
		return nil, err
	}
	record := store.NewRecord(read)
	record.Stored, record.Untidy = stored, v.untidy
	if r.dryRun {
		return record, nil
	}
	if v.typed != nil && r.server.codec.IsStorage(r.kind) {
		record.SetForm(r.kind.GroupVersion(), v.typed)
	}
	r.server.store.Put(r.resource, record)
	return record, nil
}
