package controllertest

import (
	"testing"

	kubefake "k8s.io/client-go/kubernetes/fake" //emit:if OwnsBuiltIn
	clienttesting "k8s.io/client-go/testing"

	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
)

// Clients are the fake clientsets of a reconciler. Kube, for built-in kinds, only exists if a generated controller owns such
// objects.
type Clients struct {
	Client   *fake.Clientset
	Kube     *kubefake.Clientset //emit:if OwnsBuiltIn
	Recorder *Recorder
}

// newClients returns strict clientsets, which behave like an API server.
func newClients(t testing.TB) Clients {
	t.Helper()
	clients := Clients{
		Client:   fake.NewStrictClientset(),
		Kube:     kubefake.NewClientset(), //emit:if OwnsBuiltIn
		Recorder: &Recorder{},
	}
	serve(t, clients) //emit:if OwnsBuiltIn
	return clients
}

func (c Clients) fakes() []*clienttesting.Fake {
	return []*clienttesting.Fake{
		&c.Client.Fake,
		&c.Kube.Fake, //emit:if OwnsBuiltIn
	}
}

// recordWrites starts to record the writes of all clientsets.
func (c Clients) recordWrites() *writes {
	all := &writes{}
	for _, known := range c.fakes() {
		for i, reactor := range known.ReactionChain {
			known.ReactionChain[i] = recording{reactor, all}
		}
	}
	return all
}
