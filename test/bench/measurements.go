package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/input"
	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/measure"
	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/programs"
	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/report"
)

// measurements are all there are, in the order in which they are made.
var measurements = []struct {
	name, usage string
	make        func(*bench, context.Context) error
}{
	{"a", "all of k8s.io/api, against upstream", (*bench).kubernetes},
	{"b", "one CRD type, against upstream", (*bench).oneType},
	{"c", "all of k8s.io/api a second time, nothing changed", (*bench).rerun},
	{"d", "growth from 10 to 5000 kinds", (*bench).growth},
}

func measurementNames() []string {
	var names []string
	for _, m := range measurements {
		names = append(names, m.name)
	}
	return names
}

func usageOfMeasurements() string {
	var lines []string
	for _, m := range measurements {
		lines = append(lines, m.name+": "+m.usage)
	}
	return strings.Join(lines, "\n")
}

// The targets.
const (
	kubernetesFaster = 25
	kubernetesMemory = 150 << 20
	oneTypeFaster    = 50
	rerunShare       = 0.5
	growthMargin     = 1.2
	growthBase       = 100
)

var growthSizes = []int{10, 100, 1000, 5000}

// kubernetesTask generates what client-go ships, from k8s.io/api.
func (b *bench) kubernetesTask() (programs.Task, error) {
	task := programs.Task{Module: filepath.Join(b.scratch, "kubernetes"), Pattern: "k8s.io/api/...", ClientGo: true}
	return b.prepare(task, 0)
}

// prepare makes the module of a task, with as many made-up kinds in it, and completes the task.
func (b *bench) prepare(task programs.Task, kinds int) (programs.Task, error) {
	err := input.NewModule(task.Module, ".")
	if err == nil {
		err = input.Synthetic(task.Module, kinds)
	}
	if err == nil {
		task.Packages, err = input.ClientPackages(task.Module, task.Pattern)
	}
	return task, err
}

func (b *bench) kubernetes(ctx context.Context) error {
	task, err := b.kubernetesTask()
	if err != nil {
		return err
	}
	name := fmt.Sprintf("k8s.io/api, %d packages", len(task.Packages))
	return b.compare(ctx, task, report.Comparison{Input: name, Faster: kubernetesFaster, Memory: kubernetesMemory})
}

func (b *bench) oneType(ctx context.Context) error {
	task, err := b.prepare(programs.Task{Module: filepath.Join(b.scratch, "one"), Pattern: "./..."}, 1)
	if err != nil {
		return err
	}
	return b.compare(ctx, task, report.Comparison{Input: "one CRD type", Faster: oneTypeFaster})
}

// compare runs both sides on a task.
func (b *bench) compare(ctx context.Context, task programs.Task, c report.Comparison) error {
	var theirs, ours place
	samples, err := b.inTurn(c.Input,
		side{"upstream", func() (sample measure.Sample, err error) {
			if theirs, err = b.newPlace(); err != nil {
				return sample, err
			}
			return b.programs.Upstream(ctx, task, theirs.out)
		}},
		side{"ours", func() (sample measure.Sample, err error) {
			if ours, err = b.newPlace(); err != nil {
				return sample, err
			}
			if sample, err = b.programs.Ours(ctx, task, ours.out, ours.cache); err != nil {
				return sample, err
			}
			return sample, sameFiles(theirs, ours)
		}})
	if err != nil {
		return err
	}
	c.Upstream, c.Ours = samples[0], samples[1]
	b.results.Comparisons = append(b.results.Comparisons, c)
	return nil
}

// sameFiles fails unless both sides wrote Go files of the same names: one that does less work is not faster.
func sameFiles(theirs, ours place) error {
	theirFiles, err := theirs.goFiles()
	if err != nil {
		return err
	}
	ourFiles, err := ours.goFiles()
	if err != nil {
		return err
	}
	for _, name := range slices.Concat(theirFiles, ourFiles) {
		if !slices.Contains(theirFiles, name) || !slices.Contains(ourFiles, name) {
			return fmt.Errorf("only one side writes %s: upstream has %d files, ours %d", name, len(theirFiles), len(ourFiles))
		}
	}
	return nil
}

func (b *bench) rerun(ctx context.Context) error {
	task, err := b.kubernetesTask()
	if err != nil {
		return err
	}
	r := &report.Rerun{Input: fmt.Sprintf("k8s.io/api, %d packages", len(task.Packages)), Share: rerunShare}
	var p place
	samples, err := b.inTurn(r.Input,
		side{"first", func() (sample measure.Sample, err error) {
			if p, err = b.newPlace(); err != nil {
				return sample, err
			}
			return b.programs.Ours(ctx, task, p.out, p.cache)
		}},
		side{"again", func() (measure.Sample, error) { return b.programs.Ours(ctx, task, p.out, p.cache) }})
	if err != nil {
		return err
	}
	r.First, r.Second = samples[0], samples[1]
	b.results.Rerun = r
	return nil
}

func (b *bench) growth(ctx context.Context) error {
	var sides []side
	for _, kinds := range growthSizes {
		task, err := b.prepare(programs.Task{Module: filepath.Join(b.scratch, fmt.Sprint(kinds)), Pattern: "./..."}, kinds)
		if err != nil {
			return err
		}
		sides = append(sides, side{fmt.Sprint(kinds), func() (measure.Sample, error) {
			p, err := b.newPlace()
			if err != nil {
				return measure.Sample{}, err
			}
			return b.programs.Ours(ctx, task, p.out, p.cache)
		}})
	}
	samples, err := b.inTurn("growth", sides...)
	if err != nil {
		return err
	}
	g := &report.Growth{Margin: growthMargin, Base: growthBase}
	for i, kinds := range growthSizes {
		g.Sizes = append(g.Sizes, report.Size{Kinds: kinds, Ours: samples[i]})
	}
	b.results.Growth = g
	return nil
}
