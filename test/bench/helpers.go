package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/input"
	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/programs"
	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/report"
)

// The targets for defaults and conversions.
const (
	helpersFaster    = 30
	helpersMemory    = 300 << 20
	oneHelpersFaster = 80
)

// corePeers are the packages whose conversions count for all of Kubernetes, in its script.
const corePeers = "k8s.io/kubernetes/pkg/apis/core,k8s.io/kubernetes/pkg/apis/core/v1,k8s.io/api/core/v1"

// helpers compares defaults and conversions: of one API with two versions, and of all of Kubernetes.
func (b *bench) helpers(ctx context.Context) error {
	if err := b.programs.BuildHelpers(ctx, requirements); err != nil {
		return err
	}
	libraries := b.results.Facts.CodeGenerator // all modules of Kubernetes have the same minor and patch version
	one, err := b.helpersTask("k8s.io/sample-apiserver", libraries, "")
	if err != nil {
		return err
	}
	const what = ", defaults and conversions"
	c := report.Comparison{Input: "k8s.io/sample-apiserver, 2 packages" + what, Faster: oneHelpersFaster}
	if err := b.compare(ctx, one, c); err != nil {
		return err
	}
	all, err := b.helpersTask("k8s.io/kubernetes", strings.Replace(libraries, "v0.", "v1.", 1), corePeers)
	if err != nil {
		return err
	}
	name := fmt.Sprintf("k8s.io/kubernetes, %d packages", len(all.Helpers.Conversions)) + what
	if err := b.compare(ctx, all, report.Comparison{Input: name, Faster: helpersFaster, Memory: helpersMemory}); err != nil {
		return err
	}
	all.Pattern = "./..."
	return b.compare(ctx, all, report.Comparison{Input: name + ", found by `./...`", Memory: helpersMemory})
}

// helpersTask generates the defaults and conversions of a module of Kubernetes.
func (b *bench) helpersTask(module, version, peers string) (programs.Task, error) {
	task := programs.Task{Module: filepath.Join(b.scratch, filepath.Base(module)+"-helpers"), Helpers: &programs.Helpers{Peers: peers}}
	err := input.Shipped(task.Module, requirements, module, version, b.results.Facts.CodeGenerator)
	if err == nil {
		task.Helpers.Defaults, err = input.Packages(task.Module, "./...", "k8s:defaulter-gen")
	}
	if err == nil {
		task.Helpers.Conversions, err = input.Packages(task.Module, "./...", "k8s:conversion-gen")
	}
	return task, err
}
