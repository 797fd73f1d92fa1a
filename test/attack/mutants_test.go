package attack

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/modfile"
	"golang.org/x/tools/txtar"

	informergen "github.com/informer-gen-lite/informer-gen-lite"
)

const mutantModule = "example.com/mutants"

// A subject is an API to mutate: files by their paths in the module.
type subject struct {
	name  string
	files map[string]string
}

// subjects returns the packages of k8s.io/api, one subject each, and the APIs of the examples. Generated files are omitted,
// because they are regenerated.
func subjects(t *testing.T) []subject {
	t.Helper()
	cmd := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "k8s.io/api")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	require.NoError(t, err)
	root := strings.TrimSpace(string(out))
	var all []subject
	doc, err := filepath.Glob(filepath.Join(root, "*", "v*", "register.go"))
	require.NoError(t, err)
	for _, name := range doc {
		rel, err := filepath.Rel(root, filepath.Dir(name))
		require.NoError(t, err)
		rel = filepath.ToSlash(rel)
		s := subject{rel, map[string]string{}}
		s.add(t, filepath.Dir(name), rel)
		all = append(all, s)
	}
	require.Greater(t, len(all), 30)
	s := subject{"examples", map[string]string{}}
	require.NoError(t, filepath.WalkDir("../../examples/apis", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		rel, err := filepath.Rel("../../examples", name)
		s.add(t, name, filepath.ToSlash(rel))
		return err
	}))
	all = append(all, s, s, s, s) // weighted like four packages
	return slices.DeleteFunc(append(all, cases(t)...), func(s subject) bool { return !strings.HasPrefix(s.name, *of) })
}

// cases returns the cases with defaults and conversions, which few packages of k8s.io/api have.
func cases(t *testing.T) (all []subject) {
	t.Helper()
	for _, pattern := range []string{"conversion", "defaults"} {
		names, err := filepath.Glob("../../testdata/cases/" + pattern + "*.txtar")
		require.NoError(t, err)
		for _, name := range names {
			if s := caseSubject(t, name); len(s.files) > 0 {
				all = append(all, s)
			}
		}
	}
	return all
}

// caseSubject returns the input of a case, whose module becomes the module of mutants. Of a case with an error, it has no files.
func caseSubject(t *testing.T, file string) subject {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	require.NoError(t, err)
	title := strings.TrimSuffix(filepath.Base(file), ".txtar")
	s := subject{"cases/" + title, map[string]string{}}
	for _, file := range archive.Files {
		if strings.HasSuffix(file.Name, ".go") && !strings.HasPrefix(file.Name, "want/") && !strings.HasSuffix(title, "_error") {
			s.files[file.Name] = strings.ReplaceAll(string(file.Data), "example.com/"+title+"/", mutantModule+"/")
		}
	}
	return s
}

// add adds the handwritten Go files of a directory.
func (s subject) add(t *testing.T, dir, to string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	for _, name := range names {
		content, err := os.ReadFile(name)
		require.NoError(t, err)
		if strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, "_generated.go") || ast.IsGenerated(parsed(t, name, content)) {
			continue
		}
		text := strings.ReplaceAll(string(content), "github.com/informer-gen-lite/informer-gen-lite/examples/", mutantModule+"/")
		s.files[path.Join(to, filepath.Base(name))] = text
	}
}

func parsed(t *testing.T, name string, content []byte) *ast.File {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, content, parser.ParseComments)
	require.NoError(t, err)
	return file
}

// examples is the module with the dependencies of generated code.
const examples = "../../examples"

// newMutantModule creates a module with the dependencies of the examples.
func newMutantModule(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "m")
	text, err := os.ReadFile(examples + "/go.mod")
	require.NoError(t, err)
	file, err := modfile.Parse("go.mod", text, nil)
	require.NoError(t, err)
	require.NoError(t, file.AddModuleStmt(mutantModule))
	for _, r := range slices.Clone(file.Replace) {
		target, err := filepath.Abs(filepath.Join(examples, r.New.Path))
		require.NoError(t, err)
		require.NoError(t, file.AddReplace(r.Old.Path, r.Old.Version, target, ""))
	}
	text, err = file.Format()
	require.NoError(t, err)
	write(t, filepath.Join(dir, "go.mod"), string(text))
	sums, err := os.ReadFile(examples + "/go.sum")
	require.NoError(t, err)
	write(t, filepath.Join(dir, "go.sum"), string(sums))
	return dir
}

// dependencies imports packages from their export data.
type dependencies struct {
	types.Importer
	exports map[string]string
}

// newDependencies loads the imports of generated code and API packages, and compiles them if necessary.
func newDependencies(t *testing.T, fset *token.FileSet) *dependencies {
	t.Helper()
	d := &dependencies{exports: map[string]string{}}
	d.Importer = importer.ForCompiler(fset, "gc", func(importPath string) (io.ReadCloser, error) {
		if d.exports[importPath] == "" {
			if err := d.list(importPath); err != nil {
				return nil, err
			}
		}
		return os.Open(d.exports[importPath])
	})
	require.NoError(t, d.list("./...", "k8s.io/api/...", "k8s.io/client-go/applyconfigurations/..."))
	return d
}

func (d *dependencies) list(patterns ...string) error {
	cmd := exec.Command("go", append([]string{"list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}"}, patterns...)...)
	cmd.Dir = examples
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%w: %s", err, stderr.String())
	}
	for line := range strings.Lines(string(out)) {
		importPath, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		d.exports[importPath] = file
	}
	return nil
}

// checker type-checks the packages of a module.
type checker struct {
	fset     *token.FileSet
	external types.Importer
	packages map[string][]*ast.File
	done     map[string]*types.Package
	errors   []error
}

// check returns the errors in files, by their paths in the module.
func check(fset *token.FileSet, external types.Importer, files map[string]string) []error {
	c := &checker{fset: fset, external: external, packages: map[string][]*ast.File{}, done: map[string]*types.Package{}}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, name, files[name], parser.SkipObjectResolution)
		if err != nil {
			return []error{err}
		}
		importPath := path.Join(mutantModule, path.Dir(name))
		c.checkImports(importPath, file)
		c.packages[importPath] = append(c.packages[importPath], file)
	}
	for _, importPath := range slices.Sorted(maps.Keys(c.packages)) {
		if c.packages[importPath][0].Name.Name == "main" {
			continue
		}
		if _, err := c.Import(importPath); err != nil {
			c.errors = append(c.errors, err)
		}
	}
	return c.errors
}

// checkImports adds errors for imports that the go command refuses although they type-check.
func (c *checker) checkImports(importer string, file *ast.File) {
	for _, spec := range file.Imports {
		imported := strings.Trim(spec.Path.Value, `"`)
		i := strings.LastIndex("/"+imported+"/", "/internal/")
		if parent := imported[:max(0, i)]; i > 0 && !strings.HasPrefix(importer+"/", strings.TrimSuffix(parent, "/")+"/") {
			c.errors = append(c.errors, fmt.Errorf("%s: use of internal package %s not allowed", c.fset.Position(spec.Pos()), imported))
		}
	}
}

// Import implements types.Importer.
func (c *checker) Import(importPath string) (*types.Package, error) {
	files, own := c.packages[importPath]
	if !own {
		return c.external.Import(importPath)
	}
	if files[0].Name.Name == "main" {
		return nil, fmt.Errorf("import %q is a program", importPath)
	}
	if pkg, done := c.done[importPath]; done {
		if pkg == nil {
			return nil, fmt.Errorf("import cycle through %s", importPath)
		}
		return pkg, nil
	}
	c.done[importPath] = nil
	config := types.Config{Importer: c, Error: func(err error) { c.errors = append(c.errors, err) }}
	pkg, _ := config.Check(importPath, c.fset, files, nil)
	c.done[importPath] = pkg
	return pkg, nil
}

var missingCopy = regexp.MustCompile(`\*(\w+) does not implement .* \(missing method (DeepCopy\w*)\)`)

// ownErrors returns the errors in the input alone, except for those about names and deep copies that the output declares in the
// same package.
func ownErrors(errs []error, output map[string]string) []error {
	return slices.DeleteFunc(slices.Clone(errs), func(err error) bool {
		file, _, _ := strings.Cut(err.Error(), ":")
		if missing := missingCopy.FindStringSubmatch(err.Error()); missing != nil {
			return strings.Contains(output[path.Join(path.Dir(file), "zz_generated.deepcopy.go")], "*"+missing[1]+") "+missing[2]+"(")
		}
		_, name, undefined := strings.Cut(err.Error(), "undefined: ")
		return undefined && slices.ContainsFunc([]string{"register", "conversion", "defaults"}, func(word string) bool {
			return declares(output[path.Join(path.Dir(file), "zz_generated."+word+".go")], name)
		})
	})
}

// declares reports whether a file declares a package-level name, also in parentheses. Imports and uses do not count.
func declares(text, name string) bool {
	name = regexp.QuoteMeta(name)
	return regexp.MustCompile(`(?m)^(?:func ` + name + `\(|(?:var |const |type |\t)` + name + ` +[^" ])`).MatchString(text)
}

// TestMutants generates everything for mutants of API packages. Runs must not panic, and errors must have a position. If a run
// succeeds, the output compiles together with the mutant, unless the mutant itself does not compile.
func TestMutants(t *testing.T) {
	all := subjects(t)
	dir := newMutantModule(t)
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	require.NoError(t, err)
	goMod := string(text)
	var count struct{ refused, invalid, compiled int }
	var deps *dependencies
	var fset *token.FileSet
	t.Logf("%d subjects; seed %d", len(all), *seed)
	for i := *first; i < *first+*mutants; i++ {
		if deps == nil || i%200 == 0 { // positions accumulate in a file set
			fset = token.NewFileSet()
			deps = newDependencies(t, fset)
		}
		random := rand.New(rand.NewPCG(*seed, uint64(i)))
		s := all[i%len(all)]
		files := map[string]string{}
		names := slices.Sorted(maps.Keys(s.files))
		chosen := names[random.IntN(len(names))]
		for len(s.files[chosen]) < 2000 && random.IntN(4) > 0 { // larger files have most of the declarations
			chosen = names[random.IntN(len(names))]
		}
		for name, text := range s.files {
			if name == chosen {
				text = mutate(random, text)
			}
			files[name] = text
		}
		if files = move(random, files); random.IntN(10) == 0 {
			dropRequirement(t, random, dir, goMod)
		}
		for name, text := range files {
			write(t, filepath.Join(dir, filepath.FromSlash(name)), text)
		}
		name := fmt.Sprintf("mutant %d of %s, %s", i, s.name, chosen)
		output, err := generate(t, dir)
		switch {
		case err != nil:
			count.refused++
			checkRefusal(t, name, err)
		default:
			together := maps.Clone(files)
			maps.Copy(together, output)
			switch problems := check(fset, deps, together); {
			case len(problems) == 0:
				count.compiled++
			case len(ownErrors(check(fset, deps, files), output)) > 0, strings.Contains(problems[0].Error(), "has pointer receiver"),
				isOwnCall(problems[0]):

				count.invalid++
			default:
				keep(t, name, together)
				assert.Fail(t, "the output does not compile", "%s: %v", name, problems[:min(3, len(problems))])
			}
		}
		for name := range files {
			require.NoError(t, os.RemoveAll(filepath.Join(dir, strings.Split(name, "/")[0])))
		}
		write(t, filepath.Join(dir, "go.mod"), goMod)
	}
	t.Logf("%d mutants from number %d: %d refused with diagnostics; %d succeeded and compile; %d succeeded, but the mutant itself does not compile",
		*mutants, *first, count.refused, count.compiled, count.invalid)
	if *of == "" {
		assert.Greater(t, count.compiled, *mutants/8, "many mutants are to get past the first check")
	}
}

// isOwnCall reports whether an error is in a mutant that calls a generated function in a wrong way.
func isOwnCall(err error) bool {
	file, message, _ := strings.Cut(err.Error(), ":")
	return strings.Contains(message, "autoConvert_") && !strings.Contains(file, "zz_generated")
}

// dropRequirement removes a requirement from the go.mod of a module.
func dropRequirement(t *testing.T, random *rand.Rand, dir, goMod string) {
	t.Helper()
	file, err := modfile.Parse("go.mod", []byte(goMod), nil)
	require.NoError(t, err)
	require.NoError(t, file.DropRequire(file.Require[random.IntN(len(file.Require))].Mod.Path))
	text, err := file.Format()
	require.NoError(t, err)
	write(t, filepath.Join(dir, "go.mod"), string(text))
}

// generate returns the output for all packages of a module, by paths in the module.
func generate(t *testing.T, dir string) (files map[string]string, err error) {
	t.Helper()
	result, err := informergen.Generate(t.Context(), informergen.Config{Dir: dir})
	if err != nil {
		return nil, err
	}
	files = map[string]string{}
	for _, file := range result.Files {
		rel, err := filepath.Rel(dir, filepath.Join(result.Dir, filepath.FromSlash(file.Path)))
		require.NoError(t, err)
		files[filepath.ToSlash(rel)] = string(file.Content)
	}
	return files, nil
}

// checkRefusal checks that an error names the file that it concerns.
func checkRefusal(t *testing.T, name string, err error) {
	t.Helper()
	var problems informergen.Diagnostics
	if !assert.ErrorAs(t, err, &problems, name) {
		return
	}
	for _, p := range problems {
		assert.NotContains(t, p.Message, "internal error", name)
		assert.True(t, p.Pos.Filename != "" || strings.Contains(p.Message, ".go") || strings.HasPrefix(p.Message, "nothing to generate"),
			"%s: no file: %s", name, p.Message)
	}
}

// keep saves failing input to a permanent directory, if the environment names one.
func keep(t *testing.T, name string, files map[string]string) {
	t.Helper()
	root := os.Getenv("ATTACK_KEEP")
	if root == "" {
		return
	}
	words := strings.Fields(name)
	for file, text := range files {
		write(t, filepath.Join(root, words[0]+"-"+strings.Trim(words[1], ","), filepath.FromSlash(file)+".txt"), text)
	}
}
