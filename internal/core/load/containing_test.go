package load

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module/moduletest"
)

const shops = `
-- api/go.mod --
module example.com/shop/api

go 1.26.0
-- api/v1/types.go --
package v1
-- api/client/clientset.go --
package client
-- api/internal/client/clientset.go --
package client
-- api/testdata/clientset.go --
package testdata
-- api/nested/go.mod --
module example.com/shop/api/nested
-- api/nested/clientset.go --
package nested
-- api/client/v1/other.go --
package v1
-- client/go.mod --
module example.com/shop/client

go 1.26.0
-- client/versioned/clientset.go --
package versioned
-- client/internal/clientset.go --
package internal
-- strange/go.mod --
module example.org/strange

go 1.26.0
-- strange/clientset.go --
package strange
`

func TestPackagesWithFile(t *testing.T) {
	dir := moduletest.LayOut(t, shops+`
-- m/go.mod --
module example.com/m

go 1.26.0

require (
	example.com/shop/api v1.0.0
	example.com/shop/client v1.0.0
	example.org/strange v1.0.0
)

replace (
	example.com/shop/api => ../api
	example.com/shop/client => ../client
	example.org/strange => ../strange
)
-- m/apis/v1/types.go --
package v1
-- m/internal/client/clientset.go --
package client
`)
	loaded := loadPackages(t, dir+"/m", "./...")
	types, err := loaded.Find(t.Context(), "example.com/shop/api/v1")
	require.NoError(t, err)
	assert.Equal(t, []string{"example.com/shop/api/client"}, loaded.PackagesWithFile(types, "clientset.go", false))
	assert.Equal(t, []string{"example.com/shop/client/versioned"}, loaded.PackagesWithFile(types, "clientset.go", true))
	assert.Empty(t, loaded.PackagesWithFile(types, "other_set.go", false))

	own, err := loaded.Find(t.Context(), "example.com/m/apis/v1")
	require.NoError(t, err)
	found := loaded.PackagesWithFile(own, "clientset.go", false)
	assert.Equal(t, []string{"example.com/m/internal/client"}, found, "generated code may import it")
	assert.Empty(t, loaded.PackagesWithFile(&Package{Path: "other"}, "clientset.go", false), "it is in no module")
}

func TestPackagesWithFileInVendor(t *testing.T) {
	dir := moduletest.LayOut(t, `
-- go.mod --
module example.com/m

go 1.26.0

require (
	example.com/shop/api v1.0.0
	example.com/shop/client v1.0.0
)
-- m.go --
package m
-- vendor/modules.txt --
# example.com/shop/api v1.0.0
## explicit; go 1.26.0
example.com/shop/api/client
example.com/shop/api/v1
# example.com/shop/client v1.0.0
## explicit; go 1.26.0
example.com/shop/client/versioned
-- vendor/example.com/shop/api/v1/types.go --
package v1
-- vendor/example.com/shop/api/client/clientset.go --
package client
-- vendor/example.com/shop/client/versioned/clientset.go --
package versioned
`)
	loaded := loadPackages(t, dir, "./...")
	types, err := loaded.Find(t.Context(), "example.com/shop/api/v1")
	require.NoError(t, err)
	assert.Equal(t, []string{"example.com/shop/api/client"}, loaded.PackagesWithFile(types, "clientset.go", false))
	assert.Equal(t, []string{"example.com/shop/client/versioned"}, loaded.PackagesWithFile(types, "clientset.go", true))
}

func TestOwnerOf(t *testing.T) {
	for modulePath, want := range map[string]string{
		"k8s.io/api": "k8s.io", "github.com/openshift/api": "github.com/openshift",
		"github.com/openshift/client-go/v2": "github.com/openshift", "m": "m",
	} {
		assert.Equal(t, want, ownerOf(modulePath), modulePath)
	}
}
