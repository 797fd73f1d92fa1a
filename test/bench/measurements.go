package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/input"
	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/measure"
	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/programs"
	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/report"
	"github.com/informer-gen-lite/informer-gen-lite/test/internal/harness"
)

// The targets.
const (
	kubernetesFaster = 35
	clientsFaster    = 45
	kubernetesMemory = 120 << 20
	oneTypeFaster    = 80
	oneClientFaster  = 150
	// A run that changes nothing, as a share of the first run.
	unchangedAll     = 900 * time.Millisecond
	unchangedOne     = 120 * time.Millisecond
	growthMargin     = 1.2
	growthBase       = 100
	growthLimit      = 2500 * time.Millisecond
	growthLimitKinds = 1000
)

// genclient is the marker of types with clients.
const genclient = "genclient"

// side is a side of a measurement in which processes are run.
type side = harness.Side[measure.Sample]

var growthSizes = []int{10, 100, 1000, 5000}

// kubernetesTask generates client-go's clients and the deep copies from k8s.io/api.
func (b *bench) kubernetesTask() (programs.Task, error) {
	task := programs.Task{Module: filepath.Join(b.scratch, "kubernetes"), Pattern: "./...", ClientGo: true}
	if _, err := os.Stat(task.Module); errors.Is(err, fs.ErrNotExist) {
		if err := input.Kubernetes(task.Module, requirements); err != nil {
			return task, err
		}
	}
	var err error
	task.Packages, err = input.Packages(task.Module, task.Pattern, genclient)
	return task, err
}

// syntheticTask generates everything from the given number of synthetic kinds.
func (b *bench) syntheticTask(name string, kinds int) (programs.Task, error) {
	task := programs.Task{Module: filepath.Join(b.scratch, name), Pattern: "./..."}
	err := input.NewModule(task.Module, requirements)
	if err == nil {
		err = input.Synthetic(task.Module, kinds)
	}
	if err == nil {
		task.Packages, err = input.Packages(task.Module, task.Pattern, genclient)
	}
	return task, err
}

func nameOf(kubernetes programs.Task) string {
	return fmt.Sprintf("k8s.io/api, %d packages", len(kubernetes.Packages))
}

func (b *bench) kubernetes(ctx context.Context) error {
	task, err := b.kubernetesTask()
	if err != nil {
		return err
	}
	if err := b.compare(ctx, task, report.Comparison{Input: nameOf(task), Faster: kubernetesFaster, Memory: kubernetesMemory}); err != nil {
		return err
	}
	return b.clientsAlone(ctx, task, nameOf(task), clientsFaster)
}

// clientsAlone compares what generates clients, listers and informers: three of upstream's programs, and ours.
func (b *bench) clientsAlone(ctx context.Context, task programs.Task, name string, faster float64) error {
	// Clients alone require existing deep copies.
	if _, err := b.afresh(task, func(out string) (measure.Sample, error) { return b.programs.Ours(ctx, task, out) }); err != nil {
		return err
	}
	task.Clients = true
	return b.compare(ctx, task, report.Comparison{Input: name + ", clients, listers and informers alone", Faster: faster})
}

func (b *bench) oneType(ctx context.Context) error {
	task, err := b.syntheticTask("one", 1)
	if err != nil {
		return err
	}
	const name = "one CRD type"
	if err := b.compare(ctx, task, report.Comparison{Input: name, Faster: oneTypeFaster}); err != nil {
		return err
	}
	return b.clientsAlone(ctx, task, name, oneClientFaster)
}

// afresh runs the task with a new output directory. It first removes files that an earlier run on the task left in API packages, so
// that the next run starts from nothing, except for tasks with only clients. Output is kept until the end, because some file systems
// create files more slowly for minutes after many deletions.
func (b *bench) afresh(task programs.Task, run func(out string) (measure.Sample, error)) (measure.Sample, error) {
	out, err := os.MkdirTemp(b.scratch, "run")
	if err == nil && !task.Clients {
		err = input.Clean(task.Module, task.PackageFiles())
	}
	if err != nil {
		return measure.Sample{}, err
	}
	return run(out)
}

// compare runs both sides on a task.
func (b *bench) compare(ctx context.Context, task programs.Task, c report.Comparison) error {
	var theirs []string
	samples, err := harness.InTurn(b.Session, c.Input,
		side{Name: "upstream", Run: func() (measure.Sample, error) {
			return b.afresh(task, func(out string) (measure.Sample, error) {
				sample, err := b.programs.Upstream(ctx, task, out)
				if err == nil {
					theirs, err = goFiles(task, out)
				}
				return sample, err
			})
		}},
		side{Name: "ours", Run: func() (measure.Sample, error) {
			return b.afresh(task, func(out string) (measure.Sample, error) {
				sample, err := b.programs.Ours(ctx, task, out)
				if err != nil {
					return sample, err
				}
				ours, err := goFiles(task, out)
				if err != nil {
					return sample, err
				}
				return sample, sameFiles(theirs, ours)
			})
		}})
	if err != nil {
		return err
	}
	c.Upstream, c.Ours = samples[0], samples[1]
	b.results.Comparisons = append(b.results.Comparisons, c)
	return nil
}

// sameFiles returns an error unless both sides wrote Go files with the same names: a side that does less work is not faster.
func sameFiles(theirs, ours []string) error {
	for _, name := range slices.Concat(theirs, ours) {
		if !slices.Contains(theirs, name) || !slices.Contains(ours, name) {
			return fmt.Errorf("only one side writes %s: upstream has %d files, ours %d", name, len(theirs), len(ours))
		}
	}
	return nil
}

// goFiles returns the paths of the Go files that a run on the task has generated, in its output directory and in API packages.
func goFiles(task programs.Task, out string) ([]string, error) {
	names, err := input.FilesNamed(task.Module, task.PackageFiles())
	if err != nil {
		return nil, err
	}
	err = fs.WalkDir(os.DirFS(out), ".", func(name string, _ fs.DirEntry, err error) error {
		if err == nil && path.Ext(name) == ".go" {
			names = append(names, name)
		}
		return err
	})
	return names, err
}

func (b *bench) reruns(ctx context.Context) error {
	all, err := b.kubernetesTask()
	if err != nil {
		return err
	}
	one, err := b.syntheticTask("again", 1)
	if err != nil {
		return err
	}
	for _, r := range []struct {
		task   programs.Task
		change func() error
		report.Rerun
	}{
		{all, nil, report.Rerun{Input: nameOf(all), Changed: "nothing changed", Limit: unchangedAll}},
		{one, nil, report.Rerun{Input: "one CRD type", Changed: "nothing changed", Limit: unchangedOne}},
		{all, func() error { return input.AddField(all.Module) }, report.Rerun{Input: nameOf(all), Changed: "one field added"}},
	} {
		if err := b.rerun(ctx, r.task, r.change, r.Rerun); err != nil {
			return err
		}
	}
	return nil
}

// rerun measures a first run on a task and another one after it. change is called in between.
func (b *bench) rerun(ctx context.Context, task programs.Task, change func() error, r report.Rerun) error {
	var place string
	samples, err := harness.InTurn(b.Session, r.Input+", "+r.Changed,
		side{Name: "first", Run: func() (measure.Sample, error) {
			return b.afresh(task, func(out string) (measure.Sample, error) {
				place = out
				return b.programs.Ours(ctx, task, out)
			})
		}},
		side{Name: "again", Run: func() (measure.Sample, error) {
			if change != nil {
				if err := change(); err != nil {
					return measure.Sample{}, err
				}
			}
			return b.programs.Ours(ctx, task, place)
		}})
	if err != nil {
		return err
	}
	r.First, r.Second = samples[0], samples[1]
	b.results.Reruns = append(b.results.Reruns, r)
	return nil
}

func (b *bench) growth(ctx context.Context) error {
	var sides []side
	for _, kinds := range growthSizes {
		task, err := b.syntheticTask(strconv.Itoa(kinds), kinds)
		if err != nil {
			return err
		}
		sides = append(sides, side{Name: strconv.Itoa(kinds), Run: func() (measure.Sample, error) {
			return b.afresh(task, func(out string) (measure.Sample, error) { return b.programs.Ours(ctx, task, out) })
		}})
	}
	samples, err := harness.InTurn(b.Session, "growth", sides...)
	if err != nil {
		return err
	}
	g := &report.Growth{Margin: growthMargin, Base: growthBase, Limit: growthLimit, LimitAt: growthLimitKinds}
	for i, kinds := range growthSizes {
		g.Sizes = append(g.Sizes, report.Size{Kinds: kinds, Ours: samples[i]})
	}
	b.results.Growth = g
	return nil
}

// cold compiles the programs of each side with an empty build cache, like "go run" on a new machine.
func (b *bench) cold(ctx context.Context) error {
	compile := func(build func(set *programs.Set) (measure.Sample, error)) func() (measure.Sample, error) {
		return func() (measure.Sample, error) {
			dir, err := os.MkdirTemp(b.scratch, "cold")
			if err != nil {
				return measure.Sample{}, err
			}
			sample, err := build(b.programs.Cold(dir))
			return sample, errors.Join(err, os.RemoveAll(dir))
		}
	}
	samples, err := harness.InTurn(b.Session, "cold",
		side{Name: "upstream", Run: compile(func(set *programs.Set) (measure.Sample, error) { return set.BuildUpstream(ctx, requirements) })},
		side{Name: "ours", Run: compile(func(set *programs.Set) (measure.Sample, error) { return set.BuildOurs(ctx, repository) })})
	if err != nil {
		return err
	}
	b.results.Cold = &report.Cold{Input: "compiling the programs", Upstream: samples[0], Ours: samples[1]}
	return nil
}
