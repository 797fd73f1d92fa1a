package controllertest

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	kubefake "k8s.io/client-go/kubernetes/fake"     //emit:if OwnsBuiltIn
	kubescheme "k8s.io/client-go/kubernetes/scheme" //emit:if OwnsBuiltIn
	clienttesting "k8s.io/client-go/testing"

	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/scheme"
)

// Clients are the fakes that a reconciler works with. There is one for built-in kinds, Kube, if any generated controller owns
// objects of these.
type Clients struct {
	Client   *fake.Clientset
	Kube     *kubefake.Clientset //emit:if OwnsBuiltIn
	Recorder *Recorder
}

// newFakes are the constructors of the fake clientset. The last one is used: it supports server-side apply, if clients have
// that.
var newFakes = []func(...runtime.Object) *fake.Clientset{
	fake.NewSimpleClientset,
	fake.NewClientset, //emit:if WithApply
}

func newClients() Clients {
	return Clients{
		Client:   newFakes[len(newFakes)-1](),
		Kube:     kubefake.NewClientset(), //emit:if OwnsBuiltIn
		Recorder: &Recorder{},
	}
}

// clientset is a fake clientset with the scheme of its kinds.
type clientset struct {
	scheme  *runtime.Scheme
	tracker clienttesting.ObjectTracker
	fake    *clienttesting.Fake
}

func (c Clients) clientsets() []clientset {
	return []clientset{
		{scheme.Scheme, c.Client.Tracker(), &c.Client.Fake},
		{kubescheme.Scheme, c.Kube.Tracker(), &c.Kube.Fake}, //emit:if OwnsBuiltIn
	}
}

// add puts an object into the clientset that knows its type.
func (c Clients) add(object runtime.Object) error {
	for _, known := range c.clientsets() {
		if _, _, err := known.scheme.ObjectKinds(object); err == nil {
			return known.tracker.Add(object)
		}
	}
	return fmt.Errorf("no fake clientset knows the type %T", object)
}

// recordWrites records the writes of all clientsets from now on.
func (c Clients) recordWrites() *writes {
	all := &writes{}
	for _, known := range c.clientsets() {
		for i, reactor := range known.fake.ReactionChain {
			known.fake.ReactionChain[i] = recording{reactor, all}
		}
	}
	return all
}
