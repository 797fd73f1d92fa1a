package informer

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Description is the state of the informers of a factory. It prints as a table with a row for each informer, and can be marshaled
// to JSON.
type Description []Status

// Status is the state of an informer.
type Status struct {
	// Resource is the resource and group, such as "deployments.apps".
	Resource string `json:"resource"`
	Version  string `json:"version"`
	// Metadata is set if only metadata is cached.
	Metadata bool `json:"metadata,omitempty"`
	// Namespaces are the namespaces that are listed and watched. It is nil for all namespaces and for cluster-scoped resources.
	Namespaces    []string `json:"namespaces,omitzero"`
	LabelSelector string   `json:"labelSelector,omitempty"`
	FieldSelector string   `json:"fieldSelector,omitempty"`
	// Shards are the buckets of [WithShards], such as "0-63,128-191", or the hashes of SetShardSelector.
	// It is empty for all. ShardsIgnored is set while the API server sends the objects of all shards.
	Shards        string `json:"shards,omitempty"`
	ShardsIgnored bool   `json:"shardsIgnored,omitempty"`
	Objects       int    `json:"objects"`
	// Bytes is an estimate of the memory of the objects, in bytes: the average size of up to 100 objects, including everything that
	// they refer to, times the number of objects. Shared strings count for each object; the store and its indexes do not count.
	Bytes int64 `json:"bytes"`
	// Handlers is the number of handlers, and Pending the number of events in their queues.
	Handlers int  `json:"handlers"`
	Pending  int  `json:"pending"`
	Running  bool `json:"running"`
	Synced   bool `json:"synced"`
	// Unserved is set while StartWhenServed waits for the API server to serve the resource.
	Unserved bool `json:"unserved,omitempty"`
	// MissingFields are the paths of the fields that the definition in the cluster lacks, if a controller of a manager has the informer.
	MissingFields []string `json:"missingFields,omitempty"`
	// ResourceVersion is the resource version that all namespaces have reached.
	ResourceVersion string `json:"resourceVersion,omitempty"`
	// Watches is the number of open watches. Lists is the number of lists since the informer was created: one for each
	// namespace, plus relists. Streamed lists do not count.
	Watches int `json:"watches"`
	Lists   int `json:"lists"`
	// Restarts is the number of restarts.
	Restarts int `json:"restarts"`
	// LastError is the current error of lists or watches.
	LastError string `json:"lastError,omitempty"`
	// LastErrorTime is the time of the last failed request, even if later requests have succeeded.
	LastErrorTime *time.Time `json:"lastErrorTime,omitempty"`
}

// Describe returns the state of the informers in the order in which they were requested. It omits informers of InformerFor that
// this package did not create.
func (f *Factory) Describe() Description {
	description := Description{}
	for _, m := range f.own() {
		description = append(description, f.describe(m))
	}
	return description
}

func (f *Factory) describe(m *member) Status {
	state := m.own.State()
	status := Status{
		Resource:        m.resource.GroupResource().String(),
		Version:         m.resource.Version,
		Metadata:        m.object == reflect.TypeFor[*metav1.PartialObjectMetadata](),
		Namespaces:      state.Namespaces,
		Objects:         state.Objects,
		Bytes:           state.Bytes,
		Handlers:        state.Handlers,
		Pending:         state.Pending,
		Running:         state.Running,
		Synced:          state.Synced,
		ResourceVersion: state.ResourceVersion,
		Watches:         state.Watches,
		Lists:           state.Lists,
		Restarts:        state.Restarts,
		LabelSelector:   state.Selected.LabelSelector,
		FieldSelector:   state.Selected.FieldSelector,
		Shards:          state.Shards,
		ShardsIgnored:   state.ShardsIgnored,
	}
	if !state.FailedAt.IsZero() {
		status.LastErrorTime = &state.FailedAt
	}
	var reasons []string
	for _, failure := range m.errors() {
		reasons = append(reasons, failure.Error())
	}
	status.LastError = strings.Join(reasons, "; ")
	f.lock.Lock()
	defer f.lock.Unlock()
	status.Unserved = m.unserved || m.served != nil && m.runs() && !m.asked
	return status
}

// String returns a table with a row for each informer.
func (d Description) String() string {
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 8, 2, ' ', 0)
	fmt.Fprintln(table, "RESOURCE\tVERSION\tNAMESPACES\tSELECTORS\tOBJECTS\tBYTES\tHANDLERS\tSTATE\t"+
		"RESOURCE VERSION\tWATCHES\tLISTS\tRESTARTS\tLAST ERROR")
	for _, s := range d {
		resource, namespaces := s.Resource, "all"
		if s.Metadata {
			resource += " (metadata)"
		}
		if s.Namespaces != nil {
			namespaces = cmp.Or(strings.Join(s.Namespaces, ","), "none")
		}
		shards := ""
		if s.Shards != "" {
			shards = "shards " + s.Shards
		}
		selectors := slices.DeleteFunc([]string{s.LabelSelector, s.FieldSelector, shards}, func(selector string) bool { return selector == "" })
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%d\t%d\t%d\t%s\t%s\t%d\t%d\t%d\t%s\n",
			resource, s.Version, namespaces, strings.Join(selectors, " "), s.Objects, s.Bytes, s.Handlers, s.condition(),
			s.ResourceVersion, s.Watches, s.Lists, s.Restarts, s.LastError)
	}
	_ = table.Flush() // a strings.Builder does not fail
	return text.String()
}

func (s Status) condition() string {
	switch {
	case s.Unserved:
		return "not served"
	case !s.Running:
		return "stopped"
	case !s.Synced:
		return "not synced"
	case s.ShardsIgnored:
		return "synced, shards ignored"
	}
	return "synced"
}
