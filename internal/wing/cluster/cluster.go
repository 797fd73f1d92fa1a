// Package cluster makes the manifests that a cluster needs for the kinds of an API, and compares them with others.
package cluster

import (
	"context"
	"fmt"
	"path"

	"github.com/spf13/pflag"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/product"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/cluster/against"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/cluster/charts/rendered"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/cluster/crd"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/cluster/definitions"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/cluster/roles"
)

// Wing generates manifests, and adds checks of manifests to verify.
var Wing = run.Wing{Options: options, Beside: begin, VerifyFlags: verifyFlags, Verify: verify}

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
	definitions *definitions.Definitions
}

func begin(_ context.Context, api *run.API) run.Beside {
	if !api.Options.Manifests.Run() {
		return nil
	}
	return &making{api: api}
}

func (m *making) Resolved(ctx context.Context) (odd diag.List) {
	if m.api.Options.Manifests.Running(product.CRD) != nil {
		m.definitions, odd = definitions.Begin(ctx, m.api)
	}
	return odd
}

func (m *making) Files(ctx context.Context) (files []render.File, odd diag.List, err error) {
	add := func(generator string, produce func() ([]crd.Definition, diag.List, error)) {
		to := m.api.Options.Manifests.Running(generator)
		if to == nil || err != nil {
			return
		}
		made, warnings, failed := produce()
		for _, d := range made {
			files = append(files, render.File{Path: path.Join(m.api.Below(*to), d.File), Content: d.Content})
		}
		odd, err = append(odd, warnings...), failed
	}
	add(product.CRD, m.definitions.Wait)
	add(product.RBAC, func() ([]crd.Definition, diag.List, error) { return roles.Make(ctx, m.api) })
	return files, odd, err
}

const againstFlag, manifestsFlag = "against", "manifests"

func verifyFlags(flags *pflag.FlagSet) {
	flags.String(againstFlag, "", "also report changes of CustomResourceDefinitions since this git revision that break something")
	flags.String(manifestsFlag, "", "also compare the manifests in this file, or in - for the standard input, with what is needed")
}

// verify compares definitions with a revision, and manifests with what is needed.
func verify(ctx context.Context, call *run.Call, runs []run.Run) error {
	if call.Flags.Changed(againstFlag) {
		changes, err := against.Changes(ctx, call.Flags.Lookup(againstFlag).Value.String(), call)
		if err != nil {
			return err
		}
		call.Report(changes)
	}
	if call.Flags.Changed(manifestsFlag) {
		found, notes, err := rendered.Check(ctx, call.Flags.Lookup(manifestsFlag).Value.String(), call, runs)
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
