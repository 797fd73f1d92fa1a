package shared

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Description is the state of the informers of a factory.
type Description []Status

// Status is the state of an informer.
type Status struct {
	// Resource is the resource and group, such as "workloads.fleet.example.com".
	Resource string `json:"resource"`
	Version  string `json:"version"`
	// Metadata is set if only metadata is cached.
	Metadata bool `json:"metadata,omitempty"`
	// Namespaces are the namespaces that are listed and watched. It is empty for all namespaces and for cluster-scoped kinds.
	Namespaces    []string `json:"namespaces,omitempty"`
	LabelSelector string   `json:"labelSelector,omitempty"`
	FieldSelector string   `json:"fieldSelector,omitempty"`
	Objects       int      `json:"objects"`
	// Bytes is an estimate of the memory of the objects: the average size of up to 100 objects, including everything that
	// they refer to, times the number of objects. Shared strings count for each object; the store and its indexes do not count.
	Bytes int64 `json:"bytes"`
	// Handlers is the number of handlers, and Pending the number of events in their queues.
	Handlers int  `json:"handlers"`
	Pending  int  `json:"pending"`
	Running  bool `json:"running"`
	Synced   bool `json:"synced"`
	// Unserved is set while StartWhenServed waits for the API server to serve the resource.
	Unserved bool `json:"unserved,omitempty"`
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

// Describe returns the state of the informers in the order in which they were requested. It omits informers that this package
// did not create.
func (s *Set) Describe() Description {
	s.lock.Lock()
	defer s.lock.Unlock()
	description := Description{}
	for _, key := range s.order {
		m := s.members[key]
		if m.own == nil {
			continue
		}
		status := m.own.describe()
		status.Metadata, status.Unserved = key.Metadata, m.unserved
		description = append(description, status)
	}
	return description
}

func (i *Informer) describe() Status {
	failures := i.Errors()
	i.lock.Lock()
	defer i.lock.Unlock()
	i.events.Lock()
	defer i.events.Unlock()
	status := Status{
		Resource:        i.kind.Resource.GroupResource().String(),
		Version:         i.kind.Resource.Version,
		Objects:         i.store.Len(metav1.NamespaceAll),
		Bytes:           i.store.bytes(),
		Handlers:        len(i.listeners),
		Running:         i.run != nil,
		Synced:          i.isSynced(),
		ResourceVersion: i.store.LastStoreSyncResourceVersion(),
		Restarts:        max(0, i.started-1),
	}
	if i.kind.Namespaced && !slices.Contains(i.options.Namespaces, metav1.NamespaceAll) {
		status.Namespaces = slices.Sorted(slices.Values(i.options.Namespaces))
	}
	if i.options.Tweak != nil {
		options := metav1.ListOptions{}
		i.options.Tweak(&options)
		status.LabelSelector, status.FieldSelector = options.LabelSelector, options.FieldSelector
	}
	for _, l := range i.listeners {
		status.Pending += l.pending()
	}
	for _, s := range i.sources {
		s.lock.Lock()
		status.Watches += s.watches
		status.Lists += s.lists
		if failedAt := s.failedAt; !failedAt.IsZero() && (status.LastErrorTime == nil || failedAt.After(*status.LastErrorTime)) {
			status.LastErrorTime = &failedAt
		}
		s.lock.Unlock()
	}
	var reasons []string
	for _, failure := range failures {
		reasons = append(reasons, failure.Error())
	}
	status.LastError = strings.Join(reasons, "; ")
	return status
}

// String returns a table with a row for each informer.
func (d Description) String() string {
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 8, 2, ' ', 0)
	fmt.Fprintln(table, "RESOURCE\tVERSION\tNAMESPACES\tSELECTORS\tOBJECTS\tBYTES\tHANDLERS\tSTATE\tRESOURCE VERSION\tWATCHES\tLISTS\tRESTARTS\tLAST ERROR")
	for _, s := range d {
		resource, namespaces := s.Resource, "all"
		if s.Metadata {
			resource += " (metadata)"
		}
		if len(s.Namespaces) > 0 {
			namespaces = strings.Join(s.Namespaces, ",")
		}
		var selectors []string
		for _, selector := range []string{s.LabelSelector, s.FieldSelector} {
			if selector != "" {
				selectors = append(selectors, selector)
			}
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%d\t%d\t%d\t%s\t%s\t%d\t%d\t%d\t%s\n", resource, s.Version, namespaces, strings.Join(selectors, " "),
			s.Objects, s.Bytes, s.Handlers, s.condition(), s.ResourceVersion, s.Watches, s.Lists, s.Restarts, s.LastError)
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
	}
	return "synced"
}

// samples is the maximum number of objects whose size is measured.
const samples = 100

// bytes estimates the memory of all objects.
func (s *store) bytes() int64 {
	var total, count int64
	for _, obj := range s.sample(samples) {
		total += sizeOf(reflect.ValueOf(obj))
		count++
	}
	if count == 0 {
		return 0
	}
	return total / count * int64(s.Len(metav1.NamespaceAll))
}

// sizeOf returns the size of a value, including everything that it refers to. Cached objects contain no cycles.
func sizeOf(v reflect.Value) int64 {
	return int64(v.Type().Size()) + referred(v)
}

// referred returns the size of everything that a value refers to.
func referred(v reflect.Value) (size int64) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() && v.Type() != reflect.TypeFor[*time.Location]() { // shared by all times
			return sizeOf(v.Elem())
		}
	case reflect.String:
		return int64(v.Len())
	case reflect.Struct:
		for n := range v.NumField() {
			size += referred(v.Field(n))
		}
	case reflect.Slice:
		size = int64(v.Cap()) * int64(v.Type().Elem().Size())
		for n := range v.Len() {
			size += referred(v.Index(n))
		}
	case reflect.Array:
		for n := range v.Len() {
			size += referred(v.Index(n))
		}
	case reflect.Map:
		for entries := v.MapRange(); entries.Next(); {
			size += sizeOf(entries.Key()) + sizeOf(entries.Value())
		}
	}
	return size
}
