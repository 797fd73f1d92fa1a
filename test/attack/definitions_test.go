package attack

import (
	"flag"
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/modfile"

	informergen "github.com/informer-gen-lite/informer-gen-lite"
)

var (
	definitions = flag.Int("definitions", 6, "mutants of APIs whose definitions controller-gen writes, too")
	apis        = flag.String("apis", "", "directory of a module, of which -definitions mutates the packages in place of our cases")
)

// definitionSubjects returns the APIs to mutate, and the directory of the module for them.
func definitionSubjects(t *testing.T) (all []subject, dir string) {
	t.Helper()
	dir = newMutantModule(t)
	if *apis == "" {
		for _, name := range []string{"crd_forms", "crd_forms", "crd_alone", "crd_kubebuilder"} {
			all = append(all, caseSubject(t, "../../testdata/cases/"+name+".txtar"))
		}
		return all, dir
	}
	text, err := os.ReadFile(filepath.Join(*apis, "go.mod"))
	require.NoError(t, err)
	sums, err := os.ReadFile(filepath.Join(*apis, "go.sum"))
	require.NoError(t, err)
	module := modfile.ModulePath(text)
	write(t, filepath.Join(dir, "go.mod"), strings.Replace(string(text), "module "+module, "module "+mutantModule, 1))
	write(t, filepath.Join(dir, "go.sum"), string(sums))
	names, err := filepath.Glob(filepath.Join(*apis, "*", "*.go"))
	require.NoError(t, err)
	for i, name := range names {
		if i > 0 && filepath.Dir(names[i-1]) == filepath.Dir(name) {
			continue
		}
		s := subject{filepath.Base(filepath.Dir(name)), map[string]string{}}
		s.add(t, filepath.Dir(name), s.name)
		for name, text := range s.files {
			s.files[name] = strings.ReplaceAll(text, `"`+module+"/", `"`+mutantModule+"/")
		}
		all = append(all, s)
	}
	return all, dir
}

// controllerGen builds controller-gen in the version that the tool links.
func controllerGen(t *testing.T) string {
	t.Helper()
	const module = "sigs.k8s.io/controller-tools"
	dir := t.TempDir()
	version := strings.TrimSpace(inConformance(t, "list", "-m", "-f={{.Version}}", module))
	inConformance(t, "build", "-o", dir, "-ldflags=-X="+module+"/pkg/version.version="+version, module+"/cmd/controller-gen")
	return filepath.Join(dir, "controller-gen")
}

// inConformance runs the go command in the module that requires upstream's programs.
func inConformance(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir, cmd.Env = "../conformance", append(os.Environ(), "GOWORK=off")
	out, err := cmd.Output()
	require.NoError(t, err)
	return string(out)
}

// TestDefinitionMutants generates definitions of mutants with controller-gen and with ours. Where controller-gen accepts a mutant, so do
// we, with the same files; where it refuses one, so do we, at one of its positions. Mutants that do not compile are another matter.
func TestDefinitionMutants(t *testing.T) {
	all, dir := definitionSubjects(t)
	program := controllerGen(t)
	var count struct{ same, refused, rules, invalid int }
	for i := *first; i < *first+*definitions; i++ {
		random := rand.New(rand.NewPCG(*seed, uint64(i)))
		s := all[i%len(all)]
		files, names := maps.Clone(s.files), slices.Sorted(maps.Keys(s.files))
		chosen := names[random.IntN(len(names))]
		for files[chosen] = "("; parse(files[chosen]) != nil; { // parsers refuse what is no Go
			files[chosen] = mutate(random, s.files[chosen])
		}
		for name, text := range files {
			write(t, filepath.Join(dir, filepath.FromSlash(name)), text)
		}
		name := fmt.Sprintf("mutant %d of %s, %s", i, s.name, chosen)
		theirs, refusal := defineTheirs(t, program, dir)
		ours, err := defineOurs(t, dir)
		switch {
		case refusal == "" && err == nil && maps.Equal(theirs, ours):
			count.same++
		case refusal != "" && err != nil && samePosition(refusal, err, dir):
			count.refused++
		case err != nil && ourRules.MatchString(err.Error()):
			count.rules++
		case !compiles(t, dir):
			count.invalid++
		default:
			keep(t, name, files)
			assert.Fail(t, "a difference", "%s: controller-gen says %q, ours %v, of %d and %d files", name, refusal, err, len(theirs), len(ours))
		}
		if err != nil {
			checkRefusal(t, name, err)
		}
		for name := range files {
			require.NoError(t, os.RemoveAll(filepath.Join(dir, strings.Split(name, "/")[0])))
		}
	}
	t.Logf("%d mutants from number %d: %d with the same definitions, %d refused by both, %d for markers of other programs, %d do not compile",
		*definitions, *first, count.same, count.refused, count.rules, count.invalid)
}

// ourRules matches the refusals of mutants that concern clients: markers of other programs, and groups, which controller-gen can do without.
var ourRules = regexp.MustCompile(`^nothing to generate: |: cannot determine the API group |: (unknown )?marker \+`)

func parse(text string) error {
	_, err := parser.ParseFile(token.NewFileSet(), "", text, parser.ParseComments)
	return err
}

// defineTheirs returns the definitions that controller-gen writes, by file, or what it says.
func defineTheirs(t *testing.T, program, dir string) (files map[string]string, refusal string) {
	t.Helper()
	out := t.TempDir()
	cmd := exec.CommandContext(t.Context(), program, "crd:allowDangerousTypes=true", "paths=./...", "output:crd:dir="+out)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off")
	if said, err := cmd.CombinedOutput(); err != nil {
		return nil, string(said)
	}
	return tree(t, out), ""
}

// defineOurs returns our definitions, by file.
func defineOurs(t *testing.T, dir string) (map[string]string, error) {
	t.Helper()
	result, err := informergen.Generate(t.Context(), informergen.Config{
		Dir: dir, CRDOutputDir: filepath.Join(dir, "crds"), Only: []string{"crd"}, CRDOptions: []string{"allowDangerousTypes=true"},
	})
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for _, file := range result.Files {
		if filepath.Ext(file.Path) == ".yaml" {
			files[filepath.Base(file.Path)] = string(file.Content)
		}
	}
	return files, nil
}

var position = regexp.MustCompile(`(?m)^(\S+:\d+:\d+): `)

// samePosition reports whether one of our diagnostics is at a position where controller-gen has an error, if it says where.
func samePosition(refusal string, err error, dir string) bool {
	ours, theirs := err.Error(), position.FindAllStringSubmatch(refusal, -1)
	if len(theirs) == 0 {
		return true
	}
	for _, at := range theirs {
		if strings.Contains(ours, strings.TrimPrefix(at[1], dir+string(filepath.Separator))) {
			return true
		}
	}
	return false
}

// compiles reports whether the packages of a module compile.
func compiles(t *testing.T, dir string) bool {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "build", "./...")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off")
	return cmd.Run() == nil
}
