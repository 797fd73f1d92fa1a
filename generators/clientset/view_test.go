package clientset

import (
	"path"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

// fleet returns the version fleet.example.com/v1 with kinds.
func fleet(kinds ...*model.Kind) *model.Version {
	v := &model.Version{
		Name: "v1", GoName: "V1", GroupFolder: "fleet", Folder: "v1", Package: "v1",
		Group:    &model.Group{Name: "fleet.example.com", GoName: "Fleet", Folder: "fleet", Package: "fleet"},
		Source:   model.Source{Path: "example.com/apis/fleet/v1"},
		Generate: model.Activation{Client: true, Lister: true, Informer: true, Apply: true},
		Kinds:    kinds,
	}
	for _, kind := range kinds {
		kind.Version = v
	}
	return v
}

func robot() *model.Kind {
	return &model.Kind{Name: "Robot", Plural: "Robots", Resource: "robots", Namespaced: true, HasList: true, HasStatus: true, Verbs: model.AllVerbs}
}

func layout(withApply bool) *model.Layout {
	l := &model.Layout{Root: "example.com/client", Clientset: "versioned"}
	if withApply {
		l.ApplyConfigurationDir, l.ApplyConfigurations = "apply", "example.com/client/apply"
	}
	return l
}

func viewOf(kind *model.Kind, l *model.Layout) kindView {
	return newKindView(kind, versionView{Version: fleet(kind), Layout: l})
}

func TestGentype(t *testing.T) {
	tests := map[string]struct {
		change         func(*model.Kind)
		withApply      bool
		gentype, types string
	}{
		"everything":      {func(*model.Kind) {}, true, "ClientWithListAndApply", "*fleetv1.Robot, *fleetv1.RobotList, *fleetv1ac.RobotApplyConfiguration"},
		"without apply":   {func(*model.Kind) {}, false, "ClientWithList", "*fleetv1.Robot, *fleetv1.RobotList"},
		"apply, no list":  {func(k *model.Kind) { k.Verbs = model.Verbs{model.Get, model.Apply} }, true, "ClientWithApply", "*fleetv1.Robot, *fleetv1ac.RobotApplyConfiguration"},
		"get":             {func(k *model.Kind) { k.Verbs = model.Verbs{model.Get} }, true, "Client", "*fleetv1.Robot"},
		"no verbs":        {func(k *model.Kind) { k.NoVerbs = true }, true, "Client", "*fleetv1.Robot"},
		"opted out apply": {func(k *model.Kind) { k.Verbs = model.Verbs{model.Get, model.ApplyStatus}; k.HasStatus = false }, true, "Client", "*fleetv1.Robot"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			kind := robot()
			test.change(kind)
			v := viewOf(kind, layout(test.withApply))
			assert.Equal(t, test.gentype, v.Gentype("Client"))
			assert.Equal(t, test.types, v.TypeArgs())
		})
	}
}

func TestHas(t *testing.T) {
	v := viewOf(robot(), layout(false))
	for verb, want := range map[model.Verb]bool{model.Create: true, model.UpdateStatus: true, model.Apply: false, model.ApplyStatus: false} {
		assert.Equal(t, want, v.Has(verb), verb)
	}
	assert.True(t, viewOf(robot(), layout(true)).Has(model.Apply))
}

// TestImports covers packages whose aliases would be equal: those of the input, of the typed client, of apply
// configurations, and of variables of the package.
func TestImports(t *testing.T) {
	const own, typed = "example.com/apis/fleet/v1", "example.com/client/versioned/typed/fleet/v1"
	input := func(verb model.Verb, importPath string) model.Method {
		return model.Method{Name: "Do", Verb: verb, Input: model.Type{Package: importPath, Name: "Scale"}, Result: model.Type{Package: own, Name: "Robot"}}
	}
	tests := map[string]struct {
		methods   []model.Method
		withApply bool
		want      map[string]string // path by alias
	}{
		"none":       {nil, false, map[string]string{"fleetv1": own, "typedfleetv1": typed}},
		"apply":      {nil, true, map[string]string{"fleetv1": own, "typedfleetv1": typed, "fleetv1ac": "example.com/client/apply/fleet/v1"}},
		"own type":   {[]model.Method{input(model.Update, own)}, false, map[string]string{"fleetv1": own, "typedfleetv1": typed}},
		"other":      {[]model.Method{input(model.Update, "k8s.io/api/autoscaling/v1")}, false, map[string]string{"fleetv1": own, "typedfleetv1": typed, "autoscalingv1": "k8s.io/api/autoscaling/v1"}},
		"same name":  {[]model.Method{input(model.Update, "example.com/other/fleet/v1")}, false, map[string]string{"fleetv1": own, "typedfleetv1": typed, "fleetv12": "example.com/other/fleet/v1"}},
		"template":   {[]model.Method{input(model.Update, "k8s.io/apis/meta/v1")}, false, map[string]string{"fleetv1": own, "typedfleetv1": typed, "metav1api": "k8s.io/apis/meta/v1"}},
		"typed":      {[]model.Method{input(model.Update, "example.com/typedfleet/v1")}, false, map[string]string{"fleetv1": own, "typedfleetv1": typed, "typedfleetv12": "example.com/typedfleet/v1"}},
		"structs":    {[]model.Method{input(model.Update, "example.com/ro/bots")}, false, map[string]string{"fleetv1": own, "typedfleetv1": typed, "robots2": "example.com/ro/bots"}},
		"called ac":  {[]model.Method{input(model.Update, "example.com/fleet/v1ac")}, true, map[string]string{"fleetv1": own, "typedfleetv1": typed, "fleetv1ac": "example.com/fleet/v1ac", "fleetv1ac2": "example.com/client/apply/fleet/v1"}},
		"same paths": {[]model.Method{input(model.Apply, own)}, true, map[string]string{"fleetv1": own, "typedfleetv1": typed, "fleetv1ac": "example.com/client/apply/fleet/v1"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			kind := robot()
			for i := range test.methods {
				test.methods[i].Input.ApplyFolder = "fleet/v1"
			}
			kind.Methods = test.methods
			got := map[string]string{}
			for _, i := range viewOf(kind, layout(test.withApply)).Imports() {
				got[i.Alias] = i.Path
			}
			assert.Equal(t, test.want, got)
		})
	}
}

func TestParam(t *testing.T) {
	for name, want := range map[string]string{
		"Robot": "robot", "Switch": "switchObject", "Context": "context", "Namespace": "namespace", "Opts": "optsObject", "Err": "errObject",
	} {
		kind := robot()
		kind.Name = name
		assert.Equal(t, want, viewOf(kind, layout(true)).Param(), name)
	}
}

// methodOf returns the view of a method that sends and returns robots, unless changed.
func methodOf(t *testing.T, namespaced bool, m model.Method) methodView {
	t.Helper()
	own := model.Type{Package: "example.com/apis/fleet/v1", Name: "Robot", ApplyFolder: "fleet/v1"}
	if m.Input.Name == "" {
		m.Input = own
	}
	if m.Result.Name == "" {
		m.Result = own
	}
	kind := robot()
	kind.Namespaced, kind.Methods = namespaced, []model.Method{m}
	views := viewOf(kind, layout(true)).Methods()
	require.Len(t, views, 1)
	return views[0]
}

func TestMethod(t *testing.T) {
	tests := []struct {
		verb                                    model.Verb
		subresource                             string
		request, nameExpr, input, result, param string
	}{
		{model.Create, "", "c.GetClient().Post()", "", "fleetv1.Robot", "fleetv1.Robot", "name"},
		{model.Create, "part", "c.GetClient().Post()", "robotName", "fleetv1.Robot", "fleetv1.Robot", "robotName"},
		{model.Update, "", "c.GetClient().Put()", "robot.Name", "fleetv1.Robot", "fleetv1.Robot", "name"},
		{model.Update, "part", "c.GetClient().Put()", "robotName", "fleetv1.Robot", "fleetv1.Robot", "robotName"},
		{model.Get, "", "c.GetClient().Get()", "name", "fleetv1.Robot", "fleetv1.Robot", "name"},
		{model.Get, "part", "c.GetClient().Get()", "robotName", "fleetv1.Robot", "fleetv1.Robot", "robotName"},
		{model.List, "", "c.GetClient().Get()", "", "fleetv1.Robot", "fleetv1.RobotList", "name"},
		{model.List, "part", "c.GetClient().Get()", "robotName", "fleetv1.Robot", "fleetv1.RobotList", "robotName"},
		{model.Patch, "", "c.GetClient().Patch(pt)", "name", "fleetv1.Robot", "fleetv1.Robot", "name"},
		{model.Patch, "part", "c.GetClient().Patch(pt)", "name", "fleetv1.Robot", "fleetv1.Robot", "robotName"},
		{model.Apply, "", "request", "*name", "fleetv1ac.RobotApplyConfiguration", "fleetv1.Robot", "name"},
		{model.Apply, "part", "request", "robotName", "fleetv1ac.RobotApplyConfiguration", "fleetv1.Robot", "robotName"},
	}
	for _, test := range tests {
		t.Run(string(test.verb)+" "+test.subresource, func(t *testing.T) {
			m := methodOf(t, true, model.Method{Name: "Do", Verb: test.verb, Subresource: test.subresource})
			assert.Equal(t, test.request, m.Request())
			assert.Equal(t, test.nameExpr, m.NameExpr())
			assert.Equal(t, test.input, m.InputType())
			assert.Equal(t, test.result, m.ResultType())
			assert.Equal(t, test.param, m.NameParam())
			assert.Equal(t, "robot", m.InputParam())
		})
	}
}

func TestMethodOfOtherTypes(t *testing.T) {
	scale := model.Type{Package: "k8s.io/api/autoscaling/v1", Name: "Scale", ApplyPackage: "k8s.io/client-go/applyconfigurations/autoscaling/v1"}
	m := methodOf(t, true, model.Method{Name: "ApplyScale", Verb: model.Apply, Subresource: "scale", Input: scale, Result: scale})
	assert.Equal(t, "autoscalingv1ac.ScaleApplyConfiguration", m.InputType())
	assert.Equal(t, "autoscalingv1.Scale", m.ResultType())
	assert.Equal(t, "scale", m.InputParam())
	assert.Equal(t, "ApplyOptions", m.Options())
	name := model.Type{Package: "example.com/apis/fleet/v1", Name: "RobotName"}
	m = methodOf(t, true, model.Method{Name: "Rename", Verb: model.Update, Subresource: "name", Input: name})
	assert.Equal(t, []string{"robotName", "robotNameObject"}, []string{m.NameParam(), m.InputParam()}, "two parameters")
}

func TestSubresourceArgs(t *testing.T) {
	for subresource, want := range map[string]string{"scale": `"scale"`, "parts/all": `"parts", "all"`} {
		assert.Equal(t, want, methodView{Method: model.Method{Subresource: subresource}}.SubresourceArgs())
	}
}

func TestAction(t *testing.T) {
	tests := []struct {
		verb             model.Verb
		subresource      string
		namespaced, root string
	}{
		{model.Create, "", "CreateActionWithOptions(c.Resource(), c.Namespace(), robot, opts)", "CreateActionWithOptions(c.Resource(), robot, opts)"},
		{model.Create, "part", `CreateSubresourceActionWithOptions(c.Resource(), robotName, "part", c.Namespace(), robot, opts)`, `CreateSubresourceActionWithOptions(c.Resource(), robotName, "part", robot, opts)`},
		{model.Update, "", "UpdateActionWithOptions(c.Resource(), c.Namespace(), robot, opts)", "UpdateActionWithOptions(c.Resource(), robot, opts)"},
		{model.Update, "part", `UpdateSubresourceActionWithOptions(c.Resource(), "part", c.Namespace(), robot, opts)`, `UpdateSubresourceActionWithOptions(c.Resource(), "part", robot, opts)`},
		{model.Get, "", "GetActionWithOptions(c.Resource(), c.Namespace(), name, options)", "GetActionWithOptions(c.Resource(), name, options)"},
		{model.Get, "part", `GetSubresourceActionWithOptions(c.Resource(), c.Namespace(), "part", robotName, options)`, `GetSubresourceActionWithOptions(c.Resource(), "part", robotName, options)`},
		{model.List, "", "ListActionWithOptions(c.Resource(), c.Kind(), c.Namespace(), opts)", "ListActionWithOptions(c.Resource(), c.Kind(), opts)"},
		{model.List, "part", "ListActionWithOptions(c.Resource(), c.Kind(), c.Namespace(), opts)", "ListActionWithOptions(c.Resource(), c.Kind(), opts)"},
		{model.Patch, "", "PatchSubresourceActionWithOptions(c.Resource(), c.Namespace(), name, pt, data, opts, subresources...)", "PatchSubresourceActionWithOptions(c.Resource(), name, pt, data, opts, subresources...)"},
		{model.Apply, "", "PatchSubresourceActionWithOptions(c.Resource(), c.Namespace(), *name, types.ApplyPatchType, data, opts.ToPatchOptions())", "PatchSubresourceActionWithOptions(c.Resource(), *name, types.ApplyPatchType, data, opts.ToPatchOptions())"},
		{model.Apply, "a/b", `PatchSubresourceActionWithOptions(c.Resource(), c.Namespace(), robotName, types.ApplyPatchType, data, opts.ToPatchOptions(), "a", "b")`, `PatchSubresourceActionWithOptions(c.Resource(), robotName, types.ApplyPatchType, data, opts.ToPatchOptions(), "a", "b")`},
	}
	for _, test := range tests {
		t.Run(string(test.verb)+" "+test.subresource, func(t *testing.T) {
			method := model.Method{Name: "Do", Verb: test.verb, Subresource: test.subresource}
			assert.Equal(t, "testing.New"+test.namespaced, methodOf(t, true, method).Action())
			assert.Equal(t, "testing.NewRoot"+test.root, methodOf(t, false, method).Action())
		})
	}
}

func TestDoc(t *testing.T) {
	tests := []struct {
		verb          model.Verb
		plain, ofPart string
	}{
		{model.Create, "Do creates the Robot and returns the server's response.", "Do creates the subresource part of the named Robot and returns the server's response."},
		{model.Update, "Do updates the Robot and returns the server's response.", "Do updates the subresource part of the named Robot and returns the server's response."},
		{model.Get, "Do returns the named Robot.", "Do returns the subresource part of the named Robot."},
		{model.List, "Do returns the items that match the selectors.", "Do returns the items in the subresource part of the named Robot."},
		{model.Patch, "Do patches the named Robot and returns the resulting Robot.", "Do patches the named Robot and returns the resulting Robot."},
		{model.Apply, "Do performs a server-side apply and returns the resulting Robot.", "Do performs a server-side apply of the subresource part of the named Robot."},
	}
	for _, test := range tests {
		assert.Equal(t, test.plain, methodOf(t, true, model.Method{Name: "Do", Verb: test.verb}).Doc())
		assert.Equal(t, test.ofPart, methodOf(t, true, model.Method{Name: "Do", Verb: test.verb, Subresource: "part"}).Doc())
	}
}

func TestWithoutExpansion(t *testing.T) {
	arm := &model.Kind{Name: "Arm"}
	l := layout(false)
	l.Handwritten = map[string]bool{"versioned/typed/fleet/v1/robot_expansion.go": true}
	v := versionView{Version: fleet(arm, robot()), Layout: l}
	assert.Equal(t, []*model.Kind{arm}, v.WithoutExpansion())
	assert.Equal(t, "example.com/client/versioned/typed/fleet/v1", v.Typed())
}

func TestClientset(t *testing.T) {
	first, second := fleet(), fleet()
	second.Folder, second.Group = "v1", &model.Group{GoName: "Fakefleet"}
	second.GroupFolder = "fakefleet"
	v := clientsetView{Layout: layout(false), Versions: []*model.Version{second, first}, CustomRegister: true}
	v = v.withAliases()
	assert.Equal(t, "versioned", v.Package())
	assert.Equal(t, "example.com/client/versioned/typed/fleet/v1", v.TypedPackage(first))
	assert.Equal(t, "example.com/client/versioned/typed/fleet/v1/fake", v.FakePackage(first))
	assert.Equal(t, "fakefleetv12", v.FakeAlias(first), "fakefleetv1 is the other group's client")
	assert.Equal(t, "fakefakefleetv1", v.FakeAlias(second))
	assert.False(t, v.WithoutCustomRegister().CustomRegister)
	assert.True(t, v.CustomRegister)
}

// TestGuess compares guesses of resources with those of client-go's object tracker.
func TestGuess(t *testing.T) {
	for _, name := range []string{"Robot", "Chassis", "Policy", "Gateway", "Mesh", "Endpoints", "NodeEndpoints", "Y", "S", "Quiz"} {
		want, _ := meta.UnsafeGuessKindToResource(schema.GroupVersionKind{Kind: name})
		assert.Equal(t, want.Resource, clientsetView{}.Guess(&model.Kind{Name: name}))
	}
}

// TestApplyAlias checks the name of the apply configurations in the fake, which is that of their folder unless the fake uses it.
func TestApplyAlias(t *testing.T) {
	for folder, want := range map[string]string{
		"applyconfiguration": "applyconfiguration", "my-apply.conf": "myapplyconf", "testing": "applyconfigurations", "": "client",
	} {
		v := clientsetView{Layout: &model.Layout{ApplyConfigurations: path.Join("example.com/client", folder)}}
		v = v.withAliases()
		assert.True(t, v.imports.Uses(want), "chosen before several files are rendered at the same time")
		assert.Equal(t, want, v.ApplyAlias())
	}
}
