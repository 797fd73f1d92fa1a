package apicompare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"go/version"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
	"golang.org/x/tools/go/packages"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
)

// API is a set of packages by their path relative to their root.
type API struct {
	Packages map[string]*types.Package
	// Broken are the packages that do not compile, with the first error.
	Broken map[string]string
}

// Config configures Load.
type Config struct {
	// Dir is the directory that the go command runs in, with the environment Env; if Env is nil, with the environment of the process.
	Dir string
	Env []string
	// Flags are build flags of the go command.
	Flags []string
	// Overlay has the files to read in place of others, if -overlay is among the flags.
	Overlay map[string]string
	// Root is the common import path of the packages. Their paths in an API are relative to it.
	Root string
	// Where tells messages where the packages are, such as "in /src".
	Where string
	// Dependencies keeps the packages of other modules for the next Load with the same requirements. It may be nil.
	Dependencies map[string]*types.Package
	// Progress is called before each package is type-checked. It may be nil.
	Progress func(done, total int)
}

// Load type-checks packages from source. Nothing is compiled. Packages of main modules, and of modules that local directories replace, are
// checked with the bodies of functions; others give only their declarations. Directories whose files are all excluded by build
// constraints contain no packages.
func Load(ctx context.Context, cfg Config, patterns ...string) (API, error) {
	if len(patterns) == 0 { // the go command would load the package in cfg.Dir
		return API{}, nil
	}
	loaded, err := packages.Load(&packages.Config{
		Context:    ctx,
		Mode:       packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedModule,
		Dir:        cfg.Dir,
		Env:        cfg.Env,
		BuildFlags: cfg.Flags,
	}, patterns...)
	if err != nil {
		return API{}, err
	}
	if len(loaded) == 0 {
		return API{}, fmt.Errorf("no packages in %s match %s", cfg.Dir, strings.Join(patterns, " "))
	}
	c := &checker{
		cfg: cfg, fset: token.NewFileSet(), ours: map[*packages.Package]bool{}, shared: map[*packages.Package]bool{},
		checked: map[*packages.Package]*types.Package{}, problems: map[*packages.Package]string{},
	}
	if err := c.check(ctx, loaded); err != nil {
		return API{}, err
	}
	api := API{Packages: map[string]*types.Package{}, Broken: map[string]string{}}
	for _, p := range loaded {
		name := strings.TrimPrefix(strings.TrimPrefix(p.PkgPath, cfg.Root), "/")
		switch problem := c.problems[p]; {
		case len(p.GoFiles) == 0 && len(p.IgnoredFiles) > 0:
		case problem != "":
			api.Broken[name] = fmt.Sprintf("does not compile %s: %s", cfg.Where, problem)
		default:
			api.Packages[name] = c.checked[p]
		}
	}
	return api, nil
}

// firstLine returns the first informative line of an error. The go command's output begins with the package.
func firstLine(e packages.Error) string {
	line, rest, more := strings.Cut(e.Msg, "\n")
	if strings.HasPrefix(line, "# ") && more {
		line, _, _ = strings.Cut(rest, "\n")
	}
	if e.Pos == "" || e.Pos == "-" {
		return line
	}
	return e.Pos + ": " + line
}

// importer is a types.Importer.
type importer func(path string) (*types.Package, error)

// Import implements types.Importer.
func (i importer) Import(path string) (*types.Package, error) { return i(path) }

// checker type-checks packages in the order of their imports.
type checker struct {
	cfg     Config
	fset    *token.FileSet
	ours    map[*packages.Package]bool // packages that are checked with bodies
	shared  map[*packages.Package]bool // packages that import none of ours, and so are the same for both sides
	order   []*packages.Package
	checked map[*packages.Package]*types.Package
	// problems are the first errors of packages or, for packages without errors, of their imports. Type errors only count in ours.
	problems map[*packages.Package]string
}

// check checks packages and all that they import. Files are parsed concurrently.
func (c *checker) check(ctx context.Context, roots []*packages.Package) error {
	packages.Visit(roots, nil, func(p *packages.Package) {
		c.ours[p] = p.Module != nil && (p.Module.Main || p.Module.Replace != nil && p.Module.Replace.Version == "")
		c.shared[p] = !c.ours[p]
		for _, imported := range p.Imports {
			c.shared[p] = c.shared[p] && c.shared[imported]
		}
		c.order = append(c.order, p)
	})
	parsed := make([][]*ast.File, len(c.order))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, p := range c.order {
		if c.known(p) == nil {
			group.Go(func() error {
				parsed[i] = c.parse(p)
				return ctx.Err()
			})
		}
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for i, p := range c.order {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if c.cfg.Progress != nil {
			c.cfg.Progress(i, len(c.order))
		}
		if c.checked[p] = c.known(p); c.checked[p] == nil {
			c.checked[p] = c.typeCheck(p, parsed[i])
		}
		parsed[i] = nil
		if len(p.Errors) > 0 {
			c.problems[p] = firstLine(p.Errors[0])
		}
		for _, path := range slices.Sorted(maps.Keys(p.Imports)) {
			c.problems[p] = cmp.Or(c.problems[p], c.problems[p.Imports[path]])
		}
	}
	return nil
}

// known returns a package that an earlier Load has checked, or nil.
func (c *checker) known(p *packages.Package) *types.Package {
	if p.PkgPath == "unsafe" {
		return types.Unsafe
	} else if !c.shared[p] {
		return nil
	}
	return c.cfg.Dependencies[p.PkgPath]
}

// parse parses the files of a package. Unreadable files are left out.
func (c *checker) parse(p *packages.Package) (files []*ast.File) {
	for _, name := range p.GoFiles {
		on := name
		if other, replaced := c.cfg.Overlay[name]; replaced {
			on = other
		}
		src, err := os.ReadFile(on)
		var file *ast.File
		if err == nil && !c.ours[p] {
			file, err = parser.ParseFile(c.fset, name, load.WithoutBodies(src), parser.SkipObjectResolution)
		}
		if src != nil && (err != nil || c.ours[p]) {
			file, err = parser.ParseFile(c.fset, name, src, parser.SkipObjectResolution)
		}
		if file != nil {
			files = append(files, file)
		}
		if err != nil && c.ours[p] && len(p.Errors) == 0 {
			p.Errors = append(p.Errors, packages.Error{Msg: err.Error()})
		}
	}
	return files
}

// typeCheck checks a package.
func (c *checker) typeCheck(p *packages.Package, files []*ast.File) *types.Package {
	config := &types.Config{
		IgnoreFuncBodies: !c.ours[p], FakeImportC: true,
		Importer: importer(func(path string) (*types.Package, error) {
			imported := p.Imports[path]
			if imported == nil || c.checked[imported] == nil {
				return nil, errors.New("no such package")
			}
			return c.checked[imported], nil
		}),
		Error: func(err error) {
			if typeError, ok := errors.AsType[types.Error](err); ok && c.ours[p] && c.problems[p] == "" {
				at := c.fset.Position(typeError.Pos)
				at.Filename = diag.Relative(c.cfg.Dir, at.Filename)
				c.problems[p] = fmt.Sprintf("%s: %s", at, typeError.Msg)
			}
		},
	}
	if p.Module != nil && version.Compare("go"+p.Module.GoVersion, runtime.Version()) <= 0 {
		config.GoVersion = "go" + p.Module.GoVersion
	}
	checked, _ := config.Check(p.PkgPath, c.fset, files, nil) // Error has the errors
	if c.shared[p] && c.cfg.Dependencies != nil {
		c.cfg.Dependencies[p.PkgPath] = checked
	}
	return checked
}
