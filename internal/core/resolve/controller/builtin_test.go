package controller_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/controller"
)

var stable = regexp.MustCompile(`^v\d+$`)

// TestBuiltins compares the table with the API that each client-go is generated from, in both directions.
func TestBuiltins(t *testing.T) {
	for _, target := range model.Targets() {
		t.Run(target.String(), func(t *testing.T) { testBuiltins(t, target) })
	}
}

func testBuiltins(t *testing.T, target model.Target) {
	dir := "../../../../testdata/targets/" + target.String()
	if target == model.DefaultTarget {
		dir = "."
	}
	loaded, diags, err := load.Packages(t.Context(), load.Config{Dir: dir, Patterns: []string{"k8s.io/api/..."}})
	require.NoError(t, err)
	require.Empty(t, diags)
	result, diags := resolve.API(t.Context(), loaded, resolve.Options{Plurals: controller.BuiltinPlurals, Target: target})
	require.Empty(t, diags)

	var want, got []model.Related
	for _, kind := range result.API.Kinds() {
		if v := kind.Version; kind.HasInformer() && stable.MatchString(v.Name) {
			owned, found := controller.FindGenerated(result.API, v.Group.DisplayName(), v.Name, kind.Name)
			require.True(t, found, kind.Name)
			owned.Kind = nil
			owned.Alias = model.Type{Package: owned.Package}.Alias()
			want = append(want, owned)
		}
	}
	controller.EachBuiltin(func(folder, group, version, kind string) {
		owned, since, found := controller.FindBuiltin(folder, version, kind)
		require.True(t, found, kind)
		if since.Minor > target.Minor {
			return
		}
		got = append(got, owned)
		if group != "" {
			named, _, found := controller.FindBuiltin(group, version, kind)
			assert.True(t, found, group)
			assert.Equal(t, owned, named)
		}
	})
	byPackage := func(a, b model.Related) int { return strings.Compare(a.Type()+a.Package, b.Type()+b.Package) }
	slices.SortFunc(want, byPackage)
	slices.SortFunc(got, byPackage)
	assert.NotEmpty(t, want)
	assert.Equal(t, want, got)
}
