package generate

import (
	"path/filepath"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/scratch"
)

// Ours is the path of the program informer-gen-lite.
type Ours string

// BuildOurs compiles informer-gen-lite in its own module, with the dependencies that its users get.
func BuildOurs(module string) (Ours, error) {
	bin, err := scratch.Build(module, "ours", "./cmd/informer-gen-lite")
	return Ours(filepath.Join(bin, "informer-gen-lite")), err
}

// Generate writes the clients and returns the summary that the program prints. The import path of the output is not
// told: to find it is the program's business, and a wrong one does not compile.
func (o Ours) Generate(in Input, out Output) (string, error) {
	args := []string{
		"generate", "--skip", "controller", // which upstream knows nothing of
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
	args = append(args, in.Patterns...)
	for _, shared := range in.SharedTypes {
		args = append(args, shared+"/...") // an API package that is named on its own gets a client, kinds or none
	}
	return scratch.Run(out.Dir, string(o), args...)
}
