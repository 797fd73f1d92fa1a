package option

// DefaultOutput is the default output directory within a module, slash-separated.
const DefaultOutput = "pkg/generated"

// The conventional directories of manifests, slash-separated.
const (
	DefaultCRDs  = "config/crd"
	DefaultRoles = "config/rbac"
)

// DefaultRoleName is the name of the role with the permissions in +kubebuilder:rbac, as in projects of kubebuilder.
const DefaultRoleName = "manager-role"

// The flags that other packages name.
const (
	OutputDirKey = "output-dir"
	KindsKey     = "kinds"
	RuntimeKey   = "runtime"
	// ExtraPeersKey, BasePeersKey, SkipUnsafeKey and GeneratedBuildTagKey are for defaults and conversions.
	ExtraPeersKey        = "extra-peer-dirs"
	BasePeersKey         = "base-peer-dirs"
	SkipUnsafeKey        = "skip-unsafe"
	GeneratedBuildTagKey = "generated-build-tag"
	ConfigKey            = "config"
	// GroupGoNamesKey has the Go names of groups.
	GroupGoNamesKey = "group-go-names"
	// SchemaKey decides about the schema of apply configurations.
	SchemaKey = "schema"
	// ListersKey and InformersKey have the packages that get listers and informers.
	ListersKey   = "listers"
	InformersKey = "informers"
	// CRDOutputDirKey has the directory of generated CustomResourceDefinitions, CRDOptionsKey how they are generated.
	CRDOutputDirKey = "crd-output-dir"
	CRDOptionsKey   = "crd-options"
	// CRDDescriptionsKey says whose comments are in CustomResourceDefinitions.
	CRDDescriptionsKey = "crd-descriptions"
	// RBACOutputDirKey has the directory of generated roles. RBACOptionsKey and RBACPathsKey say how they are generated.
	RBACOutputDirKey = "rbac-output-dir"
	RBACOptionsKey   = "rbac-options"
	RBACRoleNameKey  = "rbac-role-name"
	RBACPathsKey     = "rbac-paths"
	// ManifestsDeploymentsKey has the Deployments, StatefulSets and DaemonSets that run controllers.
	ManifestsDeploymentsKey = "manifests-deployments"
	// AllowedChangesKey has changes of CustomResourceDefinitions with reasons.
	AllowedChangesKey = "allowed-changes"
)

// Values of Skip, Folders, ListerErrors, CRDDescriptions and Kinds.
const (
	DescriptionsAll      = "all"
	DescriptionsOwn      = "own"
	Fake                 = "fake"
	FoldersSource        = "source"
	FoldersGroup         = "group"
	ListerErrorsSingular = "singular"
	ListerErrorsPlural   = "plural"
	// Roots selects controller-gen's root types.
	Roots = "roots"
)

// Options are all options, in the order of --help and of docs/flags.md.
var Options = []Option{{
	Flag: OutputDirKey, Field: "OutputDir", Kind: Directory, Unset: "pkg/generated in the module of the packages",
	Help: "output directory",
}, {
	Flag: "output-pkg", Field: "OutputPkg", Kind: ImportPath, Unset: "derived from its go.mod",
	Help: "import path of the output directory",
}, {
	Flag: "client-go", Field: "ClientGo", Kind: String, Unset: "the release that the module of the output directory uses",
	Help: "release of k8s.io/client-go to generate for, such as v0.35",
	Doc:  "release of client-go to generate for, such as `v0.35`: see [client-go.md](client-go.md)",
}, {
	Flag: "go-header-file", Field: "GoHeaderFile", Kind: File,
	Help: "file with the header of all generated files, such as a license",
	Doc: "file with the header of all generated files, such as a license. Comments only, without directives such as `//go:build`; " +
		"the word `YEAR` is removed",
}, {
	Flag: "clientset-dir", Field: "ClientsetDir", Kind: Folder, Default: "clientset/versioned",
	Help: "directory of the clientset, relative to the output directory",
	Doc:  "directory of the clientset; its last element is the package name",
}, {
	Flag: "listers-dir", Field: "ListersDir", Kind: Folder, Default: "listers",
	Help: "directory of the listers, relative to the output directory",
	Doc:  "directory of the listers",
}, {
	Flag: "informers-dir", Field: "InformersDir", Kind: Folder, Default: "informers/externalversions",
	Help: "directory of the informers, relative to the output directory",
	Doc:  "directory of the informers",
}, {
	Flag: "controllers-dir", Field: "ControllersDir", Kind: Folder, Default: "controllers",
	Help: "directory of the controllers, relative to the output directory",
	Doc:  "directory of the [controllers](controllers.md)",
}, {
	Flag: "applyconfiguration-dir", Field: "ApplyConfigurationDir", Kind: Folder, Default: "applyconfiguration",
	Help: "directory of the apply configurations, relative to the output directory",
	Doc:  "directory of the [apply configurations](output.md#apply-configurations)",
}, {
	Flag: "folders", Field: "Folders", Kind: Choice, Values: []string{FoldersSource, FoldersGroup},
	Unset: "source, unless the output already uses group",
	Help: "how to name the directory of a group whose versions are directly in api or apis: source (like that directory) or group " +
		"(the first label of the group)",
	Doc: "name of a group's folder if its versions are directly below a folder `api` or `apis`: `source` uses the name of that " +
		"folder, as code-generator does, `group` the group's first label",
}, {
	Flag: "lister-errors", Field: "ListerErrors", Kind: Choice, Values: []string{ListerErrorsSingular, ListerErrorsPlural},
	Default: ListerErrorsSingular,
	Help:    "resource name in NotFound errors of listers: singular or plural",
	Doc: "resource name in NotFound errors of listers: `singular` as in code-generator " +
		"(`robot.fleet.example.com \"x\" not found`), or `plural`",
}, {
	Flag: "external-applyconfigurations", Field: "ExternalApplyConfigurations", Kind: List,
	Help: "packages of apply configurations for types of other packages, as path.Type:package,…",
	Doc: "packages with apply configurations for types of other packages, as `import/path.Type:import/path,…`, in addition to " +
		"client-go's for metav1",
}, {
	Flag: SchemaKey, Field: "Schema", Kind: Decision, Unset: "true, unless the checked-in apply configurations have none",
	Help: "generate the schema of apply configurations, and Extract functions",
	Doc: "generate the schema of apply configurations, which server-side apply in fakes follows, and `Extract…` functions. By default, " +
		"checked-in apply configurations without a schema stay without one",
}, {
	Flag: "applyconfiguration-package", Field: "ApplyConfigurationPackage", Kind: ImportPath,
	Help: "import path of existing apply configurations to use instead of generated ones",
}, {
	Flag: ExtraPeersKey, Field: "ExtraPeers", Kind: List,
	Help: "packages whose conversion and defaulting functions count, and whose types are peers",
	Doc: "packages whose [conversion and defaulting functions](conversions.md) count for all packages, and whose types are peers, after " +
		"the packages that markers name",
}, {
	Flag: BasePeersKey, Field: "BasePeers", Kind: List, Unset: "metav1, conversion and runtime of k8s.io/apimachinery",
	Help: "packages whose conversion functions count, before extra-peer-dirs",
}, {
	Flag: SkipUnsafeKey, Field: "SkipUnsafe", Kind: Switch,
	Help: "convert types of the same memory layout field by field",
}, {
	Flag: GeneratedBuildTagKey, Field: "GeneratedBuildTag", Kind: String, Default: "ignore_autogenerated",
	Help: "build tag that excludes generated defaults and conversions",
	Doc:  "build tag that excludes generated [defaults and conversions](conversions.md), and functions in files that it excludes",
}, {
	Flag: "plural-exceptions", Field: "PluralExceptions", Kind: List,
	Help: "irregular plurals, as Kind:Plural,…",
	Doc:  "irregular plurals, as `Kind:Plural,…`",
}, {
	Flag: GroupGoNamesKey, Field: "GroupGoNames", Kind: List,
	Help: "Go names of groups, as group:Name,…",
	Doc: "Go names of groups, as `group:Name,…`, for example `fleet.example.com:Api` for `ApiV1()` in place of `FleetV1()`. " +
		"A `+groupGoName` marker takes precedence. Names in checked-in clients are kept",
}, {
	Flag: ListersKey, Field: "Listers", Kind: List, Unset: "all",
	Help: "packages that get listers, as patterns",
	Doc: "packages that get listers, as patterns such as `./apis/fleet/...`; the others have clients only. Packages with nothing but a " +
		"client in the checked-in output keep that",
}, {
	Flag: InformersKey, Field: "Informers", Kind: List, Unset: "those with listers",
	Help: "packages that get informers, as patterns",
	Doc:  "packages that get informers, as patterns. They need listers",
}, {
	Flag: "crd-dir", Field: "CRDDir", Kind: Directory,
	Help: "directory of CustomResourceDefinitions to check the types against",
	Doc:  "directory of CustomResourceDefinitions in YAML; types with another plural or scope are errors",
}, {
	Flag: CRDOutputDirKey, Field: "CRDOutputDir", Kind: Directory, Unset: "none are generated",
	Help: "directory for generated CustomResourceDefinitions, such as " + DefaultCRDs,
	Doc:  "directory for generated [CustomResourceDefinitions](cluster.md), such as `" + DefaultCRDs + "`. Other manifests may be in it",
}, {
	Flag: CRDOptionsKey, Field: "CRDOptions", Kind: List,
	Help: "options of controller-gen's generator crd, such as maxDescLen=0",
	Doc:  "options of controller-gen's generator `crd`, such as `maxDescLen=0`: see [cluster.md](cluster.md#options-of-controller-gen)",
}, {
	Flag: CRDDescriptionsKey, Field: "CRDDescriptions", Kind: Choice, Values: []string{DescriptionsAll, DescriptionsOwn},
	Unset: DescriptionsAll + ", with a warning about definitions that become too large",
	Help:  "whose comments are in CustomResourceDefinitions: all, or own (without types of other modules)",
	Doc: "whose comments are in CustomResourceDefinitions: `all`, or `own`, without comments of types of other modules: see " +
		"[Size](cluster.md#size)",
}, {
	Flag: RBACOutputDirKey, Field: "RBACOutputDir", Kind: Directory, Unset: "none are generated",
	Help: "directory for generated roles, such as " + DefaultRoles,
	Doc:  "directory for generated [roles](cluster.md#roles), such as `" + DefaultRoles + "`. Other manifests may be in it",
}, {
	Flag: "rbac-namespaces", Field: "RBACNamespaces", Kind: List, Unset: "all",
	Help: "namespaces that controllers are limited to",
	Doc:  "namespaces that controllers are limited to: Roles in them, in place of ClusterRoles",
}, {
	Flag: RBACRoleNameKey, Field: "RBACRoleName", Kind: String,
	Unset: "the name of the controller, and " + DefaultRoleName + " for +kubebuilder:rbac",
	Help:  "name of all roles",
}, {
	Flag: RBACPathsKey, Field: "RBACPaths", Kind: List, Unset: "all of the module",
	Help: "packages with +kubebuilder:rbac, as patterns",
	Doc:  "packages whose `+kubebuilder:rbac` markers count, as patterns such as `./internal/...`",
}, {
	Flag: RBACOptionsKey, Field: "RBACOptions", Kind: List,
	Help: "options of controller-gen's generator rbac, such as fileName=role.yaml",
	Doc:  "options of controller-gen's generator `rbac`: `fileName`, `headerFile` and `year`",
}, {
	Flag: ManifestsDeploymentsKey, Field: "ManifestsDeployments", Kind: List,
	Help: "Deployments, StatefulSets and DaemonSets that run controllers, for verify --manifests",
	Doc:  "names of Deployments, StatefulSets and DaemonSets that run controllers, for [`verify --manifests`](cluster.md#charts-and-bundles)",
}, {
	Flag: AllowedChangesKey, Field: "AllowedChanges", Kind: List,
	Help: `changes of CustomResourceDefinitions that verify --against allows, each as "change: reason"`,
	Doc: "changes that `verify --against` allows, each as `change: reason`: see " +
		"[Changes of CustomResourceDefinitions](ci.md#changes-of-customresourcedefinitions)",
}, {
	Flag: "prefers-protobuf", Field: "PrefersProtobuf", Kind: Switch,
	Help: "make clients request protobuf",
}, {
	Flag: "gvk-constants", Field: "GVKConstants", Kind: Switch,
	Help: "declare FooGVK and FooGVR for each kind Foo in the API package",
	Doc:  "declare `FooGVK` and `FooGVR` for each kind `Foo` in the [registration](output.md#registration)",
}, {
	Flag: RuntimeKey, Field: "Runtime", Kind: Decision, Unset: "true if a marker needs it",
	Help: "generate code that uses the run-time library: informers of many namespaces, typed lookups, strict fakes, controllers",
	Doc: "generate code that uses the [run-time library](runtime.md). By default, markers decide: `+informergen:controller`, " +
		"`+informergen:index` and `+informergen:lister` need the library. With `false`, such markers are errors",
}, {
	Flag: KindsKey, Field: "Kinds", Kind: Choices, Values: []string{Roots},
	Help: "kinds to generate clients for in addition to those with +genclient: " + Roots +
		" (types with +kubebuilder:object:root=true and a list type)",
	Doc: "`roots`: types with `+kubebuilder:object:root=true` and a list type get clients without `+genclient`: " +
		"see [usage.md](usage.md#a-kubebuilder-project)",
}, {
	Flag: "only", Field: "Only", Kind: Generators,
	Help: "only run these generators",
}, {
	Flag: "skip", Field: "Skip", Kind: Generators,
	Help: "do not run these generators; " + Fake + " is the fake clientset",
	Doc:  "do not run these generators. `" + Fake + "` is the fake clientset; checked-in clientsets without it stay without one",
}, {
	Flag: "strict", Field: "Strict", Kind: Switch,
	Help: "treat warnings as errors",
	Doc:  "treat [warnings](usage.md#errors-and-warnings) as errors",
}, warningsOff, {
	Flag: "adopt", Field: "Adopt", Kind: Switch,
	Help: "replace the output of code-generator in the output directories and API packages; run migrate --check first",
	Doc: "also remove files that upstream's generators wrote: see [Existing files](files.md). `migrate --check` shows " +
		"beforehand that no exported API changes",
}, {
	Flag: "prune", FlagOnly: true, Field: "Prune", Kind: Switch,
	Help: "remove generated files of packages that are not part of this run; implied if the packages come from a configuration file",
	Doc: "remove generated files of packages that the run does not name: see [Existing files](files.md). Implied if the " +
		"packages come from a configuration file",
}, {
	Flag: "force", Field: "Force", Kind: Switch,
	Help: "overwrite generated files that were edited",
}, {
	Flag: "accept-loss", FlagOnly: true, Field: "AcceptLoss", Kind: Files,
	Help: "files, or directories of files, that may lose what only they have when they are replaced",
	Doc: "files, or directories of files, that may lose [what only they have](files.md#nothing-is-lost) when they are replaced, such as the " +
		"conversion webhook of a checked-in CustomResourceDefinition",
}, {
	Flag: "build-tags", Field: "BuildTags", Kind: List,
	Help: "build tags for reading packages",
}, {
	Flag: ConfigKey, FlagOnly: true, Field: "ConfigFile", Kind: File, Extensions: []string{"yaml", "yml"}, Default: FileName,
	Help: "configuration file with these flags, by default in the module root; empty for none",
	Doc:  "[configuration file](configuration.md) with these flags, by default next to `go.mod`; empty for none",
}}
