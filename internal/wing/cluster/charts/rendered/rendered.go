// Package rendered compares rendered manifests with what the types and controllers of a run need.
package rendered

import (
	"cmp"
	"context"
	"fmt"
	"go/token"
	"io"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/regular"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/cluster/charts/manifests"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/cluster/definitions"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/cluster/roles"
)

// Stdin is the name for the standard input.
const Stdin = "-"

// Check compares the manifests in a file, or in the standard input, with what the outputs of a call need. The runs are those of the
// outputs. The notes say what was not compared.
func Check(ctx context.Context, name string, call *run.Call, runs []run.Run) (diags diag.List, notes []string, err error) {
	stream, err := read(name, call.Stdin, call.Dir)
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

// read reads the stream.
func read(name string, stdin io.Reader, dir string) (*manifests.Stream, error) {
	if name == Stdin {
		text, err := io.ReadAll(stdin)
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

// checkDefinitions compares the definitions in the stream, if there are any. Making those of the types is slow.
func checkDefinitions(ctx context.Context, stream *manifests.Stream, call *run.Call) (diag.List, []string, error) {
	if !stream.HasDefinitions() {
		return nil, []string{"the manifests have no CustomResourceDefinitions; helm template needs --include-crds"}, nil
	}
	set, err := definitions.Read(ctx, call, call.Config)
	if err != nil {
		return nil, nil, err
	}
	diags, absent := stream.CheckDefinitions(set.CRDs, set.Position)
	diags = append(diags, set.Warnings...)
	if set.Strict {
		diags = diags.AsErrors()
	}
	var notes []string
	for _, name := range absent {
		notes = append(notes, "the manifests lack CustomResourceDefinition "+name)
	}
	return diags, notes, nil
}

// checkRoles compares the roles in the stream with what the controllers of all outputs need.
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
