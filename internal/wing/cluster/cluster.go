// Package cluster makes the manifests that a cluster needs for the kinds of an API, and compares them with others.
package cluster

import (
	"cmp"
	"context"
	"fmt"
	"go/token"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/product"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/regular"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/cluster/crd"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/cluster/manifests"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/cluster/roles"
)

// Wing generates manifests, and adds checks of manifests to verify.
var Wing = run.Wing{Options: options, Begin: begin, VerifyFlags: verifyFlags, Verify: verify}

// options checks the options of controller-gen's generators.
func options(dir string, values option.Values) (problems option.FlagErrors) {
	_, err := crd.ParseOptions(dir, values.CRDOptions)
	problems.Add(err, option.CRDOptionsKey)
	_, err = roles.Options(dir, values)
	problems.Add(err, option.RBACOptionsKey)
	return problems
}

// making makes the manifests of one output.
type making struct {
	api         *run.API
	definitions *definitions
}

func begin(_ context.Context, api *run.API) run.Work {
	if !api.Options.Manifests.Run() {
		return nil
	}
	return &making{api: api}
}

func (m *making) Resolved(ctx context.Context) (warnings diag.List) {
	if m.api.Options.Manifests.Running(product.CRD) != nil {
		m.definitions, warnings = beginDefinitions(ctx, m.api)
	}
	return warnings
}

func (m *making) Files(ctx context.Context) (files []render.File, warnings diag.List, err error) {
	add := func(generator string, produce func() ([]crd.Definition, diag.List, error)) {
		to := m.api.Options.Manifests.Running(generator)
		if to == nil || err != nil {
			return
		}
		made, more, failed := produce()
		for _, d := range made {
			files = append(files, render.File{Path: path.Join(m.api.Below(*to), d.File), Content: d.Content})
		}
		warnings, err = append(warnings, more...), failed
	}
	add(product.CRD, m.definitions.wait)
	add(product.RBAC, func() ([]crd.Definition, diag.List, error) { return roles.Make(ctx, m.api) })
	return files, warnings, err
}

const againstFlag, manifestsFlag = "against", "manifests"

func verifyFlags(flags *pflag.FlagSet) {
	flags.String(againstFlag, "", "also report changes of CustomResourceDefinitions since this git revision that break something")
	flags.String(manifestsFlag, "", "also compare the manifests in this file, or in - for the standard input, with what is needed")
}

// verify compares definitions with a revision, and manifests with the needs of the outputs.
func verify(ctx context.Context, call *run.Call, runs []run.Run) error {
	if call.Flags.Changed(againstFlag) {
		changes, err := changesSince(ctx, call.Flags.Lookup(againstFlag).Value.String(), call)
		if err != nil {
			return err
		}
		call.Report(changes)
	}
	if call.Flags.Changed(manifestsFlag) {
		found, notes, err := compareManifests(ctx, call.Flags.Lookup(manifestsFlag).Value.String(), call, runs)
		if err != nil {
			return err
		}
		call.Report(found)
		for _, note := range notes {
			fmt.Fprintf(call.Prose, "note: %s\n", note)
		}
	}
	return nil
}

// stdin is the name for the standard input.
const stdin = "-"

// compareManifests compares the manifests in a file, or in the standard input, with the needs of a call's outputs. The runs belong to the
// outputs. The notes say which parts were not compared.
func compareManifests(ctx context.Context, name string, call *run.Call, runs []run.Run) (diags diag.List, notes []string, err error) {
	stream, err := readStream(name, call.Stdin, call.Dir)
	if err != nil {
		return nil, nil, err
	}
	diags, notes, err = checkDefinitions(ctx, stream, call)
	if err != nil {
		return nil, nil, err
	}
	problems, err := checkRoles(ctx, stream, runs)
	return append(diags, problems...), notes, err
}

// readStream reads the stream.
func readStream(name string, in io.Reader, dir string) (*manifests.Stream, error) {
	if name == stdin {
		text, err := io.ReadAll(in)
		if err != nil {
			return nil, err
		}
		return manifests.Parse("stdin", text)
	}
	name = diag.Absolute(dir, name)
	text, err := regular.ReadFile(name)
	if err != nil {
		return nil, &option.FlagError{Flags: []string{"manifests"}, Err: err}
	}
	return manifests.Parse(name, text)
}

// checkDefinitions compares the definitions in the stream, if there are any. Making the definitions of the types is slow.
func checkDefinitions(ctx context.Context, stream *manifests.Stream, call *run.Call) (diag.List, []string, error) {
	if !stream.HasDefinitions() {
		return nil, []string{"the manifests have no CustomResourceDefinitions; helm template needs --include-crds"}, nil
	}
	set, err := readDefinitions(ctx, call.Front, call.Config)
	if err != nil {
		return nil, nil, err
	}
	diags, absent := stream.CheckDefinitions(set.crds, set.position)
	diags = append(diags, set.warnings...)
	if set.strict {
		diags = diags.AsErrors()
	}
	return diags, lists.Map(absent, func(name string) string { return "the manifests lack CustomResourceDefinition " + name }), nil
}

// checkRoles compares the roles in the stream with the needs of the controllers of all outputs.
func checkRoles(ctx context.Context, stream *manifests.Stream, runs []run.Run) (diags diag.List, err error) {
	var all []manifests.Needs
	strict := false
	for _, r := range runs {
		needs, err := roles.Needs(ctx, r.API)
		if err != nil {
			return nil, err
		}
		var problems option.FlagErrors
		for _, name := range stream.Lacking(needs.Deployments) {
			others := cmp.Or(strings.Join(stream.Workloads(), ", "), "none")
			problems.Add(fmt.Errorf("no workload %s in the manifests, which have %s", name, others), option.ManifestsDeploymentsKey)
		}
		if err := r.API.Options.Locate(problems, &diags); err != nil {
			return nil, err
		}
		if needs.Roles != nil {
			all = append(all, needs)
		}
		strict = strict || r.API.Options.Values.Strict
	}
	diags = append(diags, stream.CheckRoles(all)...)
	if slices.ContainsFunc(all, func(n manifests.Needs) bool { return len(n.Deployments) == 0 }) {
		hint := "name the Deployment, StatefulSet or DaemonSet that runs the controllers in " + option.ManifestsDeploymentsKey
		if found := stream.Workloads(); len(found) > 0 {
			hint += ", such as " + found[0]
		}
		diags.Warn(token.Position{}, hint, "roles are not compared")
	}
	if strict {
		diags = diags.AsErrors()
	}
	return diags, nil
}
