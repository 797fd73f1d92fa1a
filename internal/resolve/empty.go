package resolve

import (
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/internal/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/resolve/source"
)

// addWithoutKinds adds versions without clients whose packages are named explicitly. code-generator generates an empty typed
// client for each given package, and the clientset's interface has a method for it. addWithoutKinds returns how many of these
// packages had been passed over.
func (r *resolver) addWithoutKinds() (passedOver int) {
	if len(r.groups) == 0 {
		return 0
	}
	for _, s := range r.all {
		if !r.isWholeVersion(s) {
			continue
		}
		r.check(s, s.CheckTags)
		version, facts := versionOf(s, r.opts, &r.diags)
		if !version.Generate.Client {
			continue
		}
		facts.add("kinds", "none", "the package is named explicitly", s.Start())
		r.versionFacts[version], r.sources[version] = facts, s
		r.join(version)
		before := len(r.withoutClients)
		r.withoutClients = slices.DeleteFunc(r.withoutClients, func(v *model.Version) bool { return v.Source.Path == s.Path })
		if len(r.withoutClients) == before && r.packages[s.Path] == nil {
			passedOver++
		}
	}
	return passedOver
}

// isWholeVersion reports whether a package without kinds is still a version of an API: it declares its group and version and adds
// types to schemes.
func (r *resolver) isWholeVersion(s *source.Package) bool {
	declared := s.GroupVersion()
	group := declared.Variable != "" || s.Tags.Has(marker.GroupName)
	version := declared.Version != "" || goname.IsVersion(s.Name)
	registered := s.AddToScheme() != "" || r.packages[s.Path] != nil && r.packages[s.Path].Registration != nil
	return s.Named && len(s.Wanted()) == 0 && group && version && registered && !declared.Internal
}
