package cli

import (
	"errors"
	"go/build"
	"path/filepath"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/repository"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/front/config"
)

// locate adds positions in the configuration file to diagnostics about packages that it names, in an error of runs that start in dir. If a
// package belongs to another module of the repository, the file is in the wrong place, and the diagnostic says so.
func locate(err error, dir string, all []run.Options) error {
	var diags diag.List
	if !errors.As(err, &diags) {
		return err
	}
	for i, d := range diags {
		unmatched, ok := errors.AsType[*load.Unmatched](d.Cause)
		if !ok || d.Pos.IsValid() {
			continue
		}
		for _, opts := range all {
			file := configFile(dir, opts)
			pos := config.PackagePosition(file, unmatched.Pattern)
			if !slices.Contains(opts.Load.Patterns, unmatched.Pattern) || !pos.IsValid() {
				continue
			}
			diags[i].Pos = pos
			if owner, ok := otherModule(opts.Load.Dir, unmatched.Pattern); ok {
				diags[i].Message = unmatched.Pattern + " belongs to module " + owner.ImportPath + ", but this file to another module"
				diags[i].Hint = "move this file to " + diag.Relative(dir, owner.Dir) + ", with paths relative to it; or list both modules in " +
					"a go.work; or require the module, and name its packages by import path"
			}
		}
	}
	return diags
}

// configFile returns the configuration file of a run that starts in dir. It need not exist.
func configFile(dir string, opts run.Options) string {
	if named := opts.Values.ConfigFile; named != option.FileName {
		return diag.Absolute(dir, named)
	}
	return filepath.Join(opts.Load.Dir, option.FileName)
}

// otherModule returns the module of the repository that holds the packages of a pattern, unless it is the module of the directory.
func otherModule(dir, pattern string) (module.Place, bool) {
	root := strings.TrimSuffix(strings.TrimSuffix(pattern, "..."), "/")
	from := diag.Absolute(dir, root)
	if !build.IsLocalImport(root) && !filepath.IsAbs(root) {
		from = repository.At(dir).Dir(root)
	}
	owner, err := module.Owner(from)
	here, err2 := module.Owner(dir)
	return owner, from != "" && err == nil && err2 == nil && owner != here
}
