package resolve

import (
	"cmp"
	"errors"
	"fmt"
	"go/token"
	"path"
	"slices"
	"strings"

	validation "k8s.io/apimachinery/pkg/api/validate/content"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/origin"
)

// nameGroup derives the Go name of a group: from +groupGoName, an option, or the group's first label, unless the checked-in client has
// another name, which is kept.
func (r *resolver) nameGroup(group *model.Group) {
	for _, version := range group.Versions {
		m, ok := r.result.Versions[version].Source.Markers.Get(marker.GroupGoName)
		if !ok {
			continue
		}
		name, valid := marker.As[string](m, &r.diags)
		if valid && group.GoName != "" && group.GoName != name {
			r.diags.Add(m.Pos, "+%s=%s contradicts %s in another version of group %s",
				marker.GroupGoName, m.Value, group.GoName, group.DisplayName())
		}
		group.GoName = name
		r.addGoName(group, "+"+marker.GroupGoName, m.Pos)
	}
	if name := r.opts.GroupGoNames[group.Key()]; group.GoName == "" && name != "" {
		group.GoName = name
		r.addGoName(group, "group-go-names", token.Position{})
	}
	if group.GoName == "" && !r.keepGoName(group) {
		group.GoName = goname.Camel(group.FirstLabel())
		r.addGoName(group, "first label of the group", token.Position{})
		r.checkGoName(group)
	}
}

// keepGoName names a group as the checked-in client does, if that differs from the first label. code-generator reads +groupName in
// doc.go only, and otherwise names the group after its folder.
func (r *resolver) keepGoName(group *model.Group) bool {
	if r.opts.Existing == nil {
		return false
	}
	for _, version := range group.Versions {
		name := r.opts.Existing.GroupGoName(version)
		if name == "" || name == goname.Camel(group.FirstLabel()) {
			continue
		}
		group.GoName = name
		r.addGoName(group, "the checked-in client", token.Position{})
		r.result.KeptGoNames = append(r.result.KeptGoNames, group.Key()+":"+name)
		r.diags.Warn(r.result.Versions[version].Pos,
			fmt.Sprintf("to be independent of the checked-in client, set --group-go-names=%[1]s:%[2]s (group-go-names: [%[1]s:%[2]s] in "+
				".informer-gen.yaml); for another name, put // +groupGoName=<Name> above the package clause", group.Key(), name),
			"group %s is called %s in the checked-in client, and keeps this name", group.DisplayName(), name)
		return true
	}
	return false
}

// ErrOtherGroup is the cause of warnings that the group in the marker differs from the group of requests.
var ErrOtherGroup = errors.New("requests have the group of the variable")

// explainGroup warns, until clients were generated, that the group in the marker differs from the group of requests.
func (r *resolver) explainGroup(group *model.Group) {
	generated := func(kind *model.Kind) bool {
		return r.opts.Existing != nil && slices.Contains(origin.Of(r.opts.Existing.Client(kind)), origin.Us)
	}
	for _, version := range group.Versions {
		m, _ := r.result.Versions[version].Source.Markers.Get(marker.GroupName)
		if group.Marked != "" && !slices.ContainsFunc(version.Kinds, generated) {
			r.diags.Warn(m.Pos, "leave it if clients work: code-generator does the same",
				"+groupName=%s only names clients, because %w: %q", m.Value, ErrOtherGroup, group.Name)
		}
	}
}

// checkGoName reports a group whose first label cannot begin a Go name.
func (r *resolver) checkGoName(group *model.Group) {
	if token.IsIdentifier(group.GoName) || !token.IsIdentifier("X"+group.GoName) || group.GoName == "" {
		return // it is fine, or has an error about its name
	}
	s := r.result.Versions[group.Versions[0]].Source
	pos := s.Start()
	if m, marked := s.Markers.Get(marker.GroupName); marked {
		pos = m.ValuePos(0)
	}
	r.diags.AddHint(pos, "add // +"+marker.GroupGoName+"=<Name> above the package clause, for example +groupGoName=X"+group.GoName,
		"group %s needs a +%s, because a Go name cannot begin with a digit", group.DisplayName(), marker.GroupGoName)
}

// addGoName records the reason for a group's Go name in each of its versions.
func (r *resolver) addGoName(group *model.Group, because string, pos token.Position) {
	for _, version := range group.Versions {
		r.result.Versions[version].Facts.add("Go name", group.GoName, because, pos)
	}
}

// reservedFolders cannot be folders of groups and versions: the go command has special rules for the first ones, and the last one
// holds code shared by all informers.
var reservedFolders = []string{"internal", "vendor", "testdata", "internalinterfaces"}

// allowed returns another name for a folder that must not be used.
func allowed(folder string) string {
	if slices.Contains(reservedFolders, folder) {
		return "api" + folder
	}
	return folder
}

// separateFolders gives each group its own folder. Folders are named after the folders of the source. Groups that would share a
// folder use their Go names instead, which are unique.
func (r *resolver) separateFolders(api *model.API) {
	users := map[string]map[*model.Group]bool{}
	for _, version := range api.Versions() {
		if users[version.GroupFolder] == nil {
			users[version.GroupFolder] = map[*model.Group]bool{}
		}
		users[version.GroupFolder][version.Group] = true
	}
	for _, group := range api.Groups {
		for _, version := range group.Versions {
			if len(users[version.GroupFolder]) > 1 {
				version.GroupFolder = strings.ToLower(group.GoName)
			}
			version.GroupFolder = allowed(version.GroupFolder)
		}
		group.Folder = group.Versions[0].GroupFolder
		label, _, _ := strings.Cut(group.Folder, ".") // upstream's rule: the folder may be named after the whole group
		group.Package = goname.Package(label)
	}
}

// checkGroups reports groups with the same Go name, and versions that two packages declare.
func (r *resolver) checkGroups(api *model.API) {
	byName := map[string]*model.Group{}
	for _, group := range api.Groups {
		key := strings.ToLower(group.GoName)
		if other, ok := byName[key]; ok {
			r.sameGoName(other, group)
		}
		byName[key] = group
		byFolder := map[string]*model.Version{}
		for _, version := range group.Versions {
			if other, ok := byFolder[version.Folder]; ok {
				r.diags.AddHint(r.result.Versions[version].Pos, "move the types into one package, or set a different +groupName for one of them",
					"packages %s and %s both declare %s", other.Source.Path, version.Source.Path, version.GV())
			}
			byFolder[version.Folder] = version
		}
	}
}

// sameGoName reports two groups with one Go name. If the name of one comes only from a folder, its +groupName may have been
// forgotten, and the two are one group.
func (r *resolver) sameGoName(a, b *model.Group) {
	hint := "add // +groupGoName=<Name> above the package clause of one of them"
	if r.calledAfterFolder(a) {
		a, b = b, a
	}
	if r.calledAfterFolder(b) {
		hint = "if they are the same group, add // +groupName=" + a.Name +
			" above this package clause, otherwise // +groupGoName=<Name> above one of them"
	}
	r.diags.AddHint(r.result.Versions[b.Versions[0]].Pos, hint,
		"groups %s and %s have the same Go name %s", a.DisplayName(), b.DisplayName(), b.GoName)
}

func (r *resolver) calledAfterFolder(group *model.Group) bool {
	facts := r.result.Versions[group.Versions[0]].Facts
	return slices.ContainsFunc(facts, func(f Fact) bool { return f.Name == "group" && f.Because == "folder" })
}

// checkVersion reports colliding kinds of one version, and generators with missing requirements.
func (r *resolver) checkVersion(version *model.Version) {
	s := r.result.Versions[version].Source
	byFile := map[string]*model.Kind{}
	for _, kind := range version.Kinds {
		if other, ok := byFile[kind.Lower()]; ok {
			r.diags.AddHint(r.result.Kinds[kind].Pos, "rename one of them, or remove +genclient from one",
				"kinds %s and %s only differ in case and would have the same files", other.Name, kind.Name)
		}
		byFile[kind.Lower()] = kind
	}
	r.check(s, func(diags *diag.List) { checkResources(s, version, diags) })
	if on := &version.Generate; on.Informer && (!on.Client || !on.Lister) && version.HasInformers() {
		m, _ := s.Markers.Get(marker.ClientGen)
		marked := !on.Client
		if on.Client {
			m, marked = s.Markers.Get(marker.ListerGen)
		}
		r.check(s, func(diags *diag.List) {
			if !marked {
				diags.AddHint(s.Start(), "add the package to listers, or remove it from informers",
					"informers need listers, but listers exclude this package")
				return
			}
			diags.AddHint(m.Pos, "add // +"+marker.InformerGen+"=false", "informers need clients and listers, but the package has +%s=false", m.Name)
		})
		on.Informer = false // if this is only a warning, skip the informers
	}
}

// keepOnlyClient leaves out the listers and informers of a version that only has a client in the checked-in output: the interface of the
// informer factory would gain a method.
func (r *resolver) keepOnlyClient(api *model.API, version *model.Version) {
	on, s := &version.Generate, r.result.Versions[version].Source
	decided, listed := r.opts.Listers != nil || r.opts.Informers != nil, version.HasListers() || version.HasInformers()
	if decided || !listed || r.opts.Existing == nil || !on.Client || !r.opts.Existing.OnlyClient(version) {
		return
	}
	on.Lister, on.Informer = false, false
	others := lists.Filter(api.Versions(), func(other *model.Version) bool { return !r.opts.Existing.OnlyClient(other) })
	list := strings.Join(lists.Map(others, func(other *model.Version) string { return other.Source.Path }), ",")
	r.diags.Warn(s.Start(), fmt.Sprintf("to be independent of the checked-in output, set --listers=%[1]s (listers: [%[1]s] in "+
		".informer-gen.yaml); add this package for listers and informers", list),
		"package %s only has a client in the checked-in output, and gets no listers and informers", s.Path)
}

// checkResources reports kinds of one version with the same resource.
func checkResources(s *source.Package, version *model.Version, diags *diag.List) {
	byResource := map[string]*model.Kind{}
	for _, kind := range version.Kinds {
		if other, ok := byResource[kind.Resource]; ok && other.Lower() != kind.Lower() {
			diags.AddHint(s.Decls[kind.Name].Pos, "set the resource of each with +resourceName",
				"kinds %s and %s have the same resource %s", other.Name, kind.Name, kind.Resource)
		}
		byResource[kind.Resource] = kind
	}
}

// versionOf returns the version that a package declares, without kinds, in a separate group.
func versionOf(s *source.Package, opts Options, diags *diag.List) (*model.Version, *Origin) {
	declared := s.GroupVersion()
	origin := &Origin{Source: s, Pos: s.Start()}
	group := &model.Group{Name: groupName(s, declared, diags, &origin.Facts)}
	if m, marked := s.Markers.Get(marker.GroupName); marked && m.Value != group.Name {
		group.Marked = cmp.Or(m.Value, "core")
	}
	v := &model.Version{
		Group: group,
		Source: model.Source{
			Path: s.Path, GroupVersion: declared.Variable,
			AddToScheme: s.AddToScheme(), Resource: s.HasResource(),
		},
		Generate: model.Activation{
			Client:   s.Activated(marker.ClientGen),
			Lister:   s.Activated(marker.ListerGen) && (opts.Listers == nil || opts.Listers(s.Package.Package)),
			Informer: s.Activated(marker.InformerGen) && (opts.Informers == nil || opts.Informers(s.Package.Package)),
			Apply:    s.Activated(marker.ApplyConfigurationGen),
		},
	}
	setFolders(s, v, declared.Version, opts)
	checkVersionName(s, v, diags)
	v.Package = goname.Package(v.Folder)
	because := "directory or package name"
	if declared.Version != "" {
		because = "variable " + declared.Variable
	}
	origin.Facts.add("version", v.Name, because, origin.Pos)
	if declared.VersionPos.IsValid() {
		diags.Warn(declared.VersionPos, "write it as a string",
			"the version in variable %s cannot be determined: using %s", declared.Variable, v.Name)
	}
	return v, origin
}

// groupName returns the group from the first existing source: the package's GroupVersion variable, which requests have, the +groupName
// marker, or the folder above the version, which is code-generator's rule.
func groupName(s *source.Package, declared source.GroupVersion, diags *diag.List, facts *Facts) string {
	m, marked := s.Markers.Get(marker.GroupName)
	name := declared.Group
	switch {
	case marked && (name == "" || name == m.Value):
		name = m.Value
		facts.addMarker("group", name, m)
	case name != "":
		facts.add("group", name, "variable "+declared.Variable, s.Start())
	default:
		if name = parentFolder(s.Path); name == "" || isAPIFolder(name) { // which cannot be the name of a group
			diags.AddHint(s.Start(), "add a comment // +groupName=<group> above the package clause",
				"cannot determine the API group of package %s", s.Path)
			return "unknown"
		}
		facts.add("group", name, "folder", s.Start())
		if declared.GroupPos.IsValid() {
			diags.Warn(declared.GroupPos, "add a comment // +groupName=<group> above the package clause",
				"the group in variable %s cannot be determined: using the folder, %s", declared.Variable, name)
		}
	}
	if name != "" && len(validation.IsDNS1123Subdomain(name)) > 0 {
		pos := s.Start()
		if marked {
			pos = m.ValuePos(0)
		}
		diags.AddHint(pos, "use a lowercase DNS name, such as apps or fleet.example.com", "invalid API group %q", name)
	}
	return name
}

// setFolders derives the names of the version. As in code-generator, folders are named after the folders of the source if the
// last of these is named after a version.
func setFolders(s *source.Package, v *model.Version, declared string, opts Options) {
	leaf := path.Base(s.Path)
	v.Folder, v.GroupFolder = leaf, parentFolder(s.Path)
	if !goname.IsVersion(leaf) {
		v.Folder = unnamedVersion(s, declared)
		if v.GroupFolder = leaf; isAPIFolder(leaf) || !strings.Contains(s.Path, "/") {
			v.GroupFolder = ""
		}
	} else if isAPIFolder(v.GroupFolder) && opts.prefersLabel(v) {
		v.GroupFolder = ""
	}
	v.GroupFolder = cmp.Or(v.GroupFolder, v.Group.FirstLabel())
	v.GroupFolder, v.Folder = strings.ToLower(v.GroupFolder), allowed(strings.ToLower(v.Folder))
	v.GoName = goname.UpperFirst(v.Folder)
	v.Name = cmp.Or(declared, v.Folder)
}

// prefersLabel reports whether the folder of a group whose versions are directly below a folder api or apis is named after the
// group: if requested, or if the output already has such a folder.
func (o Options) prefersLabel(v *model.Version) bool {
	return o.GroupFolders || !o.SourceFolders && o.Existing != nil && o.Existing.HasVersion(v.Group.FirstLabel(), v.Folder) &&
		!o.Existing.HasVersion(v.GroupFolder, v.Folder)
}

func checkVersionName(s *source.Package, v *model.Version, diags *diag.List) {
	if !isDNSLabel(v.Name) || !token.IsIdentifier(v.GoName) {
		diags.AddHint(s.Start(), "name the package after the version, as in package v1alpha1",
			"package %s: %q is not an API version", s.Path, v.Name)
	}
}

// unnamedVersion returns the version of a package whose folder is not named after a version.
func unnamedVersion(s *source.Package, declared string) string {
	if declared != "" {
		return declared
	}
	if goname.IsVersion(s.Name) {
		return s.Name
	}
	return path.Base(s.Path)
}

// parentFolder returns the name of the folder above a package; "" if the import path has no other element.
func parentFolder(importPath string) string {
	if dir, _ := path.Split(importPath); dir != "" {
		return path.Base(dir)
	}
	return ""
}

// isAPIFolder reports whether a folder has a conventional name for API packages of any group.
func isAPIFolder(name string) bool { return name == "api" || name == "apis" }
