package generate

import (
	"path/filepath"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/scratch"
)

// Ours is the path of the program informer-gen-lite.
type Ours string

// BuildOurs compiles informer-gen-lite in its own module, with the dependencies that users get.
func BuildOurs(module string) (Ours, error) {
	bin, err := scratch.Build(module, "ours", "./cmd/informer-gen-lite")
	return Ours(filepath.Join(bin, "informer-gen-lite")), err
}

// Generate writes the clients and returns the program's summary. It does not pass the import path of the output: the program must
// find it, and a wrong one does not compile.
func (o Ours) Generate(in Input, out Output) (string, error) {
	args := []string{
		"generate", "--skip", "controller", // which upstream does not have
		"--output-dir", filepath.Join(out.Dir, filepath.FromSlash(out.Folder)),
		"--clientset-dir", out.Clientset,
	}
	for _, g := range []struct{ name, folder string }{{"listers", out.Listers}, {"informers", out.Informers}} {
		if g.folder == "" {
			args = append(args, "--skip", g.name)
		} else {
			args = append(args, "--"+g.name+"-dir", g.folder)
		}
	}
	if out.Header != "" {
		args = append(args, "--go-header-file", out.Header)
	}
	if len(in.PluralExceptions) > 0 {
		args = append(args, "--plural-exceptions", strings.Join(in.PluralExceptions, ","))
	}
	if len(in.GroupGoNames) > 0 {
		args = append(args, "--group-go-names", strings.Join(in.GroupGoNames, ","))
	}
	switch {
	case out.ApplyConfigurations != "":
		args = append(args, "--applyconfiguration-dir", out.ApplyConfigurations)
	case in.ApplyConfigurations != "":
		args = append(args, "--applyconfiguration-package", in.ApplyConfigurations)
	default:
		args = append(args, "--skip", "applyconfiguration")
	}
	if len(in.ExternalApplyConfigurations) > 0 {
		args = append(args, "--external-applyconfigurations", strings.Join(in.ExternalApplyConfigurations, ","))
	}
	if in.ClientGo != "" {
		args = append(args, "--client-go", in.ClientGo)
	}
	if in.PrefersProtobuf {
		args = append(args, "--prefers-protobuf")
	}
	if in.NoSchema {
		args = append(args, "--schema=false")
	}
	args = append(args, in.Patterns...)
	for _, shared := range in.SharedTypes {
		args = append(args, shared+"/...") // an explicitly named API package gets a client even without kinds
	}
	return scratch.Run(out.Dir, string(o), args...)
}
