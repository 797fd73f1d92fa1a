package scaffold

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

func TestLookups(t *testing.T) {
	kind := kindIn("Fleet", "Region", model.AllVerbs)
	kind.Controller = &model.Controller{Owned: []model.Related{deployment()}}
	for _, name := range []string{"Secret", "ConfigMaps", "Region", "Type", "Err", "Appsv1", "DesiredDeployments"} {
		kind.Controller.References = append(kind.Controller.References, model.Reference{Name: name, Field: "referred" + name})
	}
	var got []string
	for _, lookup := range newView(kind, layout("apply"), Destination{ImportPath: "example.com/base", Module: "example.com/base"}).Lookups() {
		got = append(got, lookup.Variable)
	}
	assert.Equal(t, []string{
		"secret", "configMaps", "referredRegion", "referredType", "referredErr", "referredAppsv1", "referredDesiredDeployments",
	}, got)
}
