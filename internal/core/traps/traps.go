// Package traps warns about API types that are right for this program, and go wrong elsewhere: docs/traps.md explains each trap.
//
// A trap gets a warning only if the types show that it is sprung. Each has a name, is reported once for each package, and can be switched
// off.
package traps

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
)

// Trap is a mistake that is easily made.
type Trap struct {
	// Name switches the warning off.
	Name string
	// Defined is true if the trap is sprung only where CustomResourceDefinitions are generated.
	Defined bool
	// check reports each declaration that springs the trap. It is nil if another package does.
	check func(*checker)
}

// All are all traps, in the order of the reference.
var All = []Trap{
	{Name: option.SchemaEncoding, Defined: true, check: (*checker).schemaEncoding},
	{Name: option.YAMLBooleans, check: (*checker).yamlBooleans},
	{Name: option.UnsetDefaults}, // the generator of defaults knows
	{Name: option.JSONv2, check: (*checker).jsonV2},
	{Name: option.GoFix, Defined: true, check: (*checker).goFix},
}

// Report adds warnings about traps to the problems of an API. It merges all warnings about a trap in a package, and drops traps that
// the options switch off.
func Report(ctx context.Context, api *run.API, problems diag.List) diag.List {
	off := api.Options.Values.WarningsOff
	if !problems.Failed() { // else the API may be incomplete
		problems = append(problems, find(ctx, api, off)...)
	}
	named := lists.Filter(problems, func(d diag.Diagnostic) bool { return d.Trap != "" && !slices.Contains(off, d.Trap) })
	return append(lists.Filter(problems, func(d diag.Diagnostic) bool { return d.Trap == "" }), merged(named)...)
}

// find returns a warning for each declaration that springs a trap.
func find(ctx context.Context, api *run.API, off []string) (found diag.List) {
	c := newChecker(ctx, api.Resolved.Universe())
	for _, trap := range All {
		if trap.check == nil || trap.Defined && !api.Options.Resolve.Defines || slices.Contains(off, trap.Name) {
			continue
		}
		c.found = nil
		trap.check(c)
		for _, d := range c.found {
			d.Trap = trap.Name
			found = append(found, d)
		}
	}
	return found
}

// listed is the number of further positions in a warning.
const listed = 3

// merged returns the first warning about each trap in each package, with the number of the others and some of their positions.
func merged(named diag.List) (all diag.List) {
	byPackage := map[[2]string]int{}
	var others [][]string
	for _, d := range named.Sorted("") {
		key := [2]string{d.Trap, filepath.Dir(d.Pos.Filename)}
		i, known := byPackage[key]
		if known {
			others[i] = append(others[i], diag.Line(d.Pos))
			continue
		}
		byPackage[key] = len(all)
		d.Hint += "; to end all such warnings, set warnings: {off: [" + d.Trap + "]}"
		all, others = append(all, d), append(others, nil)
	}
	for i, positions := range others {
		if n := len(positions); n > 0 {
			more := strings.Join(positions[:min(n, listed)], ", ")
			if n > listed {
				more += ", …"
			}
			all[i].Message += fmt.Sprintf(" (%d more in this package: %s)", n, more)
		}
	}
	return all
}
