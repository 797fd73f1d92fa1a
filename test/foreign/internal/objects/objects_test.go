package objects

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
)

func versions(t *testing.T, name string) []Version {
	t.Helper()
	crds, err := apiservertest.ReadCRDs(name)
	require.NoError(t, err)
	all, err := Versions(crds[0])
	require.NoError(t, err)
	return all
}

func TestMake(t *testing.T) {
	for _, v := range versions(t, "testdata/crane.yaml") {
		maker, again := NewMaker(v, 1), NewMaker(v, 1)
		for range 200 {
			object := maker.Make()
			require.NotNil(t, object)
			_, errs := v.Stored(object)
			assert.Empty(t, errs)
			assert.Equal(t, object, again.Make(), "the seed determines the objects")
		}
	}
}
