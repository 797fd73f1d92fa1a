package model

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
)

// Kind is an API type with a generated client.
type Kind struct {
	// Name is the Go type: "NetworkPolicy". Its kind in the API is APIKind.
	Name string
	// Renamed is the kind in the API if it is not the name of the Go type, else "".
	Renamed string
	// Plural is the Go form of the plural: "NetworkPolicies".
	Plural string
	// Resource is the plural in the paths of the API: "networkpolicies".
	Resource string
	// Namespaced is false for cluster-scoped kinds.
	Namespaced bool
	// HidesName is true if the type has a field that hides the name or the namespace of its metadata.
	HidesName bool
	// HasList reports whether the API package declares the list type, PointerItems whether its items are pointers.
	HasList, PointerItems bool
	// Undefined is true if markers exclude the kind from generated CustomResourceDefinitions, because another project defines it.
	Undefined bool
	// HasStatus reports whether the type has a status that clients may update separately.
	HasStatus bool
	// NoStatus is true if a marker says that there is no status, whatever the fields.
	NoStatus bool
	// SelectableFields are the fields that field selectors can use in addition to metadata, such as "spec.nodeName".
	SelectableFields []string
	// NoVerbs removes all verbs from the client interface. They still count for the lister.
	NoVerbs bool
	// Verbs are the verbs that the markers of the type allow.
	Verbs Verbs
	// Methods are the custom methods, in the order of their markers.
	Methods []Method
	// Indexes are the lookups of the lister.
	Indexes []Index
	// ListsCopies makes the lister return deep copies.
	ListsCopies bool
	// Controller is the controller; nil if the kind has none.
	Controller *Controller

	Version *Version
}

// Method is a custom method of a client: +genclient:method.
type Method struct {
	Name        string
	Verb        Verb
	Subresource string
	// Input is the type that the method sends, Result the type that it returns: by default the kind itself.
	Input, Result Type
}

// Type names a Go type.
type Type struct {
	// Package is the import path, Name the identifier in it.
	Package, Name string
	// ApplyFolder is the folder for the generated apply configuration of the type, below the root of the apply configurations;
	// ApplyPackage is the import path of the package that already has it. Both are empty if none is needed.
	ApplyFolder, ApplyPackage string
}

// IfNamespaced returns the text if the kind is namespaced, else "".
func (k *Kind) IfNamespaced(text string) string { return textIf(k.Namespaced, text) }

func textIf(condition bool, text string) string {
	if condition {
		return text
	}
	return ""
}

// FullName returns the kind as markers spell it: "networking.k8s.io/v1.NetworkPolicy".
func (k *Kind) FullName() string {
	return k.Version.Group.DisplayName() + "/" + k.Version.Name + "." + k.Name
}

// APIKind returns the kind in the API: "NetworkPolicy".
func (k *Kind) APIKind() string { return cmp.Or(k.Renamed, k.Name) }

// List returns the name of the list type.
func (k *Kind) List() string { return k.Name + "List" }

// Lower returns the name in lower case, as in file names.
func (k *Kind) Lower() string { return strings.ToLower(k.Name) }

// Private returns the name with its first letter in lower case, as in unexported identifiers: "networkPolicy".
func (k *Kind) Private() string { return goname.LowerFirst(k.Name) }

// ClientStruct returns the unexported type that implements the client interface: "networkPolicies".
func (k *Kind) ClientStruct() string {
	name := goname.LowerFirst(k.Plural)
	return goname.Unless(name, name+"Client", inTypedPackage)
}

// fixedFiles are the files in the folders of a version that do not belong to one kind.
var fixedFiles = []string{"doc", "expansion_generated", "generated_expansion", "interface"}

// FileName returns the name of a file about the kind, with a prefix. It appends an underscore to names that another file of the
// folder has, or that end like a Go test file or build constraint (Foo_test, Foo_windows), which the go command would exclude.
func (k *Kind) FileName(prefix string) string {
	stem := prefix + k.Lower()
	if slices.Contains(fixedFiles, stem) || k.Version != nil && strings.HasSuffix(stem, k.Version.GroupFolder+"_client") {
		stem += "_"
	}
	return FileName(stem)
}

// FileName returns the name of a Go file, like FileName of a kind.
func FileName(stem string) string {
	if i := strings.LastIndex(stem, "_"); i >= 0 && slices.Contains(excluded, stem[i+1:]) {
		stem += "_"
	}
	return stem + ".go"
}

// excluded are the words after the last underscore of a file name for which the go command may exclude the file: tests, and files for one
// platform. The platforms are from "go tool dist list", with older ones that the go command still knows.
var excluded = []string{
	"test",
	"aix", "android", "darwin", "dragonfly", "freebsd", "hurd", "illumos", "ios", "js", "linux", "nacl", "netbsd",
	"openbsd", "plan9", "solaris", "wasip1", "windows", "zos",
	"386", "amd64", "amd64p32", "arm", "armbe", "arm64", "arm64be", "loong64", "mips", "mipsle", "mips64", "mips64le",
	"mips64p32", "mips64p32le", "ppc", "ppc64", "ppc64le", "riscv", "riscv64", "s390", "s390x", "sparc", "sparc64", "wasm",
}

// ClientVerbs returns the verbs of the client interface. Apply verbs need apply configurations, status verbs a status.
func (k *Kind) ClientVerbs(withApply bool) Verbs {
	if k.NoVerbs {
		return nil
	}
	verbs := k.Verbs
	if !k.HasStatus {
		verbs = verbs.Without(UpdateStatus, ApplyStatus)
	}
	if !k.applies(withApply) {
		verbs = verbs.Without(Apply, ApplyStatus)
	}
	return verbs
}

// ClientMethods returns the custom methods of the client interface.
func (k *Kind) ClientMethods(withApply bool) []Method {
	if k.NoVerbs {
		return nil
	}
	return filter(k.Methods, func(m Method) bool { return k.applies(withApply) || m.Verb != Apply })
}

// applies reports whether there are apply configurations for the kind's version.
func (k *Kind) applies(withApply bool) bool { return withApply && k.Version.Generate.Apply }

// NeedsList reports whether the client needs the list type.
func (k *Kind) NeedsList() bool {
	return !k.NoVerbs && (k.Verbs.Has(List) || k.Verbs.Has(DeleteCollection))
}

// NeedsApply reports whether the client needs the apply configuration.
func (k *Kind) NeedsApply() bool {
	verbs := k.ClientVerbs(true)
	return verbs.Has(Apply) || verbs.Has(ApplyStatus)
}

// HasInformer reports whether the kind has an informer: it must support list and watch.
func (k *Kind) HasInformer() bool {
	return k.Version.Generate.Informer && !k.NoVerbs && k.Verbs.Has(List, Watch)
}

// HasLister reports whether the kind has a lister: it supports list and get, or it has an informer, which provides a lister even
// if the API does not serve single objects.
func (k *Kind) HasLister() bool {
	return k.Version.Generate.Lister && (k.Verbs.Has(List, Get) || k.HasInformer())
}

// FoldedGroupVersion returns the last two elements of the type's package: the folder in which code-generator puts its apply configurations.
func (t Type) FoldedGroupVersion() string {
	dir, version := path.Split(t.Package)
	return path.Join(path.Base(dir), version)
}

// Alias returns the import alias of the type's package in generated code, unless it is the package of a version, which has its
// own alias: "autoscalingv1" for k8s.io/api/autoscaling/v1.
func (t Type) Alias() string {
	dir, last := path.Split(t.Package)
	name := goname.Package(path.Base(dir) + last)
	return goname.Unless(name, name+"api", inImporters)
}

// SourceName returns the name of the function that returns the source of a kind's informers: RobotSource or, if several kinds of the
// API have the same name, FleetV1RobotSource.
func (a *API) SourceName(k *Kind) string {
	for _, other := range a.Kinds() {
		if other != k && other.Name == k.Name {
			return k.Version.GroupGoVersion() + k.Name + "Source"
		}
	}
	return k.Name + "Source"
}
