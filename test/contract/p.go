package contract

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/rand"

	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
)

// idLength is the length of the random part of names.
const idLength = 10

// P is one run of a probe.
type P struct {
	ctx    context.Context
	client versioned.Interface
	// id is unique for each run. Names of cluster-scoped objects and label values contain it.
	id string
	// namespace is the namespace of the run, and other is a second one.
	namespace, other string
	patience         time.Duration

	mu    sync.Mutex
	lines []string
	stops []func()
}

func newP(ctx context.Context, client versioned.Interface) *P {
	id := rand.String(idLength)
	return &P{ctx: ctx, client: client, id: id, namespace: "contract-" + id, other: "contract-" + id + "b", patience: serverPatience}
}

// onStop registers a function that is called when the probe has ended.
func (p *P) onStop(f func()) { p.stops = append(p.stops, f) }

func (p *P) stop() {
	for _, f := range p.stops {
		f()
	}
}

// abort ends the probe. Its observations so far are the result.
func (p *P) abort() { runtime.Goexit() }

// printf records a line.
func (p *P) printf(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lines = append(p.lines, strings.TrimRight(fmt.Sprintf(format, args...), "\n"))
}

// show records a value as JSON.
func (p *P) show(label string, value any) {
	text, err := json.Marshal(value)
	if err != nil {
		p.printf("%s: cannot be marshaled: %v", label, err)
		return
	}
	p.printf("%s: %s", label, text)
}

// err records the outcome of a request, and reports whether it succeeded.
func (p *P) err(label string, err error) bool {
	p.printf("%s: %s", label, describe(err))
	return err == nil
}

// must records an error and ends the probe, if there is one.
func (p *P) must(label string, err error) {
	if err != nil {
		p.err(label, err)
		p.abort()
	}
}

// describe returns the status of an API error with its causes, and "ok" for nil.
func describe(err error) string {
	if err == nil {
		return "ok"
	}
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return "error: " + err.Error()
	}
	return describeStatus(status.Status())
}

// describeStatus returns a status with its causes. They are sorted, because a server reports several mistakes in any order.
func describeStatus(s metav1.Status) string {
	message := s.Message
	if what, _, several := strings.Cut(message, " is invalid: ["); several {
		message = what + " is invalid: […]"
	}
	var causes []string
	if s.Details != nil {
		for _, cause := range s.Details.Causes {
			causes = append(causes, fmt.Sprintf("\n  cause %s %s: %s", cause.Type, cause.Field, cause.Message))
		}
	}
	slices.Sort(causes)
	return fmt.Sprintf("%d %s: %s", s.Code, s.Reason, message) + strings.Join(causes, "")
}

// compare describes how a resource version relates to an earlier one.
func compare(before, after string) string {
	old, err := strconv.ParseUint(before, 10, 64)
	if err != nil {
		return fmt.Sprintf("not comparable, as the first is %q", before)
	}
	current, err := strconv.ParseUint(after, 10, 64)
	switch {
	case err != nil:
		return fmt.Sprintf("not a version: %q", after)
	case current > old:
		return "newer"
	case current < old:
		return "older"
	}
	return "same"
}

// set describes whether a string is set.
func set(value string) string {
	if value == "" {
		return "empty"
	}
	return "set"
}

// showMeta records the metadata that the server controls.
func (p *P) showMeta(label string, m metav1.Object) {
	deletion := "none"
	if m.GetDeletionTimestamp() != nil {
		deletion = "set"
	}
	creation := "none"
	if created := m.GetCreationTimestamp(); !created.IsZero() {
		creation = "set"
	}
	p.printf("%s: name=%s uid=%s version=%s generation=%d created=%s deleted=%s grace=%s", label, m.GetName(), set(string(m.GetUID())),
		set(m.GetResourceVersion()), m.GetGeneration(), creation, deletion, optional(m.GetDeletionGracePeriodSeconds()))
}

// showFields records the managed fields.
func (p *P) showFields(label string, m metav1.Object) {
	if len(m.GetManagedFields()) == 0 {
		p.printf("%s: no managed fields", label)
	}
	for _, entry := range m.GetManagedFields() {
		fields, at := "none", "no time"
		if entry.FieldsV1 != nil {
			fields = string(entry.FieldsV1.GetRawBytes())
		}
		if entry.Time != nil {
			at = "time"
		}
		p.printf("%s: %q %s %s %s subresource=%q %s %s", label, entry.Manager, entry.Operation, entry.APIVersion, entry.FieldsType,
			entry.Subresource, at, fields)
	}
}

// atLeast describes whether a resource version is not older than another.
func atLeast(before, after string) string {
	if relation := compare(before, after); relation != "same" && relation != "newer" {
		return relation
	}
	return "not older"
}

// optional returns the number as text, and "none" for nil.
func optional(n *int64) string {
	if n == nil {
		return "none"
	}
	return strconv.FormatInt(*n, 10)
}
