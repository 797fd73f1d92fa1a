package main

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/input"
	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/measure"
	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/programs"
	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/report"
	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/toolchain"
)

// user is a program that uses one kind of k8s.io/api. CLIENTS stands for the import path of the clients.
//
//go:embed user.go.txt
var user string

// compileMargin is the maximum ratio of our cost to upstream's. More than 1 only allows for noise.
const compileMargin = 1.05

// compile measures the cost for users of generated clients: client-go's clients, and ours in their place, are compiled into a
// program and checked by go vet.
func (b *bench) compile(ctx context.Context) error {
	task, err := b.kubernetesTask()
	if err != nil {
		return err
	}
	task.Module = filepath.Join(b.scratch, "compile")
	sides, err := b.newClients(ctx, task)
	if err != nil {
		return err
	}
	name := nameOf(task) + ", compiled"
	build, err := b.processes(ctx, name+", go build", sides,
		b.programs.Go(ctx, task, "build", "-trimpath", "-o", b.scratch+string(filepath.Separator),
			sides[0].program(), sides[1].program()))
	if err != nil {
		return err
	}
	vet, err := b.processes(ctx, name+", go vet", sides, b.programs.Go(ctx, task, "vet", "-trimpath", sides[0].all(), sides[1].all()))
	if err != nil {
		return err
	}
	var compiled [2]report.Compiled
	for i, clients := range sides {
		info, err := os.Stat(filepath.Join(b.scratch, clients.name()))
		if err != nil {
			return err
		}
		compiled[i] = report.Compiled{Build: build[i], Vet: vet[i], Size: info.Size()}
	}
	b.results.Compilation = &report.Compilation{Input: name, Margin: compileMargin, Upstream: compiled[0], Ours: compiled[1]}
	return nil
}

// clients is the import path of one side's clients. The package with their name below them is a program that uses them.
type clients string

func (c clients) name() string    { return path.Base(string(c)) }
func (c clients) program() string { return path.Join(string(c), c.name()) }
func (c clients) all() string     { return path.Join(string(c), "...") }

// newClients creates the module of the task with upstream's clients and ours, in this order. Their import paths are new to the build
// cache, so that both are compiled.
func (b *bench) newClients(ctx context.Context, task programs.Task) (sides [2]clients, err error) {
	if err := input.Kubernetes(task.Module, requirements); err != nil {
		return sides, err
	}
	for i, ours := range []bool{true, false} { // ours first: they would also be generated for types in upstream's
		dir, err := os.MkdirTemp(task.Module, "clients")
		if err != nil {
			return sides, err
		}
		side := clients(path.Join("k8s.io/api", filepath.Base(dir)))
		if err := input.Clients(dir, string(side), requirements); err != nil {
			return sides, err
		}
		if ours {
			task.Replaces = string(side)
			if _, err := b.programs.Ours(ctx, task, dir); err != nil {
				return sides, err
			}
		}
		main := filepath.Join(dir, side.name(), "main.go")
		if err := os.Mkdir(filepath.Dir(main), 0o777); err != nil {
			return sides, err
		}
		if err := os.WriteFile(main, []byte(strings.ReplaceAll(user, "CLIENTS", string(side))), 0o666); err != nil {
			return sides, err
		}
		sides[1-i] = side
	}
	return sides, nil
}

// processes runs a go command once, and then repeats in turn what it has started for the packages of both sides: compilers, linkers
// or vet. A go command takes minutes, and whatever else the machine does meanwhile would affect one side more than the other.
func (b *bench) processes(ctx context.Context, what string, sides [2]clients, cmd *exec.Cmd) (samples [2]measure.Samples, err error) {
	fmt.Fprintf(b.Progress, "%s, warm-up\n", what)
	commands, err := toolchain.Record(cmd, b.scratch)
	if err != nil {
		return samples, err
	}
	for round := range b.Pairs {
		var total [2]measure.Sample
		for _, p := range inOrder(sides, commands, round%2 == 1) {
			sample, err := p.command.Run(ctx)
			if err != nil {
				return samples, err
			}
			total[p.side] = total[p.side].Then(sample)
		}
		for i := range total {
			samples[i] = append(samples[i], total[i])
		}
		fmt.Fprintf(b.Progress, "%s, %d/%d:  upstream %.2f s  ours %.2f s of CPU time\n",
			what, round+1, b.Pairs, total[0].CPU.Seconds(), total[1].CPU.Seconds())
	}
	return samples, nil
}

// process is a process for a package of one side. What both sides have in common has the same name.
type process struct {
	name    string
	side    int
	command toolchain.Command
}

// oneMore is a package that our clientset has and client-go's omits, because client-go's maintainers do not generate it.
const oneMore = "kubernetes/typed/imagepolicy/"

// inOrder returns the processes for packages of the sides, with those for corresponding packages next to each other. Run-time code
// that only one side generates is included, clients for a type that only one side includes are not.
func inOrder(sides [2]clients, commands []toolchain.Command, secondFirst bool) []process {
	var processes []process
	for _, command := range commands {
		for i, clients := range sides {
			if rest, ok := strings.CutPrefix(command.Package+"/", string(clients)+"/"); ok && !strings.HasPrefix(rest, oneMore) {
				name := command.Program() + " " + strings.TrimPrefix(rest, clients.name())
				processes = append(processes, process{name, i, command})
			}
		}
	}
	slices.SortFunc(processes, func(a, b process) int {
		order := cmp.Compare(a.side, b.side)
		if secondFirst {
			order = -order
		}
		return cmp.Or(cmp.Compare(a.name, b.name), order)
	})
	return processes
}
