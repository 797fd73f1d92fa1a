package resolve

import (
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/internal/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/resolve/source"
)

// noteOtherPrograms records the programs that read markers of a package.
func (r *resolver) noteOtherPrograms(s *source.Package) {
	if !s.InMainModule() {
		return
	}
	all := slices.Clone(s.Scanned)
	for _, name := range s.TypeNames {
		all = append(all, s.Decls[name].Scanned...)
	}
	for _, m := range all {
		if program := marker.OtherProgram(m); program != "" && !slices.Contains(r.result.OtherPrograms, program) {
			r.result.OtherPrograms = append(r.result.OtherPrograms, program)
		}
	}
	slices.Sort(r.result.OtherPrograms)
}
