package shared

import (
	"context"
	"fmt"
	"reflect"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// check returns an error for an object of another type than the informer's. It records and reports the first one: a reflector that knows
// the type drops such objects, and the cache stays as it was listed.
func (s *source) check(obj any) error {
	want := reflect.TypeOf(s.informer.config.Object)
	if reflect.TypeOf(obj) == want {
		return nil
	}
	err := fmt.Errorf("the client of %s delivers objects of type %T, not %v", s, obj, want)
	if _, ok := obj.(*unstructured.Unstructured); ok {
		err = fmt.Errorf("%w: it was probably made from the result of dynamic.ConfigFor, whose serializer typed clients of later releases keep; "+
			"make it from the configuration that was passed to dynamic.ConfigFor", err)
	}
	if s.mistaken(err) {
		s.informer.config.WatchErrorHandler(context.Background(), s.reflector, err)
	}
	return err
}

// mistaken records an error that only a change of the program ends, and reports whether it is the first one.
func (s *source) mistaken(err error) bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.mistake != nil {
		return false
	}
	s.mistake, s.failedAt = err, time.Now()
	s.informer.changed.Send()
	return true
}
