package proof

import (
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/internal/apicompare"
	"github.com/informer-gen-lite/informer-gen-lite/internal/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/output/losses"
	"github.com/informer-gen-lite/informer-gen-lite/internal/pipeline"
)

// Lost returns the absolute names of the files that the runs would remove and that declare symbols missing in the results.
func Lost(runs []pipeline.Run, results []apicompare.Result) []string {
	missed := map[string]bool{}
	for _, result := range results {
		for _, f := range result.Findings {
			if f.Message == apicompare.Removed || f.Message == apicompare.Missing {
				missed[result.Package+" "+f.Symbol] = true
			}
		}
	}
	var names []string
	for _, run := range runs {
		for _, file := range run.Plan.Remove {
			name := run.API.Place.File(file)
			pkg, _ := module.ImportPath(filepath.Dir(name)) // "" for a directory that cannot be a package
			isMissed := func(symbol string) bool { return missed[pkg+" "+symbol] }
			if isSource(name) && (isMissed("") || slices.ContainsFunc(declared(name), isMissed)) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// declared returns the names that a file declares at the top level, as far as it can be parsed.
func declared(name string) []string {
	file, _ := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
	return slices.Collect(maps.Keys(losses.Declared(nil, file)))
}
