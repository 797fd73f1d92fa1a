package controllers

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"k8s.io/client-go/tools/cache"
)

func TestIdentity(t *testing.T) {
	name := &cache.InformerName{}
	for namespace, want := range map[string]*cache.InformerName{"": name, "shop": name, "blog": nil} {
		s := &settings{informerName: name, namespaces: []string{"shop", "blog"}}
		assert.Same(t, want, s.identity(namespace), namespace)
	}
}
