package builtin

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// eventsGroup is the second group of events. Servers store the events of both groups as events of the core group.
const eventsGroup = "events.k8s.io"

// StoredAs returns the resource under which servers store the objects of a resource: some kinds are in two groups.
func StoredAs(resource schema.GroupResource) schema.GroupResource {
	if resource.Group == eventsGroup && resource.Resource == "events" {
		resource.Group = ""
	}
	return resource
}

// eventFields are the fields of events in the core group, with their names in the other one.
var eventFields = map[string]string{
	"count": "deprecatedCount", "firstTimestamp": "deprecatedFirstTimestamp", "involvedObject": "regarding",
	"lastTimestamp": "deprecatedLastTimestamp", "message": "note", "reportingComponent": "reportingController",
	"source": "deprecatedSource",
}

// ConvertEvent returns an event in another group. It returns nil for an object that is not an event of one of both groups. The result
// shares its fields with the event.
func ConvertEvent(event *unstructured.Unstructured, to schema.GroupVersionKind) *unstructured.Unstructured {
	from := event.GroupVersionKind()
	isEvent := from.Kind == "Event" && to.Kind == "Event" && from.Group != to.Group
	if !isEvent || from.Group != "" && from.Group != eventsGroup || to.Group != "" && to.Group != eventsGroup {
		return nil
	}
	names := map[string]string{}
	for core, other := range eventFields {
		if to.Group == "" {
			core, other = other, core
		}
		names[core] = other
	}
	converted := &unstructured.Unstructured{Object: map[string]any{}}
	for name, value := range event.Object {
		if renamed, ok := names[name]; ok {
			name = renamed
		}
		converted.Object[name] = value
	}
	converted.SetGroupVersionKind(to)
	return converted
}
