package generate

import (
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/scratch"
)

// version matches the folders of versions.
var version = regexp.MustCompile(`^v[0-9]+((alpha|beta)[0-9]+)?$`)

// Upstream is a directory with applyconfiguration-gen, client-gen, lister-gen and informer-gen.
type Upstream string

// BuildUpstream compiles upstream's generators in the version that the module of dir requires, into a named directory.
func BuildUpstream(dir, name string) (Upstream, error) {
	bin, err := scratch.Build(dir, name,
		"k8s.io/code-generator/cmd/applyconfiguration-gen",
		"k8s.io/code-generator/cmd/client-gen",
		"k8s.io/code-generator/cmd/lister-gen",
		"k8s.io/code-generator/cmd/informer-gen")
	return Upstream(bin), err
}

// Generate writes the clients and returns the number of packages.
func (u Upstream) Generate(in Input, out Output) (int, error) {
	packages, err := in.packages(out.Dir)
	if err != nil {
		return 0, err
	}
	clientset, paths := in.ClientsetOrder, []string{}
	for _, p := range packages {
		if !version.MatchString(path.Base(p.ImportPath)) {
			continue // internal types, which kube_codegen.sh does not pass either
		}
		paths = append(paths, p.ImportPath)
		// The other programs skip packages that opt out, but client-gen writes a clientset that does not compile, so it does not
		// get such packages.
		if optsOut, err := p.contains(noClientset); err != nil {
			return 0, err
		} else if in.ClientsetOrder == nil && !optsOut {
			clientset = append(clientset, p.ImportPath)
		}
	}
	type step struct {
		program string
		args    []string
	}
	// The programs do not depend on each other's output; the order is that of a typical script.
	steps := []step{
		{"client-gen", clientGen(in, out, clientset)},
		{"lister-gen", append(common(in, out, out.Listers), paths...)},
		{"informer-gen", append(informerGen(in, out), paths...)},
	}
	if out.ApplyConfigurations != "" {
		steps = append([]step{{"applyconfiguration-gen", slices.Concat(applyConfigurationGen(in, out), paths, in.SharedTypes)}}, steps...)
	}
	for _, step := range steps {
		if _, err := scratch.Run(out.Dir, filepath.Join(string(u), step.program), step.args...); err != nil {
			return 0, err
		}
	}
	return len(paths), nil
}

// target returns the flags of all programs.
func target(out Output, folder string) []string {
	args := []string{
		"--output-dir", filepath.Join(out.Dir, filepath.FromSlash(path.Join(out.Folder, folder))),
		"--output-pkg", path.Join(out.Package, folder),
	}
	if out.Header != "" {
		args = append(args, "--go-header-file", out.Header)
	}
	return args
}

// applyConfigurationGen returns the flags without a schema: creating one requires a program that upstream leaves to its users.
func applyConfigurationGen(in Input, out Output) []string {
	args := target(out, out.ApplyConfigurations)
	if len(in.ExternalApplyConfigurations) > 0 {
		args = append(args, "--external-applyconfigurations", strings.Join(in.ExternalApplyConfigurations, ","))
	}
	return args
}

// common returns the flags of the programs that need plurals.
func common(in Input, out Output, folder string) []string {
	args := target(out, folder)
	if len(in.PluralExceptions) > 0 {
		args = append(args, "--plural-exceptions", strings.Join(in.PluralExceptions, ","))
	}
	return args
}

func clientGen(in Input, out Output, paths []string) []string {
	args := append(common(in, out, path.Dir(out.Clientset)),
		"--clientset-name", path.Base(out.Clientset), "--input-base", "", "--input", strings.Join(paths, ","))
	if out.ApplyConfigurations != "" {
		args = append(args, "--apply-configuration-package", path.Join(out.Package, out.ApplyConfigurations))
	} else if in.ApplyConfigurations != "" {
		args = append(args, "--apply-configuration-package", in.ApplyConfigurations)
	}
	if in.PrefersProtobuf {
		args = append(args, "--prefers-protobuf")
	}
	return args
}

func informerGen(in Input, out Output) []string {
	folder, nested := strings.CutSuffix(out.Informers, "/externalversions")
	args := append(common(in, out, folder),
		"--versioned-clientset-package", path.Join(out.Package, out.Clientset),
		"--listers-package", path.Join(out.Package, out.Listers))
	if !nested {
		args = append(args, "--single-directory")
	}
	return args
}
