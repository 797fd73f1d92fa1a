package resolve

import (
	"fmt"
	"go/token"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
)

// Runtime is the decision whether the output uses the run-time library.
type Runtime struct {
	Used bool
	// Because and Pos say why: an option, a marker with its position, or a default.
	Because string
	Pos     token.Position
}

// String returns "yes" or "no".
func (u Runtime) String() string {
	if u.Used {
		return "yes"
	}
	return "no"
}

// needRuntime records the markers of a type that need the run-time library. It reports the markers that cannot have it.
func (r *resolver) needRuntime(markers marker.Set, diags *diag.List) {
	if !r.opts.Clients {
		return
	}
	for _, name := range []string{marker.Controller, marker.Ref, marker.Index, marker.Lister} {
		for _, m := range markers.All(name) {
			switch {
			case r.opts.Runtime != nil && !*r.opts.Runtime:
				diags.AddHint(m.Pos, "remove the marker, or the setting runtime: false", "+%s needs the run-time library, which is disabled", m.Name)
			case !r.opts.Target.Runtime():
				diags.AddHint(m.Pos, UpgradeForRuntime, "+%s needs the run-time library, %s", m.Name, LacksRuntime(r.opts.Target))
			case !r.result.Runtime.Used:
				r.result.Runtime = Runtime{Used: true, Because: "+" + m.Name, Pos: m.Pos}
			}
		}
	}
}

// UpgradeForRuntime is the hint for releases of client-go that the run-time library does not support.
var UpgradeForRuntime = fmt.Sprintf("upgrade with go get k8s.io/client-go@%s", model.OldestRuntimeTarget)

// LacksRuntime says why output for a release cannot use the run-time library.
func LacksRuntime(target model.Target) string {
	return fmt.Sprintf("which supports client-go %s and later, not %s", model.OldestRuntimeTarget, target)
}
