package resolve_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype/gotypetest"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve"
)

const robot = `
type Robot struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `
}

type RobotList struct {
	metav1.TypeMeta ` + "`json:\",inline\"`" + `
	metav1.ListMeta ` + "`json:\"metadata,omitempty\"`" + `
	Items []Robot ` + "`json:\"items\"`" + `
}

type Scale struct{ N int }

type Named struct{ metav1.TypeMeta }

// +genclient`

// robotWith returns an archive with a Robot that has markers, after replacements in its text.
func robotWith(markers string, replace ...string) string {
	text := strings.Replace(robot, "\ntype Robot ", "\n// +genclient\n"+markers+"type Robot ", 1)
	text = strings.TrimSuffix(text, "\n// +genclient")
	return "-- apis/fleet/v1/types.go --\npackage v1\n" + strings.NewReplacer(replace...).Replace(text)
}

// run resolves an archive and returns the result and the messages.
func run(t *testing.T, archive string) (resolve.Result, []string) {
	t.Helper()
	result, diags := resolve.API(t.Context(), gotypetest.Load(t, archive), resolve.Options{Kinds: true, Clients: true, Names: true})
	var messages []string
	for _, d := range append(diags.Sorted(""), result.Nothing...) {
		messages = append(messages, strings.TrimPrefix(fmt.Sprintf("%s:%d: %s", filepath.Base(d.Pos.Filename), d.Pos.Line, d.Message), ".:0: "))
	}
	return result, messages
}

func TestKinds(t *testing.T) {
	tests := map[string]struct{ archive, want string }{
		"not exported": {
			robotWith("", "type Robot ", "type robot "),
			"types.go:4: cannot generate a client for type robot: it is not exported",
		},
		"alias": {
			robotWith("", "type Robot struct {", "type Robot = Other\n\ntype Other struct {"),
			"types.go:4: cannot generate a client for type Robot: it is an alias",
		},
		"generic": {
			robotWith("", "type Robot struct", "type Robot[T any] struct"),
			"types.go:4: cannot generate a client for type Robot: it is generic",
		},
		"not a struct": {
			robotWith("", "type Robot struct {", "type Robot []int\n\ntype Other struct {"),
			"types.go:4: cannot generate a client for type Robot: it is not a struct",
		},
		"no ObjectMeta": {
			robotWith("", "metav1.ObjectMeta", "Meta int"),
			"types.go:4: cannot generate a client for type Robot: it has no ObjectMeta",
		},
		"no TypeMeta": {
			robotWith("", "metav1.TypeMeta   ", "Type int "),
			"types.go:4: cannot generate a client for type Robot: it has no TypeMeta",
		},
		"no list": {robotWith("", "RobotList", "BotList"), "types.go:4: type Robot has no list type RobotList"},
		"list of something": {
			robotWith("", "type RobotList struct {", "type RobotList int\n\ntype Other struct {"),
			"types.go:9: type RobotList is not a struct",
		},
		"list without meta":  {robotWith("", "metav1.ListMeta", "Meta int"), "types.go:9: list type RobotList has no ListMeta"},
		"list without items": {robotWith("", "Items []Robot", "Things []Robot"), "types.go:9: list type RobotList has no Items"},
		"unknown input": {
			robotWith("// +genclient:method=Set,verb=update,input=Scle\n"),
			"types.go:4: type Scle is not declared in package example.com/m/apis/fleet/v1",
		},
		"not a type": {robotWith("// +genclient:method=Set,verb=update,input=a..b\n"), `types.go:4: "a..b" does not name a type`},
		"input not an object": {
			robotWith("// +genclient:method=Set,verb=update,input=Scale\n"),
			"types.go:4: type Scale has no TypeMeta, so methods cannot send or return it",
		},
		"no list to return": {
			robotWith("// +genclient:method=All,verb=list,result=Named\n"),
			"types.go:4: method All returns NamedList, which is not declared in this package",
		},
		"subresource": {
			robotWith("// +genclient:method=Set,verb=update,subresource=A/b\n"),
			`types.go:4: method Set: invalid subresource "A/b"`,
		},
		"name of a verb": {
			robotWith("// +genclient:method=Create,verb=create\n"),
			"types.go:4: the client of Robot already has a method Create",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, messages := run(t, test.archive)
			assert.Equal(t, []string{test.want}, messages)
		})
	}
}

func TestWhole(t *testing.T) {
	second := func(path, pkg, above string) string {
		return "-- " + path + " --\n" + above + strings.TrimPrefix(strings.Replace(robotWith(""), "package v1", "package "+pkg, 1),
			"-- apis/fleet/v1/types.go --\n")
	}
	tests := map[string]struct {
		archive string
		groups  string
		want    []string
	}{
		"one version":  {robotWith(""), "fleet Fleet fleet: v1", nil},
		"two versions": {robotWith("") + second("apis/fleet/v2/types.go", "v2", ""), "fleet Fleet fleet: v1 v2", nil},
		"shared folder": {
			robotWith("") + second("other/fleet/v2/types.go", "v2", "// +groupName=other.io\n"),
			"fleet Fleet fleet: v1; other.io Other other: v2", nil,
		},
		"Go name by marker": {second("apis/fleet/v1/types.go", "v1", "// +groupGoName=Yard\n"), "fleet Yard fleet: v1", nil},
		"same Go name": {
			robotWith("") + second("apis/other/v1/types.go", "v1", "// +groupName=fleet.io\n"), "",
			[]string{"types.go:1: groups fleet.io and fleet have the same Go name Fleet"},
		},
		"version twice": {
			robotWith("") + second("more/fleet/v1/types.go", "v1", ""), "",
			[]string{"types.go:1: packages example.com/m/apis/fleet/v1 and example.com/m/more/fleet/v1 both declare fleet/v1"},
		},
		"not a Go name": {
			second("apis/fleet/v1/types.go", "v1", "// +groupGoName=a-b\n"), "",
			[]string{"types.go:1: +groupGoName=a-b is not a Go name"},
		},
		"kinds by case": {
			robotWith("") + "\n// +genclient\ntype ROBOT struct {\n\tmetav1.TypeMeta\n\tmetav1.ObjectMeta `json:\"metadata\"`\n}\n\n" +
				"type ROBOTList struct {\n\tmetav1.ListMeta\n\tItems []ROBOT\n}\n",
			"", []string{"types.go:4: kinds ROBOT and Robot only differ in case and would have the same files"},
		},
		"informer needs": {
			second("apis/fleet/v1/types.go", "v1", "// +k8s:lister-gen=false\n"), "",
			[]string{"types.go:1: informers need clients and listers, but the package has +k8s:lister-gen=false"},
		},
		"internal version": {
			robotWith("", " `json:\"metadata,omitempty\"`", ""), "",
			[]string{"nothing to generate: internal versions in 1 of 1 packages: ObjectMeta has no json tag, or SchemeGroupVersion has " +
				"runtime.APIVersionInternal"},
		},
		"opted out": {
			second("apis/fleet/v1/types.go", "v1",
				"// +k8s:client-gen=false\n// +k8s:lister-gen=false\n// +k8s:informer-gen=false\n// +k8s:applyconfiguration-gen=false\n"),
			"", []string{"nothing to generate: 1 of 1 packages opt out of every generator"},
		},
		"nothing to be done": {"-- a/a.go --\npackage a\n", "", []string{"nothing to generate: no type with +genclient (packages: 1, files: 1)"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			result, messages := run(t, test.archive)
			require.Equal(t, test.want, messages)
			if test.want != nil {
				return
			}
			var groups []string
			for _, g := range result.API.Groups {
				text := g.Name + " " + g.GoName + " " + g.Folder + ":"
				for _, v := range g.Versions {
					text += " " + v.Name
				}
				groups = append(groups, text)
			}
			assert.Equal(t, test.groups, strings.Join(groups, "; "))
		})
	}
}
