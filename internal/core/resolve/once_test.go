package resolve

import (
	"go/ast"
	"go/token"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype/gotypetest"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

// manyMarkers is a package with kinds that make each setter read types and markers. @ stands for backquotes.
const manyMarkers = `-- v1/types.go --
// +groupName=fleet.example.com
package v1

type TypeMeta struct{}

type ObjectMeta struct{ Name, Namespace string }

type ListMeta struct{}

// +genclient
// +genclient:method=GetScale,verb=get,subresource=scale,result=Scale
// +genclient:method=UpdateScale,verb=update,subresource=scale,input=Scale,result=Scale
// +genclient:method=Restart,verb=create,subresource=restart
// +resourceName=bots
// +informergen:kind=bot
// +informergen:controller=owns=core/v1.ConfigMap,finalizer=fleet.example.com/cleanup
// +informergen:ref=core/v1.Secret,path=spec.secret
// +informergen:index=field=spec.node
// +informergen:index=field=spec.secret
// +informergen:lister=copies
// +informergen:rbac=groups=core,resources=secrets,verbs=get
// +kubebuilder:resource:path=bots,scope=Namespaced
// +kubebuilder:subresource:status
type Robot struct {
	TypeMeta   @json:",inline"@
	ObjectMeta @json:"metadata"@
	Spec       Spec   @json:"spec"@
	Status     Status @json:"status"@
}

type Spec struct {
	Node   string @json:"node"@
	Secret string @json:"secret"@
}

type Status struct{ ObservedGeneration int64 }

type RobotList struct {
	TypeMeta @json:",inline"@
	ListMeta @json:"metadata"@
	Items    []Robot @json:"items"@
}

type Scale struct {
	TypeMeta   @json:",inline"@
	ObjectMeta @json:"metadata"@
}

// +genclient
// +genclient:nonNamespaced
// +genclient:onlyVerbs=get,list,watch
type Site struct {
	TypeMeta   @json:",inline"@
	ObjectMeta @json:"metadata"@
}

// +k8s:deepcopy-gen=true
type SiteList struct {
	TypeMeta @json:",inline"@
	ListMeta @json:"metadata"@
	Items    []*Site @json:"items"@
}
`

// TestDeclarationsAreReadOnce counts how often kinds are opened while they are resolved, from their comments to the finished model.
func TestDeclarationsAreReadOnce(t *testing.T) {
	universe := gotypetest.Universe(t, strings.ReplaceAll(manyMarkers, "@", "`"))
	opened, scanned := map[string]int{}, map[token.Pos]int{}
	universe.Observe = func(method string, decl *gotype.Decl) { opened[method+" "+decl.Name()]++ }
	r := newResolver(universe, Options{Target: model.NewestTarget, Kinds: true, Clients: true, Names: true, Defines: true})
	r.reader.Scan = func(fset *token.FileSet, groups ...*ast.CommentGroup) (markers, inCode marker.Set) {
		for _, group := range groups {
			scanned[group.Pos()]++
		}
		return marker.ScanAll(fset, groups...)
	}
	r.all = r.reader.ReadAll()
	for _, c := range r.candidates() {
		r.add(c)
	}
	r.finish()
	require.NoError(t, r.diags.Err())
	require.Len(t, r.result.API.Kinds(), 2)
	robot := r.result.API.Kinds()[0]
	require.Len(t, robot.Methods, 3)
	require.Len(t, robot.Indexes, 2)
	require.Len(t, robot.Controller.References, 1)

	assert.Equal(t, map[string]int{
		"Struct Robot": 1, "Struct RobotList": 1, "Struct Scale": 1, "Struct Site": 1, "Struct SiteList": 1,
		"Type Robot": 1, "Type RobotList": 1, "Type Scale": 1, "Type Site": 1, "Type SiteList": 1,
	}, opened)
	assert.Len(t, scanned, 4, "comments with markers")
	for pos, count := range scanned {
		assert.Equal(t, 1, count, universe.Fset.Position(pos))
	}
}
