package conversiontest

import (
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
)

// Option configures RoundTrip.
type Option func(*settings)

type settings struct {
	seed       int64
	iterations int
	scheme     *runtime.Scheme
	funcs      []any
	allowed    []*loss
}

// loss is a field that may be lost.
type loss struct {
	of           reflect.Type
	path, reason string
	found        bool
}

// has reports whether a path leads to the field, or below it.
func (l *loss) has(path string) bool {
	rest, ok := strings.CutPrefix(path, l.path)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// WithSeed sets the seed of the random values; 1 by default. A test that fails prints its seed.
func WithSeed(seed int64) Option { return func(s *settings) { s.seed = seed } }

// WithIterations sets the number of objects that are converted in each direction; 100 by default.
func WithIterations(n int) Option { return func(s *settings) { s.iterations = n } }

// WithScheme converts by the functions that are registered in a scheme, in place of the methods of the spoke.
func WithScheme(scheme *runtime.Scheme) Option { return func(s *settings) { s.scheme = scheme } }

// WithFuncs adds functions that fill in values of a type: func(*T, randfill.Continue) of package sigs.k8s.io/randfill. They replace those
// of this package for the same type.
func WithFuncs(funcs ...any) Option { return func(s *settings) { s.funcs = append(s.funcs, funcs...) } }

// WithLoss allows that objects of a type T, the hub or the spoke, come back without a field and everything below it, or with another
// value there. The test's message has the path, such as spec.arms[*].color. The reason is for readers of the test. If the field
// is not lost any more, the test says so in its log.
func WithLoss[T any](path, reason string) Option {
	return func(s *settings) {
		s.allowed = append(s.allowed, &loss{of: reflect.TypeFor[T](), path: path, reason: reason})
	}
}
