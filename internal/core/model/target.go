package model

import "fmt"

// Target is the minor release of k8s.io/client-go that output is generated for: Target{Minor: 37} stands for v0.37. Its methods name
// capabilities that some releases lack, so templates ask for a capability and never compare versions.
type Target struct {
	Minor int
	// MergeDiff is the major version of structured-merge-diff of a release that is newer than the newest known one; otherwise "".
	MergeDiff string
}

// Limits of the supported releases.
var (
	// OldestTarget is the oldest supported release.
	OldestTarget = Target{Minor: 33}
	// OldestRuntimeTarget is the oldest release that the run-time library supports.
	OldestRuntimeTarget = Target{Minor: 36}
	// DefaultTarget is the newest final release, for modules that require none.
	DefaultTarget = Target{Minor: 37}
	// NewestTarget is the newest supported release. It may not be final.
	NewestTarget = Target{Minor: 38}
)

// Targets returns the final releases, the oldest first.
func Targets() []Target {
	var all []Target
	for minor := OldestTarget.Minor; minor <= DefaultTarget.Minor; minor++ {
		all = append(all, Target{Minor: minor})
	}
	return all
}

// String returns the release in the form of module versions: "v0.37".
func (t Target) String() string { return fmt.Sprintf("v0.%d", t.Minor) }

// DeleteWithResult reports whether clients have DeleteWithResult, a verb of its own. Since client-go v0.38.
func (t Target) DeleteWithResult() bool { return t.Minor >= 38 }

// KeepsSerializer reports whether clients keep the serializer of a rest.Config. Before code-generator v0.38 they replace it.
func (t Target) KeepsSerializer() bool { return t.Minor >= 38 }

// TrimsComments reports whether comments of apply configurations end without the blank lines before markers. Since code-generator v0.38.
func (t Target) TrimsComments() bool { return t.Minor >= 38 }

// Shards reports whether informers can be limited to a shard of all objects (KEP-5866), and factories have an option for it. Since
// client-go v0.38.
func (t Target) Shards() bool { return t.Minor >= 38 }

// TypedInformers reports whether tools/cache has informers with a type parameter, such as cache.TypedSharedIndexInformer,
// and generated informers have a typed form. Since client-go v0.37.
func (t Target) TypedInformers() bool { return t.Minor >= 37 }

// ConvertsMemory reports whether conversions copy a struct at once if both types have the same layout in memory. Before code-generator
// v0.37 they copy field by field.
func (t Target) ConvertsMemory() bool { return t.Minor >= 37 }

// Discovery returns the interface of package discovery that clientsets return. Since client-go v0.37 there is
// DiscoveryInterfaces, whose methods also exist with a context.
func (t Target) Discovery() string {
	if t.Minor >= 37 {
		return "DiscoveryInterfaces"
	}
	return "DiscoveryInterface"
}

// InformerNames reports whether tools/cache identifies informers in metrics by a cache.InformerName, and informers are created
// with InformerOptions. Since client-go v0.36.
func (t Target) InformerNames() bool { return t.Minor >= 36 }

// Runtime reports whether the run-time library supports the release. Since client-go v0.36, whose stores and informers report
// resource versions and the results of syncing.
func (t Target) Runtime() bool { return t.Minor >= OldestRuntimeTarget.Minor }

// SyncResults reports whether informer factories have StartWithContext and WaitForCacheSyncWithContext, which returns a
// cache.SyncResult. Since client-go v0.36.
func (t Target) SyncResults() bool { return t.Minor >= 36 }

// WatchListSemantics reports whether informers check if their client supports streaming lists: with the function
// cache.ToListWatcherWithWatchListSemantics, and a method of fake clientsets (KEP-3157). Since client-go v0.35.
func (t Target) WatchListSemantics() bool { return t.Minor >= 35 }

// ExtractsSubresources reports whether apply configurations can be extracted from any subresource: ExtractFooFrom, and one function for
// each subresource. Before code-generator v0.35 there is only ExtractFooStatus, whether or not the type has a status.
func (t Target) ExtractsSubresources() bool { return t.Minor >= 35 }

// ApplyInterface reports whether apply configurations implement runtime.ApplyConfiguration, and have getters for all identifying
// fields. Since apimachinery v0.34; before that they have only GetName.
func (t Target) ApplyInterface() bool { return t.Minor >= 34 }

// EmbedsUnnamed reports whether apply configurations embed by value the fields that a type embeds without a name in the json tag. Before
// code-generator v0.37 the tag must contain inline, as the tag of the result does; otherwise they embed a pointer.
func (t Target) EmbedsUnnamed() bool { return t.Minor >= 37 }

// SchemeTypeConverter reports whether package managedfields has NewSchemeTypeConverter. Since apimachinery v0.34; before that
// client-go's package testing has a TypeConverter.
func (t Target) SchemeTypeConverter() bool { return t.Minor >= 34 }

// StructuredMergeDiff returns the major version of sigs.k8s.io/structured-merge-diff that apimachinery builds on: v6 since v0.34, v7 since
// v0.38.
func (t Target) StructuredMergeDiff() string {
	switch {
	case t.MergeDiff != "":
		return t.MergeDiff
	case t.Minor >= 38:
		return "v7"
	case t.Minor >= 34:
		return "v6"
	}
	return "v4"
}
