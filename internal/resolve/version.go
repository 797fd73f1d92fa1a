package resolve

import (
	"cmp"
	"go/token"
	"path"
	"strings"

	validation "k8s.io/apimachinery/pkg/api/validate/content"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/resolve/source"
)

// versionOf returns the version that a package declares, without kinds, in a separate group.
func versionOf(s *source.Package, opts Options, diags *diag.List) (*model.Version, *Origin) {
	declared := s.GroupVersion()
	origin := &Origin{Source: s, Pos: s.Start()}
	v := &model.Version{
		Group: &model.Group{Name: groupName(s, declared, diags, &origin.Facts)},
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

// groupName returns the group from the first existing source: the +groupName marker, the package's GroupVersion variable, or the
// folder above the version, which is code-generator's rule.
func groupName(s *source.Package, declared source.GroupVersion, diags *diag.List, facts *Facts) string {
	m, marked := s.Markers.Get(marker.GroupName)
	name := declared.Group
	if marked {
		name = m.Value
		facts.addMarker("group", name, m)
		if declared.Group != "" && declared.Group != name {
			diags.AddHint(m.Pos, "use the same group in both",
				"+groupName=%s contradicts the group %q of this package's GroupVersion variable", name, declared.Group)
		}
	}
	if !marked && name == "" {
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
	} else if !marked {
		facts.add("group", name, "variable "+declared.Variable, s.Start())
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
	if v.GroupFolder == "" {
		v.GroupFolder = v.Group.FirstLabel()
	}
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
