package resolve

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
)

// pkg returns an empty source package.
func pkg(importPath, name string, markers ...marker.Marker) *source.Package {
	return &source.Package{Package: &gotype.Package{Package: &load.Package{Path: importPath, Name: name, Dir: "/src"}}, Markers: markers}
}

func TestFoldersOfVersion(t *testing.T) {
	tests := []struct {
		importPath, pkg, declared string
		want                      string // group folder, folder, version, Go name
	}{
		{"example.com/apis/fleet/v1", "v1", "", "fleet v1 v1 V1"},
		{"example.com/apis/Fleet/v1beta1", "v1beta1", "", "fleet v1beta1 v1beta1 V1beta1"},
		{"example.com/apis/fleet/v1", "v1", "v2", "fleet v1 v2 V1"},
		{"example.com/api/v1", "v1", "", "api v1 v1 V1"},
		{"example.com/apis/v1alpha1", "v1alpha1", "", "apis v1alpha1 v1alpha1 V1alpha1"},
		{"v1", "v1", "", "robots v1 v1 V1"},
		{"example.com/fleet", "v1", "", "fleet v1 v1 V1"},
		{"example.com/fleet", "fleet", "v1", "fleet v1 v1 V1"},
		{"example.com/api", "api", "v1", "robots v1 v1 V1"},
		{"fleet", "v1", "", "robots v1 v1 V1"},
		{"example.com/apis/fleet/v1gamma", "v1gamma", "", "fleet v1gamma v1gamma V1gamma"},
	}
	for _, test := range tests {
		t.Run(test.importPath+" "+test.declared, func(t *testing.T) {
			v := &model.Version{Group: &model.Group{Name: "robots.example.com"}}
			setFolders(pkg(test.importPath, test.pkg), v, test.declared, Options{})
			assert.Equal(t, test.want, strings.Join([]string{v.GroupFolder, v.Folder, v.Name, v.GoName}, " "))
		})
	}
	var diags diag.List
	checkVersionName(pkg("example.com/fleet", "fleet"), &model.Version{Name: "V1", GoName: "V1"}, &diags)
	require.Len(t, diags, 1)
	assert.Equal(t, `package example.com/fleet: "V1" is not an API version`, diags[0].Message)
}

// checkedIn is an existing output with the given folders and clients.
type checkedIn struct {
	folders []string
	clients map[string]string
}

func (c checkedIn) GroupGoName(*model.Version) string { return "" }

func (c checkedIn) OnlyClient(*model.Version) bool { return false }

func (c checkedIn) LacksSchema() bool { return false }

func (c checkedIn) HasVersion(groupFolder, folder string) bool {
	return slices.Contains(c.folders, groupFolder+"/"+folder)
}

func (c checkedIn) Client(kind *model.Kind) []byte { return []byte(c.clients[kind.Name]) }

func TestFoldersBelowAPIFolders(t *testing.T) {
	tests := map[string]struct {
		opts Options
		want string
	}{
		"as upstream":              {Options{}, "apis"},
		"after the group":          {Options{GroupFolders: true}, "robots"},
		"there already":            {Options{Existing: checkedIn{folders: []string{"robots/v1"}}}, "robots"},
		"there, not requested":     {Options{SourceFolders: true, Existing: checkedIn{folders: []string{"robots/v1"}}}, "apis"},
		"there in another version": {Options{Existing: checkedIn{folders: []string{"robots/v2"}}}, "apis"},
		"both there":               {Options{Existing: checkedIn{folders: []string{"robots/v1", "apis/v1"}}}, "apis"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			v := &model.Version{Group: &model.Group{Name: "robots.example.com"}}
			setFolders(pkg("example.com/apis/v1", "v1"), v, "", test.opts)
			assert.Equal(t, test.want, v.GroupFolder)
		})
	}
}

func TestGroupName(t *testing.T) {
	m := marker.Marker{Name: marker.GroupName, Value: "fleet.io", Assigned: true}
	core := marker.Marker{Name: marker.GroupName, Assigned: true}
	tests := map[string]struct {
		pkg      *source.Package
		declared source.GroupVersion
		want     string
		because  string
		message  string
	}{
		"marker":         {pkg("example.com/apis/fleet/v1", "v1", m), source.GroupVersion{}, "fleet.io", "+groupName", ""},
		"marker of core": {pkg("example.com/apis/core/v1", "v1", core), source.GroupVersion{}, "", "+groupName", ""},
		"variable": {
			pkg("example.com/apis/fleet/v1", "v1"), source.GroupVersion{Variable: "GroupVersion", Group: "fleet.io"},
			"fleet.io", "variable GroupVersion", "",
		},
		"folder": {pkg("example.com/apis/fleet/v1", "v1"), source.GroupVersion{}, "fleet", "folder", ""},
		"agree": {
			pkg("example.com/apis/fleet/v1", "v1", m),
			source.GroupVersion{Variable: "GroupVersion", Group: "fleet.io"}, "fleet.io", "+groupName", "",
		},
		"contradict": {
			pkg("example.com/apis/fleet/v1", "v1", m),
			source.GroupVersion{Variable: "GroupVersion", Group: "other.io"}, "other.io", "variable GroupVersion", "",
		},
		"unknown": {
			pkg("example.com/api/v1", "v1"), source.GroupVersion{}, "unknown", "",
			"cannot determine the API group of package example.com/api/v1",
		},
		"not a DNS name": {pkg("example.com/apis/Fleet/v1", "v1"), source.GroupVersion{}, "Fleet", "folder", `invalid API group "Fleet"`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var diags diag.List
			var facts Facts
			assert.Equal(t, test.want, groupName(test.pkg, test.declared, &diags, &facts))
			if test.because != "" {
				require.Len(t, facts, 1)
				assert.Equal(t, test.because, facts[0].Because)
			}
			if test.message == "" {
				assert.Empty(t, diags)
			} else {
				require.Len(t, diags, 1)
				assert.Equal(t, test.message, diags[0].Message)
			}
		})
	}
}

// kindWith returns a kind and its declaration with markers.
func kindWith(markers ...marker.Marker) (*model.Kind, *source.Kind) {
	return &model.Kind{Name: "Robot", Resource: "robots"}, &source.Kind{
		Type: &source.Type{}, Object: &source.Object{Fields: map[string]bool{}}, By: source.ReadMarkers(markers),
	}
}

func argument(value string) *marker.Written { return &marker.Written{Text: value} }

func TestScope(t *testing.T) {
	m := marker.Marker{Name: marker.NonNamespaced}
	tests := map[string]struct {
		markers    marker.Set
		scope      *marker.Written
		namespaced bool
		because    string
		message    string
	}{
		"default":                {nil, nil, true, "default", ""},
		"genclient":              {marker.Set{m}, nil, false, "+genclient:nonNamespaced", ""},
		"kubebuilder cluster":    {nil, argument("Cluster"), false, "+kubebuilder:resource:scope", ""},
		"kubebuilder namespaced": {nil, argument("Namespaced"), true, "+kubebuilder:resource:scope", ""},
		"both":                   {marker.Set{m}, argument("Cluster"), false, "+genclient:nonNamespaced", ""},
		"contradiction": {
			marker.Set{m}, argument("Namespaced"), false, "",
			"+genclient:nonNamespaced contradicts scope=Namespaced at -",
		},
		"unknown": {nil, argument("cluster"), true, "", `unknown scope "cluster"`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			kind, decl := kindWith(test.markers...)
			decl.Kubebuilder.Scope = test.scope
			var facts Facts
			var diags diag.List
			(&resolver{opts: Options{Kinds: true}}).setScope(kind, decl, &facts, &diags)
			checkDecision(t, decision{test.because, test.message}, facts, diags)
			assert.Equal(t, test.namespaced, kind.Namespaced)
		})
	}
}

func TestScopeOfCheckedInClient(t *testing.T) {
	for name, test := range map[string]struct {
		client     string
		namespaced bool
	}{
		"none":           {"", false},
		"namespaced":     {"type RobotsGetter interface {\n\tRobots(namespace string) RobotInterface\n}", true},
		"cluster-scoped": {"type RobotsGetter interface {\n\tRobots() RobotInterface\n}", false},
	} {
		t.Run(name, func(t *testing.T) {
			kind, decl := kindWith()
			kind.Plural, kind.Verbs = "Robots", model.Verbs{model.Get, model.List}
			kind.Version = &model.Version{Generate: model.Activation{Lister: true}}
			decl.Kubebuilder.Scope = argument("Cluster")
			var facts Facts
			var diags diag.List
			existing := checkedIn{clients: map[string]string{kind.Name: test.client}}
			(&resolver{opts: Options{Existing: existing}}).setScope(kind, decl, &facts, &diags)
			assert.Equal(t, test.namespaced, kind.Namespaced)
			assert.Len(t, diags, map[bool]int{true: 1}[test.namespaced])
			assert.NoError(t, diags.Err(), "it is a warning")
			for _, d := range diags {
				assert.Equal(t, "add // +genclient:nonNamespaced to change the exported API of the client; its lister cannot find objects by name", d.Hint)
			}
		})
	}
}

func TestResource(t *testing.T) {
	m := marker.Marker{Name: marker.ResourceName, Value: "bots"}
	tests := map[string]struct {
		markers  marker.Set
		path     string
		plurals  map[string]string
		resource string
		decision
	}{
		"default":       {nil, "", nil, "robots", decision{"default", ""}},
		"exception":     {nil, "", map[string]string{"Robot": "Robots"}, "robots", decision{"--plural-exceptions", ""}},
		"marker":        {marker.Set{m}, "", nil, "bots", decision{"+resourceName", ""}},
		"kubebuilder":   {nil, "bots", nil, "bots", decision{"+kubebuilder:resource:path", ""}},
		"both":          {marker.Set{m}, "bots", nil, "bots", decision{"+resourceName", ""}},
		"contradiction": {marker.Set{m}, "others", nil, "bots", decision{"", "+resourceName=bots contradicts path=others at -"}},
		"invalid":       {nil, "Bots", nil, "Bots", decision{"+kubebuilder:resource:path", `invalid resource name "Bots"`}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			kind, decl := kindWith(test.markers...)
			if test.path != "" {
				decl.Kubebuilder.Path = argument(test.path)
			}
			var facts Facts
			var diags diag.List
			pkg := &source.Package{Package: &gotype.Package{Package: &load.Package{}}}
			(&resolver{opts: Options{Kinds: true, Clients: true, Plurals: test.plurals}}).setNames(kind, pkg, decl, &facts, &diags)
			checkDecision(t, test.decision, facts, diags)
			assert.Equal(t, test.resource, kind.Resource)
		})
	}
}

func TestStatus(t *testing.T) {
	m := marker.Marker{Name: marker.NoStatus}
	client := marker.Marker{Name: marker.GenClient}
	subresource := &marker.Marker{Name: marker.StatusSubresource}
	tests := map[string]struct {
		markers  marker.Set
		status   *marker.Marker
		hasField bool
		want     bool
		because  string
	}{
		"no field":            {marker.Set{client}, nil, false, false, "no field Status"},
		"field":               {marker.Set{client}, nil, true, true, "field Status"},
		"noStatus":            {marker.Set{client, m}, nil, true, false, "+genclient:noStatus"},
		"kubebuilder":         {marker.Set{client}, subresource, true, true, "+kubebuilder:subresource:status"},
		"marker, no field":    {marker.Set{client}, subresource, false, false, "no field Status"},
		"noStatus over other": {marker.Set{client, m}, subresource, true, false, "+genclient:noStatus"},
		"root":                {nil, nil, true, false, "no +kubebuilder:subresource:status"},
		"root with marker":    {nil, subresource, true, true, "+kubebuilder:subresource:status"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			kind, decl := kindWith(test.markers...)
			decl.Kubebuilder.Status = test.status
			var facts Facts
			decl.Fields["Status"] = test.hasField
			setStatus(kind, decl, &facts)
			checkDecision(t, decision{test.because, ""}, facts, nil)
			assert.Equal(t, test.want, kind.HasStatus)
		})
	}
}

// decision is the reason for a fact, or the diagnostic in its place; either may be "".
type decision struct{ because, message string }

func checkDecision(t *testing.T, want decision, facts Facts, diags diag.List) {
	t.Helper()
	var got decision
	if len(facts) > 0 {
		got.because = facts[0].Because
	}
	if len(diags) > 0 {
		got.message = diags[0].Message
	}
	assert.Equal(t, want, got)
}

func TestSeparateFolders(t *testing.T) {
	group := func(goName string, folders ...string) *model.Group {
		g := &model.Group{GoName: goName}
		for _, folder := range folders {
			g.Versions = append(g.Versions, &model.Version{GroupFolder: folder, Folder: "v1", Group: g})
		}
		return g
	}
	tests := map[string]struct {
		groups []*model.Group
		want   []string
	}{
		"apart":             {[]*model.Group{group("Fleet", "fleet"), group("Yard", "yard")}, []string{"fleet", "yard"}},
		"shared":            {[]*model.Group{group("Fleet", "apis"), group("Yard", "apis")}, []string{"fleet", "yard"}},
		"of the go command": {[]*model.Group{group("Fleet", "internal"), group("Yard", "vendor")}, []string{"apiinternal", "apivendor"}},
		"of all informers":  {[]*model.Group{group("Fleet", "internalinterfaces")}, []string{"apiinternalinterfaces"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			(&resolver{}).separateFolders(&model.API{Groups: test.groups})
			var got []string
			for _, g := range test.groups {
				assert.Equal(t, g.Folder, g.Versions[0].GroupFolder)
				got = append(got, g.Folder)
			}
			assert.Equal(t, test.want, got)
		})
	}
}
