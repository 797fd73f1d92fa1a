package contract

import (
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
)

// Fake is a constructor of fake clientsets.
type Fake struct {
	Name string
	New  func() versioned.Interface
}

// Fakes returns the constructors of the generated package.
func Fakes() []Fake {
	return []Fake{
		{Name: "NewSimpleClientset", New: func() versioned.Interface { return fake.NewSimpleClientset() }},
		{Name: "NewClientset", New: func() versioned.Interface { return fake.NewClientset() }},
	}
}

// Score counts the probes of a group and those that a fake answers as a server does.
type Score struct{ Probes, Agree int }

// CRDGroup is the name under which probes are counted that need a CustomResourceDefinition, of all groups.
const CRDGroup = "CustomResourceDefinition"

// Scores compares answers with those of a server, by group. Probes that need a CustomResourceDefinition are a group of
// their own.
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
