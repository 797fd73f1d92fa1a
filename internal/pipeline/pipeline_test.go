package pipeline

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
)

// TestFingerprintSeesAllOfTheModel makes sure that no field of the model is left out of its JSON form, save for pointers
// to what stands elsewhere in it: a run is skipped if the fingerprint is that of the last one.
func TestFingerprintSeesAllOfTheModel(t *testing.T) {
	elsewhere := map[reflect.Type]bool{
		reflect.TypeFor[*model.Group](): true, reflect.TypeFor[*model.Version](): true, reflect.TypeFor[*model.Kind](): true,
	}
	seen := map[reflect.Type]bool{}
	var visit func(reflect.Type)
	visit = func(typ reflect.Type) {
		for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice {
			typ = typ.Elem()
		}
		if typ.Kind() != reflect.Struct || seen[typ] {
			return
		}
		seen[typ] = true
		for i := range typ.NumField() {
			field := typ.Field(i)
			assert.True(t, field.IsExported(), "%s.%s", typ, field.Name)
			if field.Tag.Get("json") == "-" {
				assert.True(t, elsewhere[field.Type], "%s.%s", typ, field.Name)
			}
			visit(field.Type)
		}
	}
	visit(reflect.TypeFor[model.API]())
	visit(reflect.TypeFor[model.Layout]())
	assert.Contains(t, seen, reflect.TypeFor[model.Method]())
}
