package main

import (
	"context"
	_ "embed"
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/input"
	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/measure"
	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/programs"
	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/report"
)

// user is a program that uses one kind of k8s.io/api. CLIENTS stands for the import path of the clients.
//
//go:embed user.go.txt
var user string

// compileMargin is the maximum ratio of our cost to upstream's. More than 1 only allows for noise.
const compileMargin = 1.05

// compile measures the cost for users of generated clients: client-go's clients, and ours in their place, are compiled into a
// program and checked by go vet. Ours have one kind more, because client-go's clientset omits ImageReview. The warm-up also
// compiles their common imports.
func (b *bench) compile(ctx context.Context) error {
	task, err := b.kubernetesTask()
	if err != nil {
		return err
	}
	task.Module = filepath.Join(b.scratch, "compile")
	if err := input.Kubernetes(task.Module, benchModule); err != nil {
		return err
	}
	if _, err := b.afresh(task, func(p place) (measure.Sample, error) { return b.programs.Ours(ctx, task, p.out, p.cache) }); err != nil {
		return err // the deep copies are the same for both
	}
	c := &report.Compilation{Input: nameOf(task) + ", compiled", Margin: compileMargin}
	samples, err := b.inTurn(c.Input, slices.Concat(
		b.compileClients(ctx, task, "upstream", false, &c.Upstream.Size),
		b.compileClients(ctx, task, "ours", true, &c.Ours.Size))...)
	if err != nil {
		return err
	}
	c.Upstream.Build, c.Upstream.Vet, c.Ours.Build, c.Ours.Vet = samples[0], samples[1], samples[2], samples[3]
	b.results.Compilation = c
	return nil
}

// compileClients compiles clients for the task into a program, whose size it stores, and then checks them.
func (b *bench) compileClients(ctx context.Context, task programs.Task, name string, ours bool, size *int64) []side {
	var dir string
	return []side{
		{name + " go build", func() (took measure.Sample, err error) {
			if dir, err = b.newClients(ctx, task, ours); err != nil {
				return took, err
			}
			program := dir + ".out"
			if took, err = b.programs.Go(ctx, task, "build", "-trimpath", "-o", program, dir+"/user"); err != nil {
				return took, err
			}
			info, err := os.Stat(program)
			if err != nil {
				return took, err
			}
			*size = info.Size()
			return took, os.Remove(program)
		}},
		{name + " go vet", func() (took measure.Sample, err error) {
			defer func() { err = errors.Join(err, os.RemoveAll(dir)) }() // otherwise our program would find types there
			return b.programs.Go(ctx, task, "vet", "-trimpath", dir+"/...")
		}},
	}
}

// newClients returns a new directory in the module of the task with one side's clients and a program that uses them. Their import
// path is new to the build cache, so only the clients are recompiled.
func (b *bench) newClients(ctx context.Context, task programs.Task, ours bool) (dir string, err error) {
	if dir, err = os.MkdirTemp(task.Module, "clients"); err != nil {
		return "", err
	}
	importPath := path.Join("k8s.io/api", filepath.Base(dir))
	if err := input.Clients(dir, importPath, benchModule); err != nil {
		return "", err
	}
	if ours {
		task.Replaces = importPath
		if _, err := b.programs.Ours(ctx, task, dir, filepath.Join(b.scratch, "compile-cache")); err != nil {
			return "", err
		}
	}
	main := filepath.Join(dir, "user", "main.go")
	if err := os.MkdirAll(filepath.Dir(main), 0o777); err != nil {
		return "", err
	}
	return dir, os.WriteFile(main, []byte(strings.ReplaceAll(user, "CLIENTS", importPath)), 0o666)
}
