package strict

import (
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	utilrand "k8s.io/apimachinery/pkg/util/rand"
	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/client-go/tools/cache"
)

const (
	// generatedAttempts is how often a server tries to generate a name.
	generatedAttempts = 8
	// suffixLength and maxNameLength apply to generated names.
	suffixLength, maxNameLength = 5, 63
)

func (s *Server) create(r *request, object runtime.Object, options metav1.CreateOptions) (runtime.Object, error) {
	r.setWrite(options.FieldManager, options.DryRun)
	if err := r.route(); err != nil {
		return nil, err
	}
	if err := optionsError("CreateOptions", metav1validation.ValidateCreateOptions(&options)); err != nil {
		return nil, err
	}
	u, err := encode(r.served, object)
	if err != nil {
		return nil, err
	}
	if err := r.receive(u, options.FieldValidation); err != nil {
		return nil, err
	}
	u.SetUID("")
	u.SetCreationTimestamp(metav1.Time{})
	u.SetDeletionTimestamp(nil)
	u.SetDeletionGracePeriodSeconds(nil)
	if err := r.fixNamespace(u); err != nil {
		return nil, err
	}
	uniqueOwners(u)
	r.dropStatus(u, nil)
	if err := s.own(r, r.empty(), u); err != nil {
		return nil, err
	}
	generated := u.GetName() == "" && u.GetGenerateName() != ""
	for attempt := 1; ; attempt++ {
		if generated {
			u.SetName(generateName(u.GetGenerateName()))
		}
		created, err := s.insert(r, clone(u))
		if err == nil || !apierrors.IsAlreadyExists(err) {
			return created, err
		}
		if !generated {
			return nil, err
		}
		if attempt == generatedAttempts {
			return nil, apierrors.NewGenerateNameConflict(r.name, u.GetName(), 1)
		}
	}
}

func generateName(prefix string) string {
	return prefix[:min(len(prefix), maxNameLength-suffixLength)] + utilrand.String(suffixLength)
}

// insert stores a new object whose managed fields are set.
func (s *Server) insert(r *request, u *unstructured.Unstructured) (runtime.Object, error) {
	u.SetDeletionTimestamp(nil)
	u.SetDeletionGracePeriodSeconds(nil)
	u.SetCreationTimestamp(s.now())
	u.SetUID(uuid.NewUUID())
	if !r.NoGeneration {
		u.SetGeneration(1)
	}
	if err := s.validate(r, u, nil); err != nil {
		return nil, err
	}
	key := cache.ObjectName{Namespace: u.GetNamespace(), Name: u.GetName()}
	if existing, ok := r.objects[key]; ok {
		err := apierrors.NewAlreadyExists(r.name, key.Name)
		if existing.object.GetDeletionTimestamp() != nil {
			err.ErrStatus.Message = "object is being deleted: " + err.ErrStatus.Message
		}
		return nil, err
	}
	if version, _ := parseNumber(u.GetResourceVersion()); version != 0 && !r.dryRun { // servers ignore anything but numbers
		return nil, errors.New("resourceVersion should not be set on objects to be created")
	}
	return s.store(r, key, u)
}

// seed stores an object for Add.
func (s *Server) seed(k *served, object runtime.Object) error {
	u, err := encode(k, object)
	if err != nil {
		return err
	}
	r := &request{served: k, key: cache.ObjectName{Namespace: u.GetNamespace(), Name: u.GetName()}, manager: defaultManager}
	if err := r.receive(u, ""); err != nil {
		return err
	}
	if u.GetName() == "" && u.GetGenerateName() != "" {
		r.key.Name = generateName(u.GetGenerateName())
		u.SetName(r.key.Name)
	}
	if u.GetUID() == "" {
		u.SetUID(uuid.NewUUID())
	}
	if created := u.GetCreationTimestamp(); created.IsZero() {
		u.SetCreationTimestamp(s.now())
	}
	if u.GetGeneration() == 0 && !r.NoGeneration {
		u.SetGeneration(1)
	}
	u.SetResourceVersion("")
	if len(u.GetManagedFields()) == 0 {
		if err := s.own(r, k.empty(), u); err != nil {
			return err
		}
	}
	if err := s.validate(r, u, nil); err != nil {
		return err
	}
	if _, ok := r.objects[r.key]; ok {
		return apierrors.NewAlreadyExists(r.name, r.key.Name)
	}
	_, err = s.store(r, r.key, u)
	return err
}
