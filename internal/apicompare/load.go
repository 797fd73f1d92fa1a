package apicompare

import (
	"context"
	"fmt"
	"go/types"
	"strings"

	"golang.org/x/tools/go/packages"
)

// API is a set of packages by their path relative to their root.
type API struct {
	Packages map[string]*types.Package
	// Broken are the packages that do not compile, with the compiler's errors.
	Broken map[string]string
}

// Config configures Load.
type Config struct {
	// Dir is the directory that the go command runs in, with the environment Env; nil for that of the process.
	Dir string
	Env []string
	// Flags are build flags of the go command.
	Flags []string
	// Root is the common import path of the packages. Their paths in an API are relative to it.
	Root string
	// Where tells messages where the packages are, such as "in /src".
	Where string
}

// Load reads the exported API of packages from the compiler's export data. Directories whose files are all excluded by build
// constraints contain no packages.
func Load(ctx context.Context, cfg Config, patterns ...string) (API, error) {
	if len(patterns) == 0 { // the go command would load the package in cfg.Dir
		return API{}, nil
	}
	loaded, err := packages.Load(&packages.Config{
		Context: ctx,
		// Without syntax and dependencies the types come from export data: nothing is type-checked here.
		Mode:       packages.NeedName | packages.NeedFiles | packages.NeedTypes,
		Dir:        cfg.Dir,
		Env:        cfg.Env,
		BuildFlags: cfg.Flags,
	}, patterns...)
	if err != nil {
		return API{}, err
	}
	api := API{Packages: map[string]*types.Package{}, Broken: map[string]string{}}
	for _, p := range loaded {
		name := strings.TrimPrefix(strings.TrimPrefix(p.PkgPath, cfg.Root), "/")
		switch {
		case len(p.GoFiles) == 0 && len(p.IgnoredFiles) > 0:
		case len(p.Errors) > 0:
			api.Broken[name] = fmt.Sprintf("does not compile %s: %s", cfg.Where, firstLine(p.Errors[0]))
		default:
			api.Packages[name] = p.Types
		}
	}
	if len(loaded) == 0 {
		return API{}, fmt.Errorf("no packages in %s match %s", cfg.Dir, strings.Join(patterns, " "))
	}
	return api, nil
}

// firstLine returns the first informative line of an error. The compiler's output begins with the package.
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
