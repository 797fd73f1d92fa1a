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

	"github.com/informer-gen-lite/informer-gen-lite/internal/cluster"
	"github.com/informer-gen-lite/informer-gen-lite/internal/cluster/manifests"
	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/pipeline"
	"github.com/informer-gen-lite/informer-gen-lite/internal/pipeline/definitions"
	"github.com/informer-gen-lite/informer-gen-lite/internal/regular"
)

// Stdin is the name for the standard input.
const Stdin = "-"

// Check compares the manifests in a file, or in stdin, with what the outputs of a command line need. The runs are those of the outputs.
// The notes say what was not compared.
func Check(
	ctx context.Context, name string, stdin io.Reader, given config.CommandLine, runs []pipeline.Run,
) (diags diag.List, notes []string, err error) {
	stream, err := read(name, stdin, given.Dir)
	if err != nil {
		return nil, nil, err
	}
	diags, notes, err = checkDefinitions(ctx, stream, given)
	if err != nil {
		return nil, nil, err
	}
	outputs, err := given.Outputs()
	if err != nil {
		return nil, nil, err
	}
	problems, err := checkRoles(ctx, stream, outputs, runs)
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
		return nil, &config.FlagError{Flags: []string{"manifests"}, Err: err}
	}
	return manifests.Parse(name, text)
}

// checkDefinitions compares the definitions in the stream, if there are any. Making those of the types is slow.
func checkDefinitions(ctx context.Context, stream *manifests.Stream, given config.CommandLine) (diag.List, []string, error) {
	if !stream.HasDefinitions() {
		return nil, []string{"the manifests have no CustomResourceDefinitions; helm template needs --include-crds"}, nil
	}
	set, err := definitions.Read(ctx, given)
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
func checkRoles(ctx context.Context, stream *manifests.Stream, outputs []config.Output, runs []pipeline.Run) (diags diag.List, err error) {
	var all []manifests.Needs
	strict := false
	for i, run := range runs {
		needs, err := needsOf(ctx, run.API)
		if err != nil {
			return nil, err
		}
		var problems config.FlagErrors
		for _, name := range stream.Lacking(needs.Deployments) {
			others := cmp.Or(strings.Join(stream.Deployments(), ", "), "none")
			problems.Add(fmt.Errorf("no Deployment %s in the manifests, which have %s", name, others), config.ManifestsDeploymentsKey)
		}
		if err := outputs[i].Locate(problems, &diags); err != nil {
			return nil, err
		}
		if needs.Roles != nil {
			all = append(all, needs)
		}
		strict = strict || run.API.Options.Values.Strict
	}
	diags = append(diags, stream.CheckRoles(all)...)
	if slices.ContainsFunc(all, func(n manifests.Needs) bool { return len(n.Deployments) == 0 }) {
		hint := "name the Deployment that runs the controllers in " + config.ManifestsDeploymentsKey
		if found := stream.Deployments(); len(found) > 0 {
			hint += ", such as " + found[0]
		}
		diags.Warn(token.Position{}, hint, "roles are not compared")
	}
	if strict {
		diags = diags.AsErrors()
	}
	return diags, nil
}

// needsOf returns what the controllers of an output need.
func needsOf(ctx context.Context, api *pipeline.API) (manifests.Needs, error) {
	cfg, err := cluster.ConfigureRoles(api.Options.Values, api.Options.RBAC, api.Options.Load.Dir, api.Place.Dir)
	if err != nil {
		return manifests.Needs{}, err
	}
	needs, err := cluster.Needs(ctx, api.Resolved, &api.Layout, cfg)
	needs.Deployments = api.Options.Values.ManifestsDeployments
	return needs, err
}
