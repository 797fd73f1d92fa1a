package waiters

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"k8s.io/client-go/tools/cache"
)

func TestSet(t *testing.T) {
	var s Set[string]
	web, db := cache.NewObjectName("shop", "web"), cache.NewObjectName("shop", "db")
	a := Key[string]{"pods", cache.NewObjectName("shop", "a")}
	b := Key[string]{"pods", cache.NewObjectName("shop", "b")}
	assert.Empty(t, s.Take(a))
	s.Forget(web)
	s.Add(a, web)
	s.Add(a, web)
	s.Add(a, db)
	s.Add(b, web)
	assert.Equal(t, 2, s.Len())
	assert.ElementsMatch(t, []cache.ObjectName{web, db}, s.Take(a), "each once")
	assert.Empty(t, s.Take(a))
	assert.Empty(t, s.Take(Key[string]{"secrets", b.Object}), "of another cache")
	s.Forget(web)
	assert.Empty(t, s.Take(b), "it is forgotten")
	assert.Zero(t, s.Len())
	assert.Empty(t, s.items)
	assert.Empty(t, s.keys)
}
