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

// Receive prunes and defaults an object that a client sends, as servers do when they decode it. It returns an error for unknown
// fields if the field validation is strict.
func (k *Kind) Receive(u *unstructured.Unstructured, validation string) error {
	if !k.custom {
		return nil // Go objects have no unknown fields
	}
	if unknown := k.schema.Prune(u.Object); len(unknown) > 0 && validation == metav1.FieldValidationStrict {
		return apierrors.NewBadRequest(fmt.Sprintf(
			"%s in version %q cannot be handled as a %s: %s", k.Kind, k.Version, k.Kind, UnknownFields(unknown)))
	}
	k.schema.Default(u.Object)
	return nil
}

// UnknownFields returns the message for unknown fields.
func UnknownFields(paths []string) string {
	messages := make([]string, len(paths))
	for i, path := range paths {
		messages[i] = fmt.Sprintf("unknown field %q", path)
	}
	return "strict decoding error: " + strings.Join(messages, ", ")
}
