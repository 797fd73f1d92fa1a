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

// decoder returns the object that a client wants to be stored, in the version of the request. It may be modified. The decoder has
// loaded the stored object, unless the request creates one.
type decoder func() (*unstructuredObject, error)

// write performs a write in five stages, and returns the object as the client receives it:
//
//   - decode: the JSON of the request becomes an object, by decoding, patching or merging;
//   - admit: fields that the client cannot set are set or reset;
//   - own: the field manager of the request owns what has changed;
//   - validate: versions, metadata and schema are checked;
//   - commit: the object is stored, unless it has not changed or the request is a dry run. Then garbage is collected.
func (s *Server) write(r *request, decode decoder) (runtime.Object, error) {
	u, err := decode()
	if err != nil {
		return nil, err
	}
	if r.kind.BuiltIn {
		builtin.Normalize(u)
	}
	if err := r.admit(u); err != nil {
		return nil, err
	}
	if err := r.own(u); err != nil {
		return nil, err
	}
	stored, err := r.validateAndCommit(u)
	if err != nil {
		return nil, err
	}
	defer s.store.Collect()
	return r.answer(stored)
}

// admit sets and resets the fields that the client cannot set.
func (r *request) admit(u *unstructuredObject) error {
	switch {
	case r.seeds:
		r.stampSeed(u)
		return nil
	case r.subresource == codec.Scale: // derived from the stored object
		return nil
	case r.live != nil:
		object.DropDuplicateOwners(u)
		r.reset(u)
		if r.kind.BuiltIn {
			return builtin.StampApprovals(u, r.old, r.subresource, r.server.store.Now())
		}
		return nil
	}
	u.SetUID("")
	u.SetCreationTimestamp(metav1.Time{})
	u.SetDeletionTimestamp(nil)
	u.SetDeletionGracePeriodSeconds(nil)
	if err := r.fixNamespace(u); err != nil {
		return err
	}
	object.DropDuplicateOwners(u)
	r.kind.Prepare(u)
	return nil
}

// reset reverts the fields that an update cannot change: the status or, for the subresource status, everything else.
func (r *request) reset(u *unstructuredObject) {
	if r.kind.Limit(u, r.old, r.subresource) {
		return
	}
	if r.subresource != codec.Status {
		r.kind.DropStatus(u, r.old)
		return
	}
	version, managed := u.GetResourceVersion(), object.ManagedFields(u)
	kept := object.Clone(r.old)
	if status, ok := u.Object["status"]; ok {
		kept.Object["status"] = status
	} else {
		delete(kept.Object, "status")
	}
	u.Object = kept.Object
	u.SetResourceVersion(version)
	object.SetManagedFields(u, managed)
}

// stampSeed sets missing metadata of an object for Add.
func (r *request) stampSeed(u *unstructuredObject) {
	if u.GetName() == "" && u.GetGenerateName() != "" {
		u.SetName(generateName(u.GetGenerateName()))
	}
	if u.GetUID() == "" {
		u.SetUID(uuid.NewUUID())
	}
	if created := u.GetCreationTimestamp(); created.IsZero() {
		u.SetCreationTimestamp(r.server.store.Now())
	}
	if u.GetGeneration() == 0 && !r.kind.NoGeneration {
		u.SetGeneration(1)
	}
	u.SetResourceVersion("")
	r.isOwned = len(u.GetManagedFields()) > 0
}

// own sets the managed fields.
func (r *request) own(u *unstructuredObject) (err error) {
	if r.isOwned {
		return nil
	}
	old := r.old
	if old == nil {
		old = r.kind.Empty()
	}
	r.owners, err = r.writer().Own(old, u)
	return err
}

// validateAndCommit performs the last two stages. It returns the stored object, or what would be stored.
func (r *request) validateAndCommit(u *unstructuredObject) (*store.Record, error) {
	if r.live != nil {
		if err := r.checkVersion(u); err != nil {
			return nil, err
		}
		r.carryOver(u)
		if err := r.validate(u); err != nil {
			return nil, err
		}
		return r.commitUpdate(u)
	}
	if r.seeds || u.GetName() != "" || u.GetGenerateName() == "" {
		return r.insert(u)
	}
	for attempt := 1; ; attempt++ {
		named := object.Clone(u)
		named.SetName(generateName(u.GetGenerateName()))
		created, err := r.insert(named)
		if err == nil || !apierrors.IsAlreadyExists(err) {
			return created, err
		}
		if attempt == generatedAttempts {
			return nil, apierrors.NewGenerateNameConflict(r.name(), named.GetName(), 1)
		}
	}
}

func generateName(prefix string) string {
	return prefix[:min(len(prefix), maxNameLength-suffixLength)] + utilrand.String(suffixLength)
}

// insert validates and commits a new object.
func (r *request) insert(u *unstructuredObject) (*store.Record, error) {
	if !r.seeds {
		u.SetDeletionTimestamp(nil)
		u.SetDeletionGracePeriodSeconds(nil)
		u.SetCreationTimestamp(r.server.store.Now())
		u.SetUID(uuid.NewUUID())
		if !r.kind.NoGeneration {
			u.SetGeneration(1)
		}
	}
	if err := r.validate(u); err != nil {
		return nil, err
	}
	key := store.Key{Namespace: u.GetNamespace(), Name: u.GetName()}
	if existing := r.resource.Get(key); existing != nil {
		err := apierrors.NewAlreadyExists(r.name(), key.Name)
		if existing.Object.GetDeletionTimestamp() != nil {
			err.ErrStatus.Message = "object is being deleted: " + err.ErrStatus.Message
		}
		return nil, err
	}
	if version, _ := parseNumber(u.GetResourceVersion()); version != 0 && !r.dryRun { // servers ignore anything but numbers
		return nil, errors.New("resourceVersion should not be set on objects to be created")
	}
	return r.commit(u)
}

// checkVersion returns an error if an update does not have the version of the stored object.
func (r *request) checkVersion(u *unstructuredObject) error {
	if r.kind.BuiltIn && u.GetResourceVersion() == "" {
		u.SetResourceVersion(r.old.GetResourceVersion())
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
	case version != strconv.FormatUint(r.live.Revision, 10):
		return apierrors.NewConflict(r.name(), r.key.Name, errors.New(
			"the object has been modified; please apply your changes to the latest version and try again"))
	}
	return nil
}

// carryOver sets the immutable metadata and the generation of an update.
func (r *request) carryOver(u *unstructuredObject) {
	old := r.old
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

// commitUpdate stores an updated object. An object that is being deleted is removed with its last finalizer: the client receives
// the updated object, of later servers with the version of the deletion, but watches receive the object before the update. An update
// after which a server would store the same stores nothing.
func (r *request) commitUpdate(u *unstructuredObject) (*store.Record, error) {
	if object.KeepTimes(r.old, u) {
		r.typed = nil // it has the other times
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
	return r.commit(u)
}

// commit stores an object, unless the request is a dry run or changes nothing. It returns what a server reads from its store then.
func (r *request) commit(u *unstructuredObject) (*store.Record, error) {
	stored, err := r.server.codec.ToStorage(r.kind, u)
	if err != nil {
		return nil, err
	}
	if r.live != nil && !r.live.Untidy && object.SameJSON(r.live.Stored.Object, stored.Object) {
		return r.live, nil
	}
	read, err := r.server.codec.FromStorage(r.kind, stored)
	if err != nil {
		return nil, err
	}
	record := store.NewRecord(read)
	record.Stored, record.Untidy = stored, r.untidy
	if r.dryRun {
		return record, nil
	}
	if r.typed != nil && r.server.codec.IsStorage(r.kind) {
		record.SetForm(r.kind.GroupVersion(), r.typed)
	}
	r.server.store.Put(r.resource, record)
	return record, nil
}
