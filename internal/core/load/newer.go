package load

import (
	"fmt"
	"go/version"
	"runtime"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
)

// explainSyntax returns the syntax errors of a package. The parser is that of the Go release that built this program. If the
// module requires a newer release, its syntax may be newer too: then the first error says so and replaces all others.
func explainSyntax(pkg *Package, errors diag.List) diag.List {
	built := version.Lang(runtime.Version())
	if len(errors) == 0 || pkg.Module == nil || built == "" || version.Compare("go"+pkg.Module.GoVersion, built) <= 0 ||
		version.Lang("go"+pkg.Module.GoVersion) == built {
		return errors
	}
	wanted := pkg.Module.GoVersion
	toolchain := "go" + wanted
	if strings.Count(wanted, ".") == 1 {
		toolchain += ".0" // the name of the first release of a language version
	}
	d := errors[0]
	d.Message = fmt.Sprintf("%s: this program was built with %s, but module %s requires go %s", d.Message, built, pkg.Module.Path, wanted)
	d.Hint = "rebuild it with " + version.Lang(toolchain) + " or later: set GOTOOLCHAIN=" + toolchain + " when you go run or go install it"
	return diag.List{d}
}
