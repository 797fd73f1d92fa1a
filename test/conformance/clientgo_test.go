package conformance

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/apicompare"
	"github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/allowed"
	"github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/generate"
	"github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/scratch"
)

const clientGo = "k8s.io/client-go"

// clientGoTrees are the folders of client-go that client-gen, lister-gen and informer-gen write to; applyTree is the folder of
// applyconfiguration-gen.
var clientGoTrees = []string{"kubernetes", "listers", "informers"}

const applyTree = "applyconfigurations"

// clientGoInput has the settings with which Kubernetes generates client-go's clients.
var clientGoInput = generate.Input{
	Patterns:            []string{"k8s.io/api/..."},
	ApplyConfigurations: "k8s.io/client-go/applyconfigurations",
	SharedTypes:         []string{"k8s.io/apimachinery/pkg/apis/meta/v1"},
	PluralExceptions:    []string{"Endpoints:Endpoints"},
	PrefersProtobuf:     true,
}

// TestUpstreamWritesClientGo checks that we run upstream as Kubernetes does, which all other tests rely on: from the packages
// with clients in client-go, it writes exactly client-go's files. Older releases do not change and take long, so they are only
// checked when all releases are compared.
func TestUpstreamWritesClientGo(t *testing.T) {
	forReleases(t, func(t *testing.T, r release) {
		if r == newest || allReleases() {
			testUpstreamWritesClientGo(t, r)
		}
	})
}

func testUpstreamWritesClientGo(t *testing.T, r release) {
	upstream := r.buildUpstream(t)
	shipped := r.shippedFiles(t, clientGoTrees...)
	input := clientGoInput
	input.ClientsetOrder = clientsetOrder(t, shipped)
	t.Logf("%d packages are in client-go's clientset", len(input.ClientsetOrder))
	clone := r.strippedClientGo(t, "shipped", shipped)

	start := time.Now()
	_, err := upstream.Generate(input, clientGoOutput(clone.dir, r.clientGoHeader(t, shipped)))
	require.NoError(t, err)
	logTime(t, "upstream generating", start)

	written, err := scratch.GoFiles(clone.dir, clientGoTrees...)
	require.NoError(t, err)
	failWith(t, "files are not as shipped", scratch.DiffFiles(shipped, written))
}

// TestClientGo replaces the clients in two copies of client-go: in one by upstream's and in the other by ours. The latter also
// gets our apply configurations. The former keeps those shipped, because Kubernetes generates them with a schema for which it has
// to compile its whole API server.
func TestClientGo(t *testing.T) { forReleases(t, testClientGo) }

func testClientGo(t *testing.T, r release) {
	shipped := r.shippedFiles(t, clientGoTrees...)
	header := r.clientGoHeader(t, shipped)
	theirs := r.strippedClientGo(t, "upstream", shipped)
	ours := r.strippedClientGo(t, "ours", r.shippedFiles(t, append(slices.Clone(clientGoTrees), applyTree)...))
	output := clientGoOutput(ours.dir, header)
	output.ApplyConfigurations = applyTree
	r.generateBoth(t, clientGoInput, clientGoOutput(theirs.dir, header), output)

	t.Run("build", func(t *testing.T) {
		run(t, ours.dir, "go", "build", "-trimpath", "./...")
	})
	t.Run("same exported API", func(t *testing.T) {
		assertSameAPI(t, comparison{"k8s.io/api", theirs.dir, ours.dir, clientGo}, append(clientGoPatterns(), "./"+applyTree+"/...")...)
	})
	t.Run("code", func(t *testing.T) {
		found, different := r.compareCode(t, generatedIn(t, theirs.dir, clientGoTrees...), generatedIn(t, ours.dir, clientGoTrees...))
		t.Log(&found)
		for file, lines := range different {
			r.intends(t)(file, lines)
		}
	})
	t.Run("size", func(t *testing.T) {
		compareSizes(t, theirs.dir, ours.dir, clientGoTrees...)
		compareSizes(t, theirs.dir, ours.dir, applyTree)
		compareImports(t, theirs.dir, ours.dir, clientGoPatterns()...)
	})
	t.Run("same schema", func(t *testing.T) {
		assertSameSchema(t, "k8s.io/api", filepath.Join(theirs.dir, applyTree), filepath.Join(ours.dir, applyTree))
	})
	t.Run("vet", func(t *testing.T) {
		run(t, ours.dir, "go", append([]string{"vet", "-trimpath", "./" + applyTree + "/..."}, clientGoPatterns()...)...)
	})
	t.Run("tests of client-go", func(t *testing.T) {
		if r != newest && !allReleases() {
			t.Skip("set " + allVariable + " to run the tests of older releases, for which all of client-go is compiled again")
		}
		packages := testsThatDependOn(t, ours.dir, ours.regenerated)
		t.Logf("%d packages with tests depend on the clients", len(packages))
		out := run(t, ours.dir, "go", append([]string{"test", "-trimpath", "-vet=off"}, packages...)...)
		assert.Equal(t, len(packages), strings.Count(out, "ok  \t"), "each package reports a success:\n%s", out)
	})
}

// shippedFiles returns client-go's files in the given folders.
func (r release) shippedFiles(t *testing.T, trees ...string) map[string]string {
	t.Helper()
	shipped, err := scratch.GoFiles(r.moduleDir(t, clientGo), trees...)
	require.NoError(t, err)
	return shipped
}

var (
	apiImport    = regexp.MustCompile(`(?m)^\t(\w+) "(k8s\.io/api/.*)"$`)
	addsToScheme = regexp.MustCompile(`(?m)^\t(\w+)\.AddToScheme,$`)
)

// clientsetOrder determines the API packages of the shipped clientset from its scheme. Kubernetes omits one that has a lister,
// and the versions of some groups have a special order.
func clientsetOrder(t *testing.T, shipped map[string]string) []string {
	t.Helper()
	scheme := shipped["kubernetes/scheme/register.go"]
	imported := map[string]string{}
	for _, match := range apiImport.FindAllStringSubmatch(scheme, -1) {
		imported[match[1]] = match[2]
	}
	var order []string
	for _, match := range addsToScheme.FindAllStringSubmatch(scheme, -1) {
		require.Contains(t, imported, match[1])
		order = append(order, imported[match[1]])
	}
	require.NotEmpty(t, order)
	return order
}

// TestRemovedMethodIsReported checks, on client-go itself, that a missing method is detected.
func TestRemovedMethodIsReported(t *testing.T) {
	const listers = "./listers/apps/v1"
	whole, cut := t.TempDir(), t.TempDir()
	newest.copyModule(t, clientGo, whole)
	newest.copyModule(t, clientGo, cut)
	replaceInFile(t, filepath.Join(cut, listers, "deployment.go"),
		"\tDeployments(namespace string) DeploymentNamespaceLister\n", "")

	original, changed := loadAPI(t, whole, clientGo, listers), loadAPI(t, cut, clientGo, listers)
	const method = "listers/apps/v1: DeploymentLister.Deployments: "
	assert.Empty(t, differences(original, original))
	assert.Contains(t, differences(original, changed), method+apicompare.Removed)
	assert.Contains(t, differences(changed, original), method+apicompare.Added)
}

// differences returns all differences between two trees.
func differences(want, got apicompare.API) []string {
	return allowed.Differences(apicompare.Compare(want, got), nil)
}

func clientGoOutput(dir, header string) generate.Output {
	return generate.Output{
		Dir: dir, Folder: ".", Package: clientGo, Header: header,
		Clientset: "kubernetes", Listers: "listers", Informers: "informers",
	}
}

func clientGoPatterns() []string {
	patterns := make([]string, len(clientGoTrees))
	for i, tree := range clientGoTrees {
		patterns[i] = "./" + tree + "/..."
	}
	return patterns
}

var writtenByUpstream = regexp.MustCompile(`(?m)^// Code generated by (client|lister|informer|applyconfiguration)-gen\. DO NOT EDIT\.$`)

// clientGoHeader creates a file with the license comment of all shipped clients.
func (r release) clientGoHeader(t *testing.T, shipped map[string]string) string {
	t.Helper()
	content := shipped["kubernetes/clientset.go"]
	at := writtenByUpstream.FindStringIndex(content)
	require.NotNil(t, at, "kubernetes/clientset.go is not a generated file")
	name := r.scratchDir(t, "client-go", "header.txt")
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	require.NoError(t, os.WriteFile(name, []byte(content[:at[0]]), 0o644))
	return name
}

// clientGoCopy is a copy of client-go without the generated clients.
type clientGoCopy struct {
	dir string
	// regenerated are the import paths of the packages whose files were removed.
	regenerated map[string]bool
}

func (r release) strippedClientGo(t *testing.T, name string, shipped map[string]string) clientGoCopy {
	t.Helper()
	clone := clientGoCopy{dir: r.scratchDir(t, "client-go", name), regenerated: map[string]bool{}}
	r.copyModule(t, clientGo, clone.dir)
	var generated []string
	for file, content := range shipped {
		if writtenByUpstream.MatchString(content) {
			generated = append(generated, file)
			clone.regenerated[path.Join(clientGo, path.Dir(file))] = true
		}
	}
	require.NotEmpty(t, generated)
	for _, file := range generated {
		require.NoError(t, os.Remove(filepath.Join(clone.dir, filepath.FromSlash(file))))
	}
	t.Logf("%s: %d generated files deleted, %d Go files left in %s",
		name, len(generated), len(shipped)-len(generated), "the folders of generated code")
	restoreRunBits(t, clone.dir)
	return clone
}

// restoreRunBits makes scripts executable that client-go's tests run: a module zip does not keep file modes.
func restoreRunBits(t *testing.T, dir string) {
	t.Helper()
	scripts, err := filepath.Glob(filepath.Join(dir, "plugin/pkg/client/auth/exec/testdata/*.sh"))
	require.NoError(t, err)
	require.NotEmpty(t, scripts)
	for _, script := range scripts {
		require.NoError(t, os.Chmod(script, 0o755))
	}
}

// unpublished is a module that tests of client-go import, and that is not published for the release of aheadFile.
const unpublished = "k8s.io/ktesting"

// testsThatWait returns the packages whose test binaries need the unpublished module, or client-go's package that wraps it.
func testsThatWait(t *testing.T, dir string, packages ...string) (waiting []string) {
	t.Helper()
	if !ahead() {
		return nil
	}
	const format = `{{range .Deps}}{{if eq . "` + unpublished + `" "` + clientGo + `/ktesting"}}{{$.ImportPath}}{{"\n"}}{{end}}{{end}}`
	for line := range strings.Lines(run(t, dir, "go", append([]string{"list", "-e", "-test", "-f", format}, packages...)...)) {
		if tested, isTest := strings.CutSuffix(strings.TrimSpace(line), ".test"); isTest && !slices.Contains(waiting, tested) {
			waiting = append(waiting, tested)
		}
	}
	t.Logf("%d packages wait for %s", len(waiting), unpublished)
	return waiting
}

// testsThatDependOn returns the packages of a module whose test binaries contain one of the given packages. It omits those that cannot
// be compiled before a module is published.
func testsThatDependOn(t *testing.T, dir string, wanted map[string]bool) []string {
	t.Helper()
	waiting := testsThatWait(t, dir, "./...")
	assert.Equal(t, ahead(), len(waiting) > 0, "packages that wait for %s", unpublished)
	out := run(t, dir, "go", "list", "-e", "-test", "-json=ImportPath,Deps", "./...")
	found := map[string]bool{}
	for decoder := json.NewDecoder(strings.NewReader(out)); ; {
		var p struct {
			ImportPath string
			Deps       []string
		}
		err := decoder.Decode(&p)
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		tested, isTest := strings.CutSuffix(p.ImportPath, ".test")
		if isTest && !slices.Contains(waiting, tested) && slices.ContainsFunc(p.Deps, func(dep string) bool {
			// A package recompiled for a test is listed as "path [path.test]".
			plain, _, _ := strings.Cut(dep, " ")
			return wanted[plain]
		}) {
			found[tested] = true
		}
	}
	require.NotEmpty(t, found)
	return slices.Sorted(maps.Keys(found))
}
