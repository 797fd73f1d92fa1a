package module

import (
	"fmt"
	"go/build"
	"go/version"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/module"

	"github.com/informer-gen-lite/informer-gen-lite/internal/regular"
)

// constraints returns the build context that decides which files belong to packages.
func (e *environment) constraints(tags []string) (*build.Context, error) {
	release, err := strconv.Atoi(strings.TrimPrefix(version.Lang(e.goVersion), "go1."))
	if err != nil {
		return nil, err
	}
	// GOROOT and GOPATH only affect import paths, which are known.
	c := &build.Context{GOOS: e.goos, GOARCH: e.goarch, Compiler: "gc", CgoEnabled: true, BuildTags: tags, OpenFile: regular.Open}
	for minor := range release {
		c.ReleaseTags = append(c.ReleaseTags, fmt.Sprintf("go1.%d", minor+1))
	}
	return c, nil
}

// unknown are build tags whose value depends on the C compiler or the flags of the go command.
var unknown = []string{"cgo", "race", "msan", "asan", "boringcrypto", "compiler_bootstrap"}

// readFiles sets the name and the files of the package. The error is a *build.NoGoError if there are none for this platform.
func (l *Local) readFiles(p *Package) error {
	read, err := l.context.ImportDir(p.Dir, 0)
	for _, tag := range read.AllTags {
		// Tags with a dot stand for experiments and processor features, unless they stand for a Go release.
		if slices.Contains(unknown, tag) || strings.Contains(tag, ".") && !strings.HasPrefix(tag, "go1.") {
			return fmt.Errorf("%s: build tag %s", p.Dir, tag)
		}
	}
	switch {
	case err != nil:
		return err
	case len(read.CgoFiles) > 0:
		return fmt.Errorf("%s: cgo", p.Dir)
	}
	p.Name, p.GoFiles = read.Name, read.GoFiles
	return module.CheckImportPath(p.ImportPath)
}
