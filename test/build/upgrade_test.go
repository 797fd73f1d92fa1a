package build_test

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
	"github.com/informer-gen-lite/informer-gen-lite/test/internal/doctest"
)

// The data of TestUpgrade: a repository as users had it at 35762c6. The handwritten files are in upgradeTree. The archive has all
// files that the tool of that commit wrote into them, unchanged:
//
//	informer-gen-lite scaffold Robot
//	informer-gen-lite
//
// in a copy of upgradeTree with the go.mod of testdata/targets/v0.37. It was packed with tar and gzip -9n.
const (
	upgradePage   = "docs/upgrading.md"
	upgradeTree   = "testdata/upgrade/tree"
	upgradeOutput = "testdata/upgrade/output.tar.gz"
	generatedDir  = "pkg/generated"
)

// TestUpgrade follows docs/upgrading.md from top to bottom in a repository that was generated and scaffolded at 35762c6: it changes
// the configuration, runs the tool, applies every row of the page as text, and runs the printed command. Then the code must pass its
// tests. The page must have every exported name that the output no longer has. The scaffolded servertest is changed, but not compiled.
func TestUpgrade(t *testing.T) {
	page := readUpgradePage(t)
	s := doctest.Session{T: t, Root: root, Dir: t.TempDir(), Bin: bin(t)}
	requirementsOf(s, "testdata/targets/"+model.NewestTarget.String(), "example.com/fleet")
	require.NoError(t, os.CopyFS(s.Dir, os.DirFS(upgradeTree)))
	unpack(t, upgradeOutput, s.Dir)
	must(s, "go vet ./cmd/... ./internal/...")
	before := exportedNames(t, filepath.Join(s.Dir, generatedDir))

	s.Write(".informer-gen.yaml", strings.Replace(readFile(s, ".informer-gen.yaml"), "tracing: true\n", "", 1))
	printed := strings.Join(steps(must(s, "informer-gen-lite")), "\n")
	require.Contains(t, printed, "go get ")
	for _, moved := range page.packages {
		left, err := filepath.Glob(filepath.Join(s.Dir, generatedDir, filepath.FromSlash(moved.before), "*.go"))
		require.NoError(t, err)
		assert.Empty(t, left, "these belong to the library now")
	}

	page.assertComplete(t, before, exportedNames(t, filepath.Join(s.Dir, generatedDir)))

	_, err := s.Run(printed)
	require.Error(t, err, "files still import removed packages")

	page.apply(s)
	// The printed command is that of a clone, and replaces the library. The module for tracing is replaced likewise.
	tracing, err := filepath.Abs(root.Path("runtime/controller/tracing"))
	require.NoError(t, err)
	const tracingModule = repositoryModule + "/runtime/controller/tracing"
	must(s, "go mod edit -require="+tracingModule+"@v0.0.0 -replace="+tracingModule+"="+tracing)
	must(s, printed)
	must(s, "go vet ./... && go test ./internal/... && informer-gen-lite verify")
}

// unpack writes the files of a compressed archive into a directory.
func unpack(t *testing.T, archive, dir string) {
	t.Helper()
	data, err := os.ReadFile(archive)
	require.NoError(t, err)
	text, err := gzip.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	files := tar.NewReader(text)
	for {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(t, err)
		require.True(t, filepath.IsLocal(header.Name), header.Name)
		name := filepath.Join(dir, filepath.FromSlash(header.Name))
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
		content, err := io.ReadAll(files)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(name, content, 0o666))
	}
}

// replacement is what the page says about a piece of code.
type replacement struct{ before, after string }

// upgradePageText is the parsed page.
type upgradePageText struct {
	// mentioned is code that stands outside of tables and blocks, or is called old there.
	mentioned []string
	// code has the rows of all tables but the last, and the blocks of lines with - and +, in the order of the page.
	code []replacement
	// packages are the rows of the last table: directories of the output, and packages of the library.
	packages []replacement
	// library are all packages of the library that the page names.
	library []string
}

var (
	codeSpan = regexp.MustCompile("`([^`]+)`")
	diffs    = regexp.MustCompile("(?s)^```text\n(.*?)```\n")
	ofModule = regexp.MustCompile("`(runtime/[a-z/]+)`")
)

// readUpgradePage reads the rows of tables, whose first two columns have the same number of code spans, and the blocks. A single span
// without a dot on the right is a package, which has the names on the left.
func readUpgradePage(t *testing.T) *upgradePageText {
	t.Helper()
	text, err := os.ReadFile(root.Path(upgradePage))
	require.NoError(t, err)
	page := &upgradePageText{}
	for _, span := range ofModule.FindAllStringSubmatch(string(text), -1) {
		page.library = append(page.library, span[1])
	}
	section := ""
	for rest := string(text); rest != ""; {
		if block := diffs.FindStringSubmatch(rest); block != nil {
			r := linesOf(block[1])
			page.code = append(page.code, r)
			page.mentioned = append(page.mentioned, r.before)
			rest = rest[len(block[0]):]
			continue
		}
		line, after, _ := strings.Cut(rest, "\n")
		rest = after
		if title, ok := strings.CutPrefix(line, "## "); ok {
			section = title
		}
		columns := strings.Split(line, "|")
		if len(columns) != 5 {
			page.mentioned = append(page.mentioned, codeSpan.FindAllString(line, -1)...)
			continue
		}
		old, now := codeSpan.FindAllStringSubmatch(columns[1], -1), codeSpan.FindAllStringSubmatch(columns[2], -1)
		for i, span := range old {
			r := replacement{before: span[1]}
			page.mentioned = append(page.mentioned, r.before)
			switch {
			case len(now) == len(old):
				r.after = now[i][1]
			case len(now) == 1 && token.IsIdentifier(now[0][1]):
				r.after = now[0][1] + r.before[strings.LastIndex(r.before, "."):]
			default:
				require.Fail(t, "the columns do not match", line)
			}
			if section == "Packages" {
				page.packages = append(page.packages, r)
			} else {
				page.code = append(page.code, r)
			}
		}
	}
	require.NotEmpty(t, page.code)
	require.NotEmpty(t, page.packages)
	return page
}

// linesOf returns the lines with - and those with + of a block, without indentation.
func linesOf(block string) replacement {
	var before, after []string
	for line := range strings.Lines(block) {
		text := strings.TrimSpace(line[1:])
		if line[0] == '-' {
			before = append(before, text)
		} else {
			after = append(after, text)
		}
	}
	return replacement{strings.Join(before, "\n"), strings.Join(after, "\n")}
}

// apply changes the handwritten and scaffolded files. Every row must have an effect: nothing on the page is untested.
func (p *upgradePageText) apply(s doctest.Session) {
	s.T.Helper()
	used := map[string]bool{}
	require.NoError(s.T, filepath.WalkDir(s.Dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == path.Base(generatedDir) {
			return filepath.SkipDir
		}
		if filepath.Ext(name) != ".go" || strings.HasPrefix(d.Name(), "zz_generated") {
			return nil
		}
		text, err := os.ReadFile(name)
		require.NoError(s.T, err)
		changed := string(text)
		for _, r := range p.code {
			was := changed
			changed = r.in(changed)
			used[r.before] = used[r.before] || changed != was
		}
		for _, moved := range p.packages {
			qualifier := replacement{path.Base(moved.before) + ".", path.Base(moved.after) + "."}
			used[moved.before] = used[moved.before] || strings.Contains(string(text), "/"+moved.before+`"`)
			changed = qualifier.in(changed)
		}
		formatted, err := format.Source([]byte(p.fixImports(s.T, changed)))
		require.NoError(s.T, err, "%s: %s", name, changed)
		return os.WriteFile(name, formatted, 0o666)
	}))
	for _, r := range slices.Concat(p.code, p.packages) {
		assert.True(s.T, used[r.before], "%s: no file has %s", upgradePage, r.before)
	}
}

// wildcard stands for code in which parentheses, brackets and braces are balanced.
const wildcard = "…"

// in replaces all occurrences in a text.
func (r replacement) in(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		end, held, ok := match(text, i, r.before)
		if !ok || inName(text, i) || strings.HasSuffix(text[:i], ".") && !strings.HasSuffix(text[:i], "...") || inName(text, end) {
			b.WriteByte(text[i])
			i++
			continue
		}
		after := r.after
		for _, code := range held {
			after = strings.Replace(after, wildcard, code, 1)
		}
		b.WriteString(after)
		i = end
	}
	return b.String()
}

// inName reports whether there are characters of a name on both sides of a position.
func inName(text string, i int) bool {
	return i > 0 && i < len(text) && token.IsIdentifier("_"+text[i-1:i+1])
}

// match matches a pattern at a position. It returns the end, and the code that wildcards stand for. A new line in the pattern matches
// one with any indentation.
func match(text string, i int, pattern string) (end int, held []string, ok bool) {
	for pattern != "" {
		if rest, ok := strings.CutPrefix(pattern, wildcard); ok {
			depth := 0
			for j := i; j <= len(text); j++ {
				if depth == 0 {
					if end, held, ok := match(text, j, rest); ok {
						return end, append([]string{text[i:j]}, held...), true
					}
				}
				switch {
				case j == len(text):
				case strings.IndexByte("([{", text[j]) >= 0:
					depth++
				case strings.IndexByte(")]}", text[j]) >= 0:
					depth--
				}
				if depth < 0 {
					break
				}
			}
			return 0, nil, false
		}
		if i >= len(text) || text[i] != pattern[0] {
			return 0, nil, false
		}
		if pattern[0] == '\n' {
			i += len(text[i+1:]) - len(strings.TrimLeft(text[i+1:], "\t"))
		}
		i, pattern = i+1, pattern[1:]
	}
	return i, nil, true
}

// fixImports removes imports that are unused or of packages that moved, and adds those of the library.
func (p *upgradePageText) fixImports(t *testing.T, text string) string {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", text, 0)
	require.NoError(t, err, text)
	used := map[string]bool{}
	for _, name := range file.Unresolved {
		used[name.Name] = true
	}
	imported := map[string]bool{}
	for _, spec := range slices.Backward(file.Imports) {
		importPath, err := strconv.Unquote(spec.Path.Value)
		require.NoError(t, err)
		name := path.Base(importPath)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		moved := slices.ContainsFunc(p.packages, func(moved replacement) bool {
			return strings.HasSuffix(importPath, "/"+generatedDir+"/"+moved.before)
		})
		major := regexp.MustCompile(`^v[0-9]+$`).MatchString(name) // such as klog/v2, whose name is not in the path
		if !moved && (name == "_" || used[name] || major && spec.Name == nil) {
			imported[name] = true
			continue
		}
		from, to := files.Position(spec.Pos()).Offset, files.Position(spec.End()).Offset
		text = text[:from] + text[to:]
	}
	for _, dir := range p.library {
		if name := path.Base(dir); used[name] && !imported[name] {
			text = strings.Replace(text, "import (\n", "import (\n\t"+strconv.Quote(repositoryModule+"/"+dir)+"\n", 1)
			imported[name] = true
		}
	}
	return text
}

// assertComplete fails for exported names that the output had before, has no longer, and the page lacks. Names of packages that moved
// may keep their name in the library, if they are of the same form.
func (p *upgradePageText) assertComplete(t *testing.T, before, now map[string]string) {
	t.Helper()
	inLibrary := exportedNames(t, root.Path("runtime"))
	removed := 0
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if now[name] != "" {
			continue
		}
		removed++
		dir, local, _ := strings.Cut(name, ":")
		typeName, member, isMember := strings.Cut(local, ".")
		if isMember && now[dir+":"+typeName] == "" && p.mentions(path.Base(dir)+"."+typeName) {
			continue // with its type
		}
		kept := slices.ContainsFunc(p.packages, func(moved replacement) bool {
			form := inLibrary[strings.TrimPrefix(moved.after, "runtime/")+":"+local]
			return dir == moved.before && (form == before[name] || slices.Contains([]string{form, before[name]}, alias))
		})
		assert.True(t, kept || p.mentions(cmp.Or(member, path.Base(dir)+"."+local)), "%s: %s (%s) is missing", upgradePage, name, before[name])
	}
	assert.Greater(t, removed, 100)
}

// mentions reports whether code on the page has a name, qualified or, for packages that are imported under other names, not.
func (p *upgradePageText) mentions(name string) bool {
	if path, local, ok := strings.Cut(name, "."); ok && path == "externalversions" {
		name = "informers." + local
	}
	return slices.ContainsFunc(p.mentioned, regexp.MustCompile(`\b`+regexp.QuoteMeta(name)+`\b`).MatchString)
}

// exportedNames returns the exported names of all packages in a directory that others may import, with their forms: DIR:NAME, and
// DIR:TYPE.MEMBER for methods and fields, also for those of embedded types.
func exportedNames(t *testing.T, dir string) map[string]string {
	t.Helper()
	names := declared{form: map[string]string{}, embedded: map[string][]string{}}
	require.NoError(t, filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == "internal" {
			return filepath.SkipDir
		}
		if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		where, err := filepath.Rel(dir, filepath.Dir(name))
		require.NoError(t, err)
		for _, decl := range file.Decls {
			names.add(filepath.ToSlash(where), decl)
		}
		return nil
	}))
	if dir != root.Path("runtime") {
		names.promote(exportedNames(t, root.Path("runtime")))
	}
	return names.form
}

// alias is the form of a type that has another name.
const alias = "alias"

// declared are exported names with their forms, and the types of packages of the library that types embed.
type declared struct {
	form     map[string]string
	embedded map[string][]string
}

func (d declared) add(dir string, decl ast.Decl) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		name, form := decl.Name.Name, "function"
		if decl.Recv != nil {
			receiver := receiverOf(decl.Recv.List[0].Type)
			if !ast.IsExported(receiver) {
				return
			}
			name, form = receiver+"."+name, "method"
		}
		if decl.Name.IsExported() {
			d.form[dir+":"+name] = form + " of " + strconv.Itoa(decl.Type.Params.NumFields())
		}
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					if name.IsExported() {
						d.form[dir+":"+name.Name] = decl.Tok.String()
					}
				}
			case *ast.TypeSpec:
				switch {
				case !spec.Name.IsExported():
				case spec.Assign.IsValid():
					d.form[dir+":"+spec.Name.Name] = alias
				default:
					d.addType(dir+":"+spec.Name.Name, spec.Type)
				}
			}
		}
	}
}

// receiverOf returns the type of a receiver.
func receiverOf(expr ast.Expr) string {
	switch expr := expr.(type) {
	case *ast.StarExpr:
		return receiverOf(expr.X)
	case *ast.IndexExpr:
		return receiverOf(expr.X)
	case *ast.IndexListExpr:
		return receiverOf(expr.X)
	case *ast.Ident:
		return expr.Name
	}
	return ""
}

func (d declared) addType(name string, definition ast.Expr) {
	d.form[name] = "type"
	var members *ast.FieldList
	switch definition := definition.(type) {
	case *ast.StructType:
		members = definition.Fields
	case *ast.InterfaceType:
		d.form[name] = "interface"
		members = definition.Methods
	}
	if members == nil {
		return
	}
	for _, member := range members.List {
		for _, ident := range member.Names {
			if !ident.IsExported() {
				continue
			}
			d.form[name+"."+ident.Name] = "field"
			if method, ok := member.Type.(*ast.FuncType); ok {
				d.form[name+"."+ident.Name] = "method of " + strconv.Itoa(method.Params.NumFields())
			}
		}
		if of := embeddedType(member.Type); len(member.Names) == 0 && of != "" {
			d.embedded[name] = append(d.embedded[name], of)
		}
	}
}

// embeddedType returns a type of another package in the form PACKAGE:TYPE, or an empty string.
func embeddedType(expr ast.Expr) string {
	switch expr := expr.(type) {
	case *ast.StarExpr:
		return embeddedType(expr.X)
	case *ast.IndexExpr:
		return embeddedType(expr.X)
	case *ast.SelectorExpr:
		if x, ok := expr.X.(*ast.Ident); ok {
			return x.Name + ":" + expr.Sel.Name
		}
	}
	return ""
}

// promote adds the members of embedded types.
func (d declared) promote(library map[string]string) {
	for name, types := range d.embedded {
		for _, of := range types {
			for member, form := range library {
				if local, ok := strings.CutPrefix(member, of+"."); ok {
					d.form[name+"."+local] = form
				}
			}
		}
	}
}
