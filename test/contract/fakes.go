package contract

import (
	"context"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/client-go/dynamic"
	dynamicfake "k8s.io/client-go/dynamic/fake"

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
	New         func() (versioned.Interface, error)
}

// Fakes returns the constructors of the generated package. The last one knows the definitions.
func Fakes(definitions []*apiextensionsv1.CustomResourceDefinition) []Fake {
	return []Fake{
		{Name: "NewSimpleClientset", New: func() (versioned.Interface, error) { return fake.NewSimpleClientset(), nil }},
		{Name: "NewClientset", New: func() (versioned.Interface, error) { return fake.NewClientset(), nil }},
		{Name: "NewStrictClientset", Differences: differences, New: func() (versioned.Interface, error) { return newStrict(), nil }},
		{Name: "NewStrictClientset, crdfake", CRDs: true, Differences: differences, New: func() (versioned.Interface, error) {
			client := newStrict()
			return described{client}, crdfake.Use(client, definitions...)
		}},
	}
}

// described is a strict clientset that takes definitions.
type described struct{ *served }

// Define implements Definer. A clientset of its own uses the definition.
func (described) Define(_ context.Context, crd *apiextensionsv1.CustomResourceDefinition) error {
	return crdfake.Use(newStrict(), crd)
}

// served is a strict clientset with its server.
type served struct {
	*fake.Clientset

	server *strictfake.Server
}

// Untyped implements Untyper.
func (s *served) Untyped() (dynamic.Interface, error) {
	client := dynamicfake.NewSimpleDynamicClient(scheme.Scheme)
	return client, s.server.ServeUntyped(client)
}

// newStrict returns a strict clientset with the features of the server: a conversion webhook and no garbage collector.
func newStrict() *served {
	server := strictfake.NewServer(strictfake.WithGarbageCollection(false), strictfake.WithConversion(conversion.ConvertObject))
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
