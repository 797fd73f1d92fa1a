// Package scaffold writes the handwritten part of controllers: reconcilers with their tests, the command that runs them, and
// manifests.
//
// Scaffolded files belong to the user and are never overwritten. So they contain as little logic as possible: everything that may
// need a fix later is in generated code.
package scaffold

import (
	"path"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
)

// files are the scaffolded files of one kind. Paths are relative to the directory to scaffold in.
var files = []render.Output[view]{
	{Template: "scaffold/reconciler.go.tmpl", Path: func(v view) string { return path.Join(v.reconcilerDir(), "reconciler.go") }},
	{Template: "scaffold/reconciler_add.go.tmpl", Path: func(v view) string { return path.Join(v.reconcilerDir(), "add.go") }},
	{
		Template: "scaffold/reconciler_test.go.tmpl",
		Path:     func(v view) string { return path.Join(v.reconcilerDir(), "reconciler_test.go") },
		If:       view.HasFakes,
	},
	{Template: "scaffold/go.mod.tmpl", Path: func(v view) string { return path.Join(v.ServerTestDir(), "go.mod") }, If: view.HasServerTest},
	{
		Template: "scaffold/reconciler_server_test.go.tmpl",
		Path:     func(v view) string { return path.Join(v.ServerTestDir(), v.serverTestFile()) },
		If:       view.HasServerTest,
	},
}

// filesTogether are the scaffolded files of all kinds.
var filesTogether = []render.Output[operator]{
	{Template: "scaffold/main.go.tmpl", Path: func(o operator) string { return MainFile(o.Command()) }},
	{Template: "scaffold/rbac.yaml.tmpl", Path: func(o operator) string { return bindingFile(o.Command()) }},
	{Template: "scaffold/deployment.yaml.tmpl", Path: func(o operator) string { return path.Join("config/deploy", o.Command()+".yaml") }},
	{
		Template: "scaffold/servicemonitor.yaml.tmpl",
		Path:     func(o operator) string { return path.Join(o.monitoringDir(), "servicemonitor.yaml") },
	},
	{
		Template: "scaffold/component.yaml.tmpl",
		Path:     func(o operator) string { return path.Join(o.monitoringDir(), "kustomization.yaml") },
	},
	{Template: "scaffold/kustomization.yaml.tmpl", Path: func(operator) string { return Kustomization }},
}

// Jobs lists the files for a kind that has a controller.
func Jobs(kind *model.Kind, layout *model.Layout, destination Destination) []render.Job {
	return handedOver(render.Jobs(files, newView(kind, layout, destination)))
}

// JobsTogether lists the files for all kinds that are scaffolded at the same time.
func JobsTogether(kinds []Controlled, destination Destination) []render.Job {
	return handedOver(render.Jobs(filesTogether, operator{kinds, destination}))
}

func handedOver(jobs []render.Job) []render.Job {
	for i := range jobs {
		jobs[i].HandedOver = true
	}
	return jobs
}
