package builtin

import (
	"bytes"
	"fmt"
	"slices"

	certificatesv1 "k8s.io/api/certificates/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

type (
	requestStatus        = certificatesv1.CertificateSigningRequestStatus
	requestCondition     = certificatesv1.CertificateSigningRequestCondition
	requestConditionType = certificatesv1.RequestConditionType
)

// approvals are the conditions of a CertificateSigningRequest that only the subresource approval sets.
var approvals = []requestConditionType{certificatesv1.CertificateApproved, certificatesv1.CertificateDenied}

// signing returns the status of a CertificateSigningRequest. Its form is the same in all versions. It reports whether the object is one.
func signing(u *unstructured.Unstructured) (status requestStatus, ok bool) {
	kind := u.GroupVersionKind()
	if kind.Group != certificatesv1.GroupName || kind.Kind != "CertificateSigningRequest" {
		return status, false
	}
	content, _ := u.Object["status"].(map[string]any) // nil without a status
	return status, runtime.DefaultUnstructuredConverter.FromUnstructured(content, &status) == nil
}

// StampApprovals sets the times of the conditions of an updated CertificateSigningRequest, and reverts changes of its approvals by a
// status update: only the subresource approval can change them. Other objects stay as they are.
func StampApprovals(u, old *unstructured.Unstructured, subresource string, now metav1.Time) error {
	is, ok := signing(u)
	was, before := signing(old)
	if !ok || !before || subresource == "" {
		return nil
	}
	if subresource == "status" {
		for _, kind := range approvals {
			kept := conditions(was, kind)
			if len(kept) != len(conditions(is, kind)) {
				continue // which CheckApprovals reports
			}
			for i := range is.Conditions {
				if is.Conditions[i].Type == kind {
					is.Conditions[i], kept = kept[0], kept[1:]
				}
			}
		}
	}
	for i := range is.Conditions {
		stamp(&is.Conditions[i], was, now)
	}
	status, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&is)
	if err == nil {
		u.Object["status"] = status
	}
	return err
}

// stamp sets the missing times of a condition. A condition that keeps its status keeps the time of its transition.
func stamp(condition *requestCondition, was requestStatus, now metav1.Time) {
	if condition.LastUpdateTime.IsZero() {
		condition.LastUpdateTime = now
	}
	if !condition.LastTransitionTime.IsZero() {
		return
	}
	condition.LastTransitionTime = now
	for _, other := range conditions(was, condition.Type) {
		if other.Status == condition.Status && !other.LastTransitionTime.IsZero() {
			condition.LastTransitionTime = other.LastTransitionTime
			return
		}
	}
}

// CheckApprovals returns what an update of a CertificateSigningRequest or of a subresource cannot change. Conditions that approve, deny or
// report a failure stay forever.
func CheckApprovals(u, old *unstructured.Unstructured, subresource string) (errs field.ErrorList) {
	is, ok := signing(u)
	was, before := signing(old)
	if !ok || !before {
		return nil
	}
	path := field.NewPath("status")
	for _, kind := range append(slices.Clone(approvals), certificatesv1.CertificateFailed) {
		if len(conditions(is, kind)) < len(conditions(was, kind)) {
			errs = append(errs, field.Forbidden(path.Child("conditions"), fmt.Sprintf("updates may not remove a condition of type %q", kind)))
		}
	}
	for _, kind := range approvals {
		if subresource != "approval" && len(conditions(is, kind)) > len(conditions(was, kind)) {
			errs = append(errs, field.Forbidden(path.Child("conditions"), fmt.Sprintf("updates may not add a condition of type %q", kind)))
		}
	}
	if len(was.Certificate) > 0 && !bytes.Equal(is.Certificate, was.Certificate) {
		errs = append(errs, field.Forbidden(path.Child("certificate"), "updates may not modify existing certificate content"))
	}
	return errs
}

// conditions returns the conditions of a type.
func conditions(status requestStatus, kind requestConditionType) (found []requestCondition) {
	for _, condition := range status.Conditions {
		if condition.Type == kind {
			found = append(found, condition)
		}
	}
	return found
}
