package resolve

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
)

var stable = regexp.MustCompile(`^v\d+$`)

// TestBuiltins compares the table with the API that client-go is generated from, in both directions.
func TestBuiltins(t *testing.T) {
	loaded, diags, err := load.Packages(t.Context(), load.Config{Dir: ".", Patterns: []string{"k8s.io/api/..."}})
	require.NoError(t, err)
	require.Empty(t, diags)
	result, diags := API(t.Context(), loaded, Options{Plurals: builtinPlurals})
	require.Empty(t, diags)

	var want, got []model.Owned
	for _, kind := range result.API.Kinds() {
		if v := kind.Version; kind.HasInformer() && stable.MatchString(v.Name) {
			owned, found := findGenerated(result.API, v.Group.DisplayName(), v.Name, kind.Name)
			require.True(t, found, kind.Name)
			owned.Kind = nil
			owned.Alias = model.Type{Package: owned.Package}.Alias()
			want = append(want, owned)
		}
	}
	for _, group := range builtins {
		for version, kinds := range group.kinds {
			for _, kind := range kinds {
				owned, found := findBuiltinKind(group.folder, version, kind)
				require.True(t, found, kind)
				got = append(got, owned)
				if group.name != "" {
					named, found := findBuiltinKind(group.name, version, kind)
					assert.True(t, found, group.name)
					assert.Equal(t, owned, named)
				}
			}
		}
	}
	byPackage := func(a, b model.Owned) int { return strings.Compare(a.Type()+a.Package, b.Type()+b.Package) }
	slices.SortFunc(want, byPackage)
	slices.SortFunc(got, byPackage)
	assert.NotEmpty(t, want)
	assert.Equal(t, want, got)
}
