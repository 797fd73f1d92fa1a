package scaffold

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

// Kustomization is the file that ties the manifests together, relative to the directory to scaffold in.
const Kustomization = "config/kustomization.yaml"

// Controlled is a kind with a controller, and what the files for all kinds need to know of it.
type Controlled struct {
	Kind   *model.Kind
	Layout *model.Layout
	// Namespaces are those that the controller is limited to; none for all. RoleName is the name of its generated roles; "" for its own.
	Namespaces []string
	RoleName   string
	// CRDs is the directory of the CustomResourceDefinitions, and RoleFile the file with the generated roles, relative to the directory to
	// scaffold in.
	CRDs, RoleFile string
}

// operator is the template data of files about several kinds: of the command that runs their controllers, and of its manifests.
type operator struct {
	Kinds       []Controlled
	Destination Destination
}

// OperatorName returns the name of the command that runs all controllers of a module, which is also the name of its objects in the cluster.
func OperatorName(modulePath string) string {
	base := path.Base(modulePath)
	if isMajor(base) {
		base = path.Base(path.Dir(modulePath))
	}
	base = strings.Trim(notInNames().ReplaceAllString(strings.ToLower(base), "-"), "-")
	base = strings.Trim(base[:min(len(base), 40)], "-") // a label has 63 characters, and names get endings
	for _, ending := range []string{"operator", "controller", "manager"} {
		if strings.HasSuffix(base, ending) {
			return base
		}
	}
	return strings.TrimPrefix(base+"-operator", "-")
}

// notInNames matches what names of objects cannot have.
var notInNames = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^a-z0-9]+`) })

// Command returns the name of the command.
func (o operator) Command() string { return o.Destination.Operator }

// CommandPackage returns the import path of the command.
func (o operator) CommandPackage() string { return CommandPackage(o.Destination) }

// CommandPackage returns the import path of the command that runs all controllers.
func CommandPackage(d Destination) string { return path.Join(d.ImportPath, "cmd", d.Operator) }

// MainFile is the main function of a command, relative to the directory to scaffold in.
func MainFile(command string) string { return path.Join("cmd", command, "main.go") }

// ClusterNamespace returns the namespace that the command runs in, which is not kube-system: that has its own pods and labels.
func (o operator) ClusterNamespace() string {
	name := strings.TrimSuffix(o.Command(), "-operator")
	if name == "" || name == "kube" {
		name = o.Command()
	}
	return name + "-system"
}

// Image returns the name of an image that no registry has, so that nothing else is run by mistake.
func (o operator) Image() string { return "example.invalid/" + o.Command() }

// NamespaceFlag returns the flag that limits the command to the namespaces of its roles; "" if they allow all, or differ.
func (o operator) NamespaceFlag() string {
	var namespaces []string
	for i, kind := range o.Kinds {
		if i > 0 && !slices.Equal(kind.Namespaces, namespaces) {
			return ""
		}
		namespaces = kind.Namespaces
	}
	if len(namespaces) == 0 {
		return ""
	}
	return "--namespace=" + strings.Join(namespaces, ",")
}

// bindingFile is the manifest of the service account of a command and its bindings, relative to the directory to scaffold in.
func bindingFile(command string) string { return path.Join("config/rbac", command+".yaml") }

func (o operator) monitoringDir() string { return path.Join("config/monitoring", o.Command()) }

// Controllers returns the packages of the reconcilers.
func (o operator) Controllers() (packages []importView) {
	imports := goname.NewImports(goname.NewScope(goname.Templates("scaffold/main*")))
	for _, kind := range o.Kinds {
		name := goname.Package(kind.Kind.Lower())
		importPath := path.Join(o.Destination.ImportPath, reconcilerDir(kind.Kind))
		packages = append(packages, importView{imports.Alias(importPath, name, name+"controller"), importPath})
	}
	return packages
}

// Resources returns the manifests relative to the kustomization, generated ones first. Kustomize reads files below it only.
func (o operator) Resources() []string {
	var resources []string
	add := func(name string) {
		if name, below := strings.CutPrefix(name, path.Dir(Kustomization)+"/"); below && !slices.Contains(resources, name) {
			resources = append(resources, name)
		}
	}
	for _, kind := range o.Kinds {
		for _, stored := range kind.stored() {
			add(path.Join(kind.CRDs, stored.DefinitionFile()))
		}
	}
	for _, kind := range o.Kinds {
		add(kind.RoleFile)
	}
	add(bindingFile(o.Command()))
	add(path.Join("config/deploy", o.Command()+".yaml"))
	return resources
}

// stored returns the kind and its related kinds whose definitions are generated.
func (c Controlled) stored() []*model.Kind {
	kinds := []*model.Kind{c.Kind}
	for _, related := range c.Kind.Controller.Related() {
		if related.Kind != nil && !related.Kind.Undefined {
			kinds = append(kinds, related.Kind)
		}
	}
	return kinds
}

func (c Controlled) roleName() string { return cmp.Or(c.RoleName, c.Kind.ControllerName()) }
