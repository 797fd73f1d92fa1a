package codec

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/object"
)

// managed is an object for the field manager. It keeps managed fields as Go values, because converting them to unstructured form
// and back would take longer than the rest of a write.
type managed struct {
	*unstructured.Unstructured
	entries []metav1.ManagedFieldsEntry
	// decoded is set if entries has the managed fields of the object.
	decoded bool
}

var (
	_ runtime.Object = &managed{}
	_ metav1.Object  = &managed{}
)

// GetManagedFields implements metav1.Object.
func (m *managed) GetManagedFields() []metav1.ManagedFieldsEntry {
	if !m.decoded {
		m.entries, m.decoded = m.Unstructured.GetManagedFields(), true
	}
	return m.entries
}

// SetManagedFields implements metav1.Object. The unstructured object has no managed fields until encode is called.
func (m *managed) SetManagedFields(entries []metav1.ManagedFieldsEntry) {
	m.entries, m.decoded = entries, true
	if metadata, ok := m.Object["metadata"].(map[string]any); ok {
		delete(metadata, "managedFields")
	}
}

// encode returns the managed fields as a client receives them, and sets them in the unstructured object.
func (m *managed) encode() ([]metav1.ManagedFieldsEntry, error) {
	if len(m.entries) == 0 {
		return nil, nil
	}
	entries := make([]metav1.ManagedFieldsEntry, len(m.entries))
	values := make([]any, len(m.entries))
	for i, entry := range m.entries {
		if entry.Time != nil {
			seconds := metav1.NewTime(entry.Time.Truncate(time.Second).Local()) //nolint:gosmopolitan // clients decode times like this
			entry.Time = &seconds
		}
		value, err := encodeEntry(entry)
		if err != nil {
			return nil, err
		}
		entries[i], values[i] = entry, value
	}
	object.SetManagedFields(m.Unstructured, values)
	return entries, nil
}

// encodeEntry returns an entry of the managed fields as JSON.
func encodeEntry(entry metav1.ManagedFieldsEntry) (map[string]any, error) {
	value := make(map[string]any, 7)
	for _, part := range [...]struct{ name, text string }{
		{"manager", entry.Manager},
		{"operation", string(entry.Operation)},
		{"apiVersion", entry.APIVersion},
		{"fieldsType", entry.FieldsType},
		{"subresource", entry.Subresource},
	} {
		if part.text != "" {
			value[part.name] = part.text
		}
	}
	if entry.Time != nil {
		value["time"] = entry.Time.ToUnstructured()
	}
	if entry.FieldsV1 != nil {
		data, err := entry.FieldsV1.MarshalJSON()
		if err != nil {
			return nil, err
		}
		var fields map[string]any
		if err := utiljson.Unmarshal(data, &fields); err != nil {
			return nil, err
		}
		value["fieldsV1"] = fields
	}
	return value, nil
}
