package codec

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/object"
)

// maxRequest is the maximum size of a request, in bytes.
const maxRequest = 3 * 1024 * 1024

// Encode returns an object as clients send it: in JSON form, with times to the second and without empty fields.
func (k *Kind) Encode(object runtime.Object) (*unstructured.Unstructured, error) {
	data, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	u := &unstructured.Unstructured{}
	if len(data) > maxRequest {
		return nil, apierrors.NewRequestEntityTooLargeError(fmt.Sprintf("limit is %d", maxRequest))
	}
	if err := utiljson.Unmarshal(data, &u.Object); err != nil {
		return nil, err
	}
	u.SetGroupVersionKind(k.GroupVersionKind)
	if metadata, ok := u.Object["metadata"].(map[string]any); ok && metadata["creationTimestamp"] == nil {
		delete(metadata, "creationTimestamp") // older types encode it as null
	}
	u.SetSelfLink("") // servers drop it
	return u, nil
}

// Decode returns an object in JSON form as a Go object, decoded as by clients. It keeps the kind, which typed clients drop from single
// objects, but not from list items.
func (k *Kind) Decode(u *unstructured.Unstructured) (runtime.Object, error) {
	object, err := k.scheme.New(u.GroupVersionKind())
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(u.Object)
	if err != nil {
		return nil, err
	}
	if err := utiljson.Unmarshal(data, object); err != nil {
		return nil, err
	}
	return object, nil
}

// DecodeErrors returns why an object does not fit its Go type, in the words of a server whose schema describes the type.
func DecodeErrors(err error) field.ErrorList {
	var mismatch *json.UnmarshalTypeError
	if !errors.As(err, &mismatch) || mismatch.Field == "" {
		return field.ErrorList{field.Invalid(nil, "", err.Error())}
	}
	is, number, _ := strings.Cut(mismatch.Value, " ")
	if _, err := strconv.ParseInt(number, 10, 64); err == nil {
		is = "integer"
	} else if is == "bool" {
		is = "boolean"
	}
	detail := fmt.Sprintf("%s in body must be of type %s: %q", mismatch.Field, jsonField{Type: mismatch.Type}.jsonType(), is)
	return field.ErrorList{field.TypeInvalid(field.NewPath(mismatch.Field), is, detail)}
}

// Receive returns an object that a client sends as servers decode it: in JSON form, pruned and defaulted. It returns an error for unknown
// fields if the field validation is strict. Only untyped clients can send fields that the Go type lacks.
func (k *Kind) Receive(sent runtime.Object, validation string) (*unstructured.Unstructured, error) {
	u, err := k.Encode(sent)
	_, isUntyped := sent.(runtime.Unstructured)
	if err != nil || !k.custom && !isUntyped {
		return u, err
	}
	var unknown []string
	if isUntyped {
		if unknown, err = object.CoerceMetadata(u); err != nil {
			return nil, k.decodeError(err)
		}
	}
	unknown = append(unknown, k.schema.Prune(u.Object)...)
	if len(unknown) > 0 && validation == metav1.FieldValidationStrict {
		return nil, k.decodeError(runtime.NewStrictDecodingError(UnknownFields(unknown)))
	}
	k.schema.Default(u.Object)
	return u, nil
}

// decodeError returns a server's error for an object that cannot be decoded.
func (k *Kind) decodeError(err error) error {
	return apierrors.NewBadRequest(fmt.Sprintf("%s in version %q cannot be handled as a %s: %v", k.Kind, k.Version, k.Kind, err))
}

// UnknownFields returns errors for unknown fields.
func UnknownFields(paths []string) []error {
	errs := make([]error, len(paths))
	for i, path := range paths {
		errs[i] = fmt.Errorf("unknown field %q", path)
	}
	return errs
}
