package programs

import (
	"context"
	"path"
	"path/filepath"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/measure"
)

// outputPackage is the import path of what is generated. Nobody compiles it.
const outputPackage = "bench.example/generated"

// Task says what clients are generated from and how, in words that both sides understand.
type Task struct {
	// Module is the directory of the module that the programs run in.
	Module string
	// Pattern matches the packages; our side finds those that want clients itself.
	Pattern string
	// Packages are those of the pattern that want clients, for upstream.
	Packages []string
	// ClientGo gives the output the layout and the options of client-go.
	ClientGo bool
}

// Ours runs our program. It writes to the directory out, and has the cache directory to itself where the system lets
// the environment decide about that.
func (s *Set) Ours(ctx context.Context, t Task, out, cache string) (measure.Sample, error) {
	cmd := s.command(ctx, t.Module, "informer-gen-lite", t.ours(out))
	cmd.Env = append(cmd.Env[:len(cmd.Env):len(cmd.Env)], "XDG_CACHE_HOME="+cache)
	return measure.Run(cmd)
}

// Upstream runs upstream's programs one after the other, as a person's script does. They write to the directory out.
func (s *Set) Upstream(ctx context.Context, t Task, out string) (measure.Sample, error) {
	var total measure.Sample
	for _, step := range t.upstream(out) {
		sample, err := measure.Run(s.command(ctx, t.Module, step[0], step[1:]))
		if err != nil {
			return total, err
		}
		total = total.Then(sample)
	}
	return total, nil
}

// layout returns the directories of the generators below the output directory.
func (t Task) layout() (clientset, listers, informers string) {
	if t.ClientGo {
		return "kubernetes", "listers", "informers"
	}
	return "clientset/versioned", "listers", "informers/externalversions"
}

const (
	pluralExceptions    = "Endpoints:Endpoints"
	applyConfigurations = "k8s.io/client-go/applyconfigurations"
)

func (t Task) ours(out string) []string {
	clientset, listers, informers := t.layout()
	args := []string{
		"generate", t.Pattern, "--output-dir", out, "--output-pkg", outputPackage,
		"--clientset-dir", clientset, "--listers-dir", listers, "--informers-dir", informers,
	}
	if t.ClientGo {
		args = append(args, "--prefers-protobuf",
			"--plural-exceptions", pluralExceptions, "--applyconfiguration-package", applyConfigurations)
	}
	return args
}

// upstream returns the command lines of the three programs.
func (t Task) upstream(out string) [][]string {
	clientset, listers, informers := t.layout()
	common := func(program, folder string) []string {
		args := []string{
			program, "--output-dir", filepath.Join(out, filepath.FromSlash(folder)), "--output-pkg", path.Join(outputPackage, folder),
		}
		if t.ClientGo {
			args = append(args, "--plural-exceptions", pluralExceptions)
		}
		return args
	}
	clientGen := append(common("client-gen", path.Dir(clientset)), "--clientset-name", path.Base(clientset),
		"--input-base", "", "--input", strings.Join(t.Packages, ","))
	// What upstream calls externalversions is a folder that it adds by itself.
	informerGen := append(common("informer-gen", strings.TrimSuffix(informers, "/externalversions")),
		"--versioned-clientset-package", path.Join(outputPackage, clientset),
		"--listers-package", path.Join(outputPackage, listers))
	if t.ClientGo {
		clientGen = append(clientGen, "--prefers-protobuf", "--apply-configuration-package", applyConfigurations)
		informerGen = append(informerGen, "--single-directory")
	}
	return [][]string{
		clientGen,
		append(common("lister-gen", listers), t.Packages...),
		append(informerGen, t.Packages...),
	}
}
