package main

import (
	"context"
	_ "embed"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/input"
	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/measure"
	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/report"
)

// user is a program that uses one kind of k8s.io/api, below an import path that stands for CLIENTS.
//
//go:embed user.go.txt
var user string

// compileMargin is how many times upstream's ours may be. More than 1 only makes room for noise.
const compileMargin = 1.05

// compile measures what the users of generated clients pay: the clients that client-go ships, and ours in their place, are compiled
// into a program, and checked by go vet. Each time they have an import path of their own, so that they are compiled again and nothing
// else is. Ours have one kind more: client-go's clientset leaves out ImageReview.
func (b *bench) compile(ctx context.Context) error {
	task, err := b.kubernetesTask()
	if err != nil {
		return err
	}
	task.Module, task.Pattern = filepath.Join(b.scratch, "compile"), "./..."
	if err := input.Kubernetes(task.Module, benchModule); err != nil {
		return err
	}
	if _, err := b.afresh(task, func(p place) (measure.Sample, error) { return b.programs.Ours(ctx, task, p.out, p.cache) }); err != nil {
		return err // the deep copies are the same for both
	}
	c := report.Compilation{Input: nameOf(task) + ", compiled", Margin: compileMargin}
	var vets [2]measure.Samples
	compiled := func(i int, prepare func(dir, importPath string) error) func() (measure.Sample, error) {
		return func() (measure.Sample, error) {
			dir, err := os.MkdirTemp(task.Module, "clients") // a name that no earlier measurement has left in the build cache
			if err != nil {
				return measure.Sample{}, err
			}
			folder := filepath.Base(dir)
			importPath := path.Join("k8s.io/api", folder)
			if err := input.Clients(dir, importPath, benchModule); err != nil {
				return measure.Sample{}, err
			}
			if err := prepare(dir, importPath); err != nil {
				return measure.Sample{}, err
			}
			main := filepath.Join(dir, "user", "main.go")
			if err := os.MkdirAll(filepath.Dir(main), 0o777); err != nil {
				return measure.Sample{}, err
			}
			if err := os.WriteFile(main, []byte(strings.ReplaceAll(user, "CLIENTS", importPath)), 0o666); err != nil {
				return measure.Sample{}, err
			}
			program := filepath.Join(b.scratch, folder+".out")
			built, err := b.programs.Go(ctx, task, "build", "-trimpath", "-o", program, "./"+folder+"/user")
			if err != nil {
				return built, err
			}
			if c.Sizes[i], err = size(program); err != nil {
				return built, err
			}
			vet, err := b.programs.Go(ctx, task, "vet", "-trimpath", "./"+folder+"/...")
			vets[i] = append(vets[i], vet)
			if err != nil {
				return built, err
			}
			return built, os.RemoveAll(dir) // or ours would look for types there
		}
	}
	samples, err := b.inTurn(c.Input,
		side{"upstream", compiled(0, func(string, string) error { return nil })},
		side{"ours", compiled(1, func(dir, importPath string) error {
			replacing := task
			replacing.Replaces = importPath
			_, err := b.programs.Ours(ctx, replacing, dir, filepath.Join(b.scratch, "compile-cache"))
			return err
		})})
	if err != nil {
		return err
	}
	c.Builds, c.Vets = [2]measure.Samples{samples[0], samples[1]}, [2]measure.Samples{vets[0][1:], vets[1][1:]} // the first warms up
	b.results.Compilation = &c
	return nil
}

func size(name string) (int64, error) {
	info, err := os.Stat(name)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
