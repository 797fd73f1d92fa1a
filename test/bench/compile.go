package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
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
// program and checked by go vet. Ours have one kind more, because client-go's clientset omits ImageReview. It takes minutes, so
// there is one run of each, after a run that compiles their common imports.
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
	c := &report.Compilation{Input: nameOf(task) + ", compiled once", Margin: compileMargin}
	fmt.Fprint(b.progress, c.Input, ":")
	for _, side := range []struct {
		name string
		ours bool
		took *report.Compiled
	}{{"warm-up", false, &report.Compiled{}}, {"upstream", false, &c.Upstream}, {"ours", true, &c.Ours}} {
		if *side.took, err = b.compileClients(ctx, task, side.ours); err != nil {
			return err
		}
		fmt.Fprintf(b.progress, "  %s %.2f s", side.name, side.took.Build.Wall.Seconds())
	}
	fmt.Fprintln(b.progress)
	b.results.Compilation = c
	return nil
}

// compileClients compiles and checks one side's clients for the task. Their import path is new to the build cache, so only the
// clients are recompiled.
func (b *bench) compileClients(ctx context.Context, task programs.Task, ours bool) (took report.Compiled, err error) {
	dir, err := os.MkdirTemp(task.Module, "clients")
	if err != nil {
		return took, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }() // otherwise our program would find types there
	folder := filepath.Base(dir)
	importPath := path.Join("k8s.io/api", folder)
	if err := input.Clients(dir, importPath, benchModule); err != nil {
		return took, err
	}
	if ours {
		task.Replaces = importPath
		if _, err := b.programs.Ours(ctx, task, dir, filepath.Join(b.scratch, "compile-cache")); err != nil {
			return took, err
		}
	}
	main := filepath.Join(dir, "user", "main.go")
	if err := os.MkdirAll(filepath.Dir(main), 0o777); err != nil {
		return took, err
	}
	if err := os.WriteFile(main, []byte(strings.ReplaceAll(user, "CLIENTS", importPath)), 0o666); err != nil {
		return took, err
	}
	program := filepath.Join(b.scratch, folder+".out")
	if took.Build, err = b.programs.Go(ctx, task, "build", "-trimpath", "-o", program, "./"+folder+"/user"); err != nil {
		return took, err
	}
	info, err := os.Stat(program)
	if err != nil {
		return took, err
	}
	took.Size = info.Size()
	took.Vet, err = b.programs.Go(ctx, task, "vet", "-trimpath", "./"+folder+"/...")
	return took, err
}
