package contract

import (
	"context"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/dynamic"
	dynamicfake "k8s.io/client-go/dynamic/fake"
	"k8s.io/client-go/kubernetes"
	kubefake "k8s.io/client-go/kubernetes/fake"
	kubescheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/metadata"
	metadatafake "k8s.io/client-go/metadata/fake"

	"github.com/informer-gen-lite/informer-gen-lite/crdfake"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/scheme"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake"
	"github.com/informer-gen-lite/informer-gen-lite/test/contract/conversion"
)

// Fake is a constructor of fake clientsets.
type Fake struct {
	Name string
	// CRDs reports whether the clientset knows the CustomResourceDefinitions.
	CRDs bool
	// Differences are the probes that the clientset does not answer as a server does, with reasons. They are nil for fakes that
	// do not promise to behave like a server.
	Differences map[string]string
	// New returns a clientset. Its server has the feature gate ShardedListAndWatch, or not; some fakes have no such servers.
	New func(sharded bool) (versioned.Interface, error)
}

// Fakes returns the constructors of the generated package. The last one knows the definitions.
func Fakes(definitions []*apiextensionsv1.CustomResourceDefinition) []Fake {
	return []Fake{
		{Name: "NewSimpleClientset", New: func(bool) (versioned.Interface, error) {
			return plain{fake.NewSimpleClientset(), kubefake.NewSimpleClientset}, nil
		}},
		{Name: "NewClientset", New: func(bool) (versioned.Interface, error) {
			return plain{fake.NewClientset(), kubefake.NewClientset}, nil
		}},
		{Name: "NewStrictClientset", Differences: differences, New: func(sharded bool) (versioned.Interface, error) {
			return newStrict(sharded), nil
		}},
		{Name: "NewStrictClientset, crdfake", CRDs: true, Differences: differences, New: func(sharded bool) (versioned.Interface, error) {
			client := newStrict(sharded)
			return described{client}, crdfake.Use(client, definitions...)
		}},
	}
}

// plain is a clientset of client-go's fakes, with the constructor of the one for the kinds of Kubernetes.
type plain struct {
	versioned.Interface
	kubernetes func(...runtime.Object) *kubefake.Clientset
}

// BuiltIn implements BuiltInKinds.
func (p plain) BuiltIn() (kubernetes.Interface, error) { return p.kubernetes(), nil }

// described is a strict clientset that takes definitions.
type described struct{ *served }

// Define implements Definer. A clientset of its own uses the definition.
func (described) Define(_ context.Context, crd *apiextensionsv1.CustomResourceDefinition) error {
	return crdfake.Use(newStrict(false), crd)
}

// served is a strict clientset with its server.
type served struct {
	*fake.Clientset

	server *strictfake.Server
}

// Untyped implements Untyper.
func (s *served) Untyped() (dynamic.Interface, error) {
	// The fake guesses the plural of Relay wrong, and does not know the kinds of Kubernetes.
	client := dynamicfake.NewSimpleDynamicClientWithCustomListKinds(scheme.Scheme, map[schema.GroupVersionResource]string{
		relayResource: "RelayList", secretResource: "SecretList",
	})
	return client, s.server.ServeUntyped(client)
}

// Metadata implements MetadataClient.
func (s *served) Metadata() (metadata.Interface, error) {
	client := metadatafake.NewSimpleMetadataClient(metadatafake.NewTestScheme())
	return client, s.server.ServeUntyped(client)
}

// BuiltIn implements BuiltInKinds.
func (s *served) BuiltIn() (kubernetes.Interface, error) {
	client := kubefake.NewClientset()
	return client, s.server.Serve(client, kubescheme.Scheme, applyconfigurations.NewTypeConverter(kubescheme.Scheme))
}

// newStrict returns a strict clientset with the features of the server: a conversion webhook and no garbage collector.
func newStrict(sharded bool) *served {
	server := strictfake.NewServer(strictfake.WithGarbageCollection(false), strictfake.WithConversion(conversion.ConvertObject),
		strictfake.WithShardedListAndWatch(sharded))
	return &served{fake.NewStrictClientsetFor(server), server}
}

// Score counts the probes of a group and those that a fake answers like a server.
type Score struct{ Probes, Agree int }

// CRDGroup is the group name for all probes that need a CustomResourceDefinition.
const CRDGroup = "CustomResourceDefinition"

// Scores compares answers with those of a server, by group. Probes that need a CustomResourceDefinition form a separate group.
func Scores(truth, answers map[string]string) map[string]Score {
	scores := map[string]Score{}
	for _, probe := range All() {
		group := probe.Group()
		if probe.NeedsCRD {
			group = CRDGroup
		}
		score := scores[group]
		score.Probes++
		if answers[probe.Name] == truth[probe.Name] {
			score.Agree++
		}
		scores[group] = score
	}
	return scores
}

// Unexpected returns the probes that a fake answers differently without a reason, and those with a reason but no difference.
func (f Fake) Unexpected(truth, answers map[string]string) (differ, agree []string) {
	for _, probe := range All() {
		if probe.NeedsCRD && !f.CRDs {
			continue
		}
		same := answers[probe.Name] == truth[probe.Name]
		switch reason := f.Differences[probe.Name]; {
		case !same && reason == "":
			differ = append(differ, probe.Name)
		case same && reason != "":
			agree = append(agree, probe.Name)
		}
	}
	return differ, agree
}
