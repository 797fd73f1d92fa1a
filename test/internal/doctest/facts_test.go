package doctest_test

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
)

// walked returns the names of the files of the repository that have a suffix, without test data.
func walked(t *testing.T, suffix string) (names []string) {
	t.Helper()
	require.NoError(t, fs.WalkDir(os.DirFS(root.Path(".")), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && slices.Contains([]string{".git", ".cache", "bin", "testdata"}, d.Name()) && name != "testdata" {
			return fs.SkipDir
		}
		if err == nil && !d.IsDir() && strings.HasSuffix(name, suffix) {
			names = append(names, name)
		}
		return err
	}))
	require.NotEmpty(t, names)
	return names
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(root.Path(name))
	require.NoError(t, err)
	return string(text)
}

// TestNamesOnPages looks for the tests, files and make targets that pages name. Paths on pages in docs are mostly those of users.
func TestNamesOnPages(t *testing.T) {
	tests, targets := map[string]bool{}, map[string]bool{}
	for _, name := range walked(t, "_test.go") {
		for _, found := range regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)\w+)\(`).FindAllStringSubmatch(read(t, name), -1) {
			tests[found[1]] = true
		}
	}
	for _, found := range regexp.MustCompile(`(?m)^([\w-]+):`).FindAllStringSubmatch(read(t, "Makefile"), -1) {
		targets[found[1]] = true
	}
	file := regexp.MustCompile("`((?:internal|runtime|test|testdata|docs|hack|generators|cmd)/[\\w./-]+)`")
	seen := 0
	for _, page := range walked(t, ".md") {
		text := read(t, page)
		for _, found := range regexp.MustCompile("`((?:Test|Fuzz|Benchmark)[A-Z]\\w+)`").FindAllStringSubmatch(text, -1) {
			seen++
			assert.True(t, tests[found[1]], "%s: no test %s", page, found[1])
		}
		for _, found := range regexp.MustCompile("`make ([a-z][\\w-]*)").FindAllStringSubmatch(text, -1) {
			seen++
			assert.True(t, targets[found[1]], "%s: no make %s", page, found[1])
		}
		if strings.HasPrefix(page, "docs/") || page == "VERSIONING.md" { // which has tags
			continue
		}
		for _, found := range file.FindAllStringSubmatch(text, -1) {
			seen++
			_, fromRoot := os.Stat(root.Path(found[1]))
			_, fromPage := os.Stat(root.Path(path.Join(path.Dir(page), found[1])))
			assert.True(t, fromRoot == nil || fromPage == nil, "%s: no file %s", page, found[1])
		}
	}
	assert.Greater(t, seen, 200)
}

// TestPackageTables compares tables of packages with the packages that are directly below a page.
func TestPackageTables(t *testing.T) {
	pages := 0
	for _, page := range walked(t, "README.md") {
		_, table, found := strings.Cut(read(t, page), "\n| package | ")
		if !found {
			continue
		}
		pages++
		table, rest, _ := strings.Cut(table, "\n\n")
		for _, row := range regexp.MustCompile("(?m)^\\| `([^`]+)`").FindAllStringSubmatch(table, -1) {
			assert.DirExists(t, root.Path(path.Join(path.Dir(page), row[1])), "%s: no package %s", page, row[1])
		}
		files, err := filepath.Glob(root.Path(path.Join(path.Dir(page), "*", "*.go")))
		require.NoError(t, err)
		for _, file := range files {
			name := filepath.Base(filepath.Dir(file))
			named := strings.Contains(table, "| `"+name+"` |") || strings.Contains(rest, "`"+name+"`")
			assert.True(t, named, "%s: package %s is missing", page, name)
		}
	}
	assert.Equal(t, 3, pages)
}

// TestVersions compares the releases and modules in VERSIONING.md with the tree.
func TestVersions(t *testing.T) {
	text := read(t, "VERSIONING.md")
	supported := lists.Map(append(model.Targets(), model.NewestTarget), model.Target.String)
	assert.Contains(t, text, "| main | "+strings.Join(slices.Compact(supported), ", ")+" |")

	final, err := os.ReadDir(root.Path("testdata/targets"))
	require.NoError(t, err)
	folders := lists.Map(final, os.DirEntry.Name)
	assert.Equal(t, append([]string{"README.md"}, lists.Map(model.Targets(), model.Target.String)...), folders)

	modules := map[string]bool{}
	for _, name := range walked(t, "go.mod") {
		if dir := path.Dir(name); !regexp.MustCompile(`^(examples|hack|test|testdata)(/|$)|^\.$`).MatchString(dir) {
			modules[dir] = true
		}
	}
	_, table, _ := strings.Cut(text, "\n| module | tag |\n")
	table, _, _ = strings.Cut(table, "\n\n")
	listed := map[string]bool{}
	for _, found := range regexp.MustCompile("\\[?`([a-z/]+)`").FindAllStringSubmatch(table, -1) {
		listed[found[1]] = found[1] != "cachemutation" // of the main module
	}
	maps.DeleteFunc(listed, func(_ string, separate bool) bool { return !separate })
	assert.Equal(t, modules, listed)
}
