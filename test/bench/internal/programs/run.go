package programs

import (
	"cmp"
	"context"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/measure"
)

// outputPackage is the import path of output that is not compiled.
const outputPackage = "bench.example/generated"

// Task describes what to generate, in terms that both sides understand.
type Task struct {
	// Module is the directory of the module that the programs run in.
	Module string
	// Pattern matches the packages. Our program finds those with clients itself, and both find those with deep copies. They
	// belong to the module, because deep copies are written into the API packages.
	Pattern string
	// Packages are the packages of the pattern with clients, for upstream.
	Packages []string
	// Clients excludes deep copies, registration and apply configurations.
	Clients bool
	// ClientGo selects the layout and the options of client-go, whose types have handwritten registrations.
	ClientGo bool
	// Replaces is the import path of client-go's clients in the output directory. Our clients then replace them, including those
	// for the types of metav1.
	Replaces string
	// Helpers selects defaults and conversions of these packages, and nothing else.
	Helpers *Helpers
}

// Ours runs our program. It writes to the directory out.
func (s *Set) Ours(ctx context.Context, t Task, out string) (measure.Sample, error) {
	return measure.Run(s.command(ctx, t.Module, ourProgram, t.ours(out)))
}

// Go returns a go command in the module of a task.
func (s *Set) Go(ctx context.Context, t Task, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = t.Module, s.env
	return cmd
}

// Upstream runs upstream's programs sequentially, as a script would. They write to the directory out.
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

// layout are the directories of the generators below the output directory.
type layout struct{ applyConfigurations, clientset, listers, informers string }

func (t Task) layout() layout {
	if t.ClientGo {
		return layout{"applyconfigurations", "kubernetes", "listers", "informers"}
	}
	return layout{"applyconfiguration", "clientset/versioned", "listers", "informers/externalversions"}
}

const pluralExceptions = "Endpoints:Endpoints"

func (t Task) ours(out string) []string {
	if t.Helpers != nil {
		return t.Helpers.ours(t.Pattern, out)
	}
	l := t.layout()
	args := []string{
		"generate", t.Pattern, "--output-dir", out, "--output-pkg", cmp.Or(t.Replaces, outputPackage),
		"--applyconfiguration-dir", l.applyConfigurations,
		"--clientset-dir", l.clientset, "--listers-dir", l.listers, "--informers-dir", l.informers,
	}
	if t.Clients {
		args = append(args, "--only", "clientset,listers,informers")
	}
	if t.ClientGo {
		args = append(args, "--prefers-protobuf", "--plural-exceptions", pluralExceptions)
	}
	if t.Replaces != "" {
		args = append(args, "--adopt", "--accept-loss", out, "k8s.io/apimachinery/pkg/apis/meta/v1")
	}
	return args
}

// upstream returns the command lines of upstream's programs.
func (t Task) upstream(out string) [][]string {
	if t.Helpers != nil {
		return t.Helpers.upstream()
	}
	l := t.layout()
	target := func(program, folder string) []string {
		return []string{
			program, "--output-dir", filepath.Join(out, filepath.FromSlash(folder)), "--output-pkg", path.Join(outputPackage, folder),
		}
	}
	common := func(program, folder string) []string {
		args := target(program, folder)
		if t.ClientGo {
			args = append(args, "--plural-exceptions", pluralExceptions)
		}
		return args
	}
	clientGen := append(common("client-gen", path.Dir(l.clientset)), "--clientset-name", path.Base(l.clientset),
		"--input-base", "", "--input", strings.Join(t.Packages, ","))
	// informer-gen itself adds the directory externalversions.
	informerGen := append(common("informer-gen", strings.TrimSuffix(l.informers, "/externalversions")),
		"--versioned-clientset-package", path.Join(outputPackage, l.clientset),
		"--listers-package", path.Join(outputPackage, l.listers))
	var helpers [][]string
	if !t.Clients {
		clientGen = append(clientGen, "--apply-configuration-package", path.Join(outputPackage, l.applyConfigurations))
		helpers = append(helpers, []string{"deepcopy-gen", "--output-file", "zz_generated.deepcopy.go", t.Pattern})
		if !t.ClientGo {
			helpers = append(helpers, append([]string{"register-gen", "--output-file", "zz_generated.register.go"}, t.Packages...))
		}
		helpers = append(helpers, append(target("applyconfiguration-gen", l.applyConfigurations), t.Packages...))
	}
	if t.ClientGo {
		clientGen = append(clientGen, "--prefers-protobuf")
		informerGen = append(informerGen, "--single-directory")
	}
	return append(helpers,
		clientGen,
		append(common("lister-gen", l.listers), t.Packages...),
		append(informerGen, t.Packages...))
}
