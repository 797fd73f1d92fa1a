package definitions

import (
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	klog "k8s.io/klog/v2"
)

// Definition is the definition of a kind in the cluster. A nil definition lacks no fields.
type Definition struct {
	check    *Check
	resource schema.GroupVersionResource
	fields   string

	// These are only used by Check.Run: the fields that the document lacked when it was read, and whether it has the kind.
	found []string
	known bool

	// These are guarded by the lock of the check. Written is set if objects of the kind are reconciled or owned.
	written bool
	// suspected are the fields that the last comparison did not find, missing the fields that the comparison before did not find either,
	// and noted is the time of the last comparison.
	suspected, missing []string
	noted              time.Time
}

// String returns the resource and its version, such as "robots.v1.fleet.example.com".
func (d *Definition) String() string {
	return strings.Trim(d.resource.Resource+"."+d.resource.Version+"."+d.resource.Group, ".")
}

// Missing returns the paths of the fields that the definition lacks, in their order.
func (d *Definition) Missing() []string {
	if d == nil {
		return nil
	}
	d.check.lock.Lock()
	defer d.check.lock.Unlock()
	return d.missing
}

// Refusal says what must happen before anything of the kind is reconciled, or is "".
func (d *Definition) Refusal() string {
	if d == nil || !d.check.refuse {
		return ""
	}
	d.check.lock.Lock()
	defer d.check.lock.Unlock()
	switch {
	case d.noted.IsZero():
		return "the definition of " + d.String() + ", which has not been read yet"
	case len(d.suspected) > 0:
		return "a definition of " + d.String() + " with the fields " + Words(d.suspected)
	}
	return ""
}

// say logs which fields the definition lacks.
func (d *Definition) say(logger klog.Logger) {
	logger = logger.WithValues("definition", d.String())
	if len(d.missing) == 0 {
		logger.Info("The definition in the cluster has all fields of this program again")
		return
	}
	consequence := "the API server removes them from what is written"
	if d.check.refuse {
		consequence = "nothing is reconciled until it has them"
	}
	logger.Info("Warning: the definition in the cluster is older than this program and lacks fields: "+consequence+". Upgrade the definition",
		"fields", Words(d.missing))
}

// named is the number of fields that are named where there is no room for all.
const named = 5

// Words names the first of some fields, and says how many more there are.
func Words(fields []string) string {
	text := strings.Join(fields[:min(named, len(fields))], ", ")
	if more := len(fields) - named; more > 0 {
		text += " and " + strconv.Itoa(more) + " more"
	}
	return text
}
