package scaffold

import (
	"path"
	"strconv"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

// Destination describes the directory that scaffolded files go to.
type Destination struct {
	// ImportPath is the import path of the directory.
	ImportPath string
	// Module is the path of the module that owns the directory, Go the version in its go.mod.
	Module, Go string
	// CRDs is the directory of the CustomResourceDefinitions, relative to the directory to scaffold in.
	CRDs string
	// Operator is the name of the command that runs the controllers, see [OperatorName].
	Operator string
	// Replace are the replace directives of the module. They are repeated in the module of the server test.
	Replace []Replacement
	// ToolVersion is the release of this program; "" for a development build.
	ToolVersion string
}

// Replacement is a replace directive, with both sides as go.mod spells them.
type Replacement struct {
	Old, New string
	// Relative reports whether New is a directory relative to the root of the module, without quotes.
	Relative bool
}

// serverTest is the folder of the test against an API server, below the reconciler.
const serverTest = "servertest"

// ServerTestIn returns the directory of the test against an API server, below that of a reconciler.
func ServerTestIn(reconcilerDir string) string { return path.Join(reconcilerDir, serverTest) }

// InServerTest reports whether a scaffolded file is part of a test against an API server.
func InServerTest(name string) bool {
	matches, _ := path.Match(ServerTestIn("internal/controller/*")+"/*", name) // the pattern is valid
	return matches
}

// HasServerTest reports whether there is a test against an API server, which creates objects.
func (v view) HasServerTest() bool { return v.verbs().Has(model.Create) }

// HasDelete reports whether the client can delete objects.
func (v view) HasDelete() bool { return v.verbs().Has(model.Delete) }

func (v view) verbs() model.Verbs { return v.ClientVerbs(v.Layout.WithApply()) }

// ServerTestDir returns the directory of the test against an API server.
func (v view) ServerTestDir() string { return ServerTestIn(v.reconcilerDir()) }

// ServerTestPackage returns the import path of the test against an API server, which is also its module path. It lies within
// the user's module, so that the test may import internal packages.
func (v view) ServerTestPackage() string {
	return path.Join(v.Destination.ImportPath, v.ServerTestDir())
}

func (v view) serverTestFile() string {
	return strings.TrimSuffix(model.FileName(v.Package()), ".go") + "_test.go"
}

// CRDDir returns the directory of the CustomResourceDefinitions, relative to that of the test.
func (v view) CRDDir() string { return path.Join(up(v.ServerTestDir()), v.Destination.CRDs) }

// ModuleRoot returns the root of the user's module, relative to the directory of the test.
func (v view) ModuleRoot() string {
	return up(strings.TrimPrefix(v.ServerTestPackage(), v.Destination.Module+"/"))
}

// ModuleVersion returns a version that the user's module can be required at. A replace directive supplies its source.
func (v view) ModuleVersion() string {
	if major := path.Base(v.Destination.Module); strings.Contains(v.Destination.Module, "/") && isMajor(major) {
		return major + ".0.0"
	}
	return "v0.0.0"
}

// isMajor reports whether the last part of a module path is a major version, such as v2.
func isMajor(part string) bool {
	n, err := strconv.Atoi(strings.TrimPrefix(part, "v"))
	return err == nil && n > 1 && part == "v"+strconv.Itoa(n)
}

// up returns the relative path that leads out of a directory.
func up(dir string) string {
	return strings.TrimSuffix(strings.Repeat("../", strings.Count(dir, "/")+1), "/")
}

// Replacements returns the replace directives of the user's module as they read in that of the test.
func (v view) Replacements() []string {
	var all []string
	for _, r := range v.Destination.Replace {
		to := r.New
		if r.Relative {
			if to = path.Join(v.ModuleRoot(), to); strings.Contains(to, " ") {
				to = strconv.Quote(to)
			}
		}
		all = append(all, r.Old+" => "+to)
	}
	return all
}
