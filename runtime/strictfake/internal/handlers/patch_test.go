package handlers

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

func newPod() (runtime.Object, error) { return &corev1.Pod{}, nil }

// TestOddities covers what strict field validation rejects in patches of each type.
func TestOddities(t *testing.T) {
	for _, test := range []struct {
		how         types.PatchType
		patch, want string
		odd         []string
	}{
		{types.MergePatchType, `{"a":1,"a":2}`, `{"a":2}`, []string{`duplicate field "a"`}},
		{types.StrategicMergePatchType, `{"spec":{"nodeName":"a","nodeName":"b"}}`, `{"spec":{"nodeName":"b"}}`, []string{`duplicate field "spec.nodeName"`}},
		{
			types.JSONPatchType, `[{"op":"add","path":"/a","value":{"b":1,"b":2},"color":"red"}]`, `{"a":{"b":1,"b":2}}`,
			[]string{`json patch duplicate field "[0].value.b"`, `json patch unknown field "[0].color"`},
		},
	} {
		for _, validation := range []string{"", metav1.FieldValidationIgnore} {
			result, odd, err := Patch{test.how, []byte(test.patch), validation, newPod}.Apply([]byte(`{}`))
			require.NoError(t, err)
			assert.JSONEq(t, test.want, string(result))
			if validation == metav1.FieldValidationIgnore {
				assert.Empty(t, odd)
				continue
			}
			require.Len(t, odd, len(test.odd))
			for i, problem := range odd {
				assert.EqualError(t, problem, test.odd[i])
			}
		}
	}
}

// TestErrors covers patches that cannot be applied.
func TestErrors(t *testing.T) {
	many := `[` + strings.TrimSuffix(strings.Repeat(`{"op":"test","path":"","value":{}},`, maxPatchOperations+1), ",") + `]`
	for _, test := range []struct {
		how                     types.PatchType
		patch, validation, want string
	}{
		{types.JSONPatchType, `{}`, "", "error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp"},
		{types.JSONPatchType, `{}`, metav1.FieldValidationIgnore, "json: cannot unmarshal object into Go value of type jsonpatch.Patch"},
		{types.JSONPatchType, `[{"op":5}]`, "", "error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string"},
		{types.JSONPatchType, many, "", "The allowed maximum operations in a JSON patch is 10000, got 10001"},
		{types.MergePatchType, `[]`, "", "error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}"},
		{types.MergePatchType, `{`, metav1.FieldValidationIgnore, "Invalid JSON Patch"},
		{types.StrategicMergePatchType, `[]`, metav1.FieldValidationIgnore, "invalid JSON document"},
	} {
		_, _, err := Patch{test.how, []byte(test.patch), test.validation, newPod}.Apply([]byte(`{}`))
		assert.ErrorContains(t, err, test.want, test.patch[:min(len(test.patch), 20)])
	}
}
