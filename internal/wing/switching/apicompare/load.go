package apicompare

import (
	"context"
	"fmt"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/packages"
)

// API is a set of packages by their path relative to their root.
type API struct {
	Packages map[string]*types.Package
	// Broken are the packages that do not compile, with the first error.
	Broken map[string]string
}

// Config configures Load.
type Config struct {
	// Dir is the directory that the go command runs in, with the environment Env; nil for that of the process.
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
