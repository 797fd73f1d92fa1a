// Package mutation detects changes to cached objects, which are read-only.
//
// A Detector keeps a copy of each object of a store. It compares objects with their copies before and after each call of a
// handler, when an object leaves the store, when the informer stops, and whenever Check is called.
package mutation

import (
	"fmt"
	"os"
	"reflect"
	"strconv"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"
)

// Reporter receives reports of changes.
type Reporter interface {
	Errorf(format string, args ...any)
}

// enabled is whether the environment asks for a detector. As in client-go, it is read when the process starts.
var enabled = isTrue(os.Getenv("KUBE_CACHE_MUTATION_DETECTOR"))

func isTrue(value string) bool {
	is, err := strconv.ParseBool(value)
	return err == nil && is
}

// ByEnvironment returns a Reporter that ends the process if the environment variable KUBE_CACHE_MUTATION_DETECTOR is true, or
// nil otherwise. client-go's informers obey the same variable.
func ByEnvironment() Reporter {
	if !enabled {
		return nil
	}
	return crash{}
}

// crash is a Reporter that ends the process.
type crash struct{}

// Errorf ends the process, even if the caller recovers from panics: the variable requests exactly that.
func (crash) Errorf(format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	go panic(message) //nolint:forbidigo // as client-go's informers do
	select {}
}

// Detector detects changes to the objects of one informer. A nil Detector does nothing.
type Detector struct {
	reporter Reporter
	resource schema.GroupResource

	// lock guards copies, and is held while reports are made, so that each change is reported once.
	lock   sync.Mutex
	copies map[runtime.Object]runtime.Object
}

// New returns a detector for the objects of a resource, or nil if reporter is nil.
func New(reporter Reporter, resource schema.GroupResource) *Detector {
	if reporter == nil {
		return nil
	}
	return &Detector{reporter: reporter, resource: resource, copies: map[runtime.Object]runtime.Object{}}
}

// Crashes reports whether a change ends the process: then nobody stops the informer in the end, so Check should be called from
// time to time.
func (d *Detector) Crashes() bool {
	if d == nil {
		return false
	}
	_, is := d.reporter.(crash)
	return is
}

// Replace compares an object that leaves the store, and copies the object that replaces it. Both may be nil.
func (d *Detector) Replace(before, after any) {
	if d == nil {
		return
	}
	d.lock.Lock()
	defer d.lock.Unlock()
	if object, ok := before.(runtime.Object); ok {
		d.compare(object)
		delete(d.copies, object)
	}
	if object, ok := after.(runtime.Object); ok {
		d.copies[object] = object.DeepCopyObject()
	}
}

// Check compares objects of the store.
func (d *Detector) Check(objects []any) {
	if d == nil {
		return
	}
	d.lock.Lock()
	defer d.lock.Unlock()
	for _, obj := range objects {
		if object, ok := obj.(runtime.Object); ok {
			d.compare(object)
		}
	}
}

// compare reports an object that differs from its copy. The caller holds the lock.
func (d *Detector) compare(object runtime.Object) {
	original, ok := d.copies[object]
	if !ok || reflect.DeepEqual(original, object) {
		return
	}
	d.copies[object] = object.DeepCopyObject()
	d.report(original, object, "code other than a handler, or by a handler after it returned")
}

// report reports a change. The caller holds the lock.
func (d *Detector) report(original, object runtime.Object, by string) {
	var name cache.ObjectName
	if accessor, err := meta.Accessor(object); err == nil { // cached objects have names
		name = cache.MetaObjectToName(accessor)
	}
	d.reporter.Errorf("%s %s in the cache was changed by %s: %s; call DeepCopy before changing it",
		d.resource, name, by, difference("", reflect.ValueOf(original), reflect.ValueOf(object)))
}

// Call is one call of a handler.
type Call struct {
	detector *Detector
	// objects are the objects of the event and originals their copies: the store may already have newer ones.
	objects, originals []runtime.Object
}

// Before compares the objects of an event, and copies them, before a handler is called.
func (d *Detector) Before(objects ...any) Call {
	if d == nil {
		return Call{}
	}
	d.lock.Lock()
	defer d.lock.Unlock()
	call := Call{detector: d}
	for _, obj := range objects {
		if object, ok := obj.(runtime.Object); ok {
			d.compare(object)
			call.objects = append(call.objects, object)
			call.originals = append(call.originals, object.DeepCopyObject())
		}
	}
	return call
}

// After reports the objects that the handler changed.
func (c Call) After(handler string) {
	if c.detector == nil {
		return
	}
	c.detector.lock.Lock()
	defer c.detector.lock.Unlock()
	for n, object := range c.objects {
		if reflect.DeepEqual(c.originals[n], object) {
			continue
		}
		if _, cached := c.detector.copies[object]; cached {
			c.detector.copies[object] = object.DeepCopyObject()
		}
		c.detector.report(c.originals[n], object, "handler "+handler)
	}
}
