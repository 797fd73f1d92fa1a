package controllertest

import (
	"fmt"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	kubeapply "k8s.io/client-go/applyconfigurations"
	kubefake "k8s.io/client-go/kubernetes/fake"
	kubescheme "k8s.io/client-go/kubernetes/scheme"
	clienttesting "k8s.io/client-go/testing"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/fakes"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake"
)

// Env is the environment of a reconciler in a test: a server with its fake clientsets, and a recorder of events.
type Env struct {
	// Recorder is the event recorder to pass to the reconciler.
	Recorder *Recorder
	// Server holds the objects of all clientsets.
	Server *strictfake.Server

	t      testing.TB
	fakes  []*clienttesting.Fake
	writes *writes
}

// New returns an environment for fake clientsets that have the same server: strict clientsets that a generator has written, and client-go's
// fake clientset, which New makes strict if it is not. Other clientsets need [NewWithServer]. If New fails, it ends the test.
//
//	client, kube := fake.NewStrictClientset(), kubefake.NewClientset()
//	env := controllertest.New(t, client, kube)
func New(t testing.TB, clients ...strictfake.Clientset) *Env {
	t.Helper()
	for _, client := range clients {
		if server := serverOf(client); server != nil {
			return NewWithServer(t, server, clients...)
		}
	}
	return NewWithServer(t, strictfake.NewServer(), clients...)
}

// NewWithServer is [New] for fake clientsets that were passed to [strictfake.Server.Serve].
func NewWithServer(t testing.TB, server *strictfake.Server, clients ...strictfake.Clientset) *Env {
	t.Helper()
	e := &Env{Recorder: &Recorder{}, Server: server, t: t, writes: &writes{}}
	for _, client := range clients {
		if err := e.add(client); err != nil {
			t.Fatalf("%v", err)
		}
	}
	return e
}

// serverOf returns the server of a strict clientset, or nil.
func serverOf(client strictfake.Clientset) *strictfake.Server {
	type server interface{ Server() *strictfake.Server }
	if strict, ok := client.(server); ok {
		return strict.Server()
	}
	if tracking, ok := client.(interface {
		Tracker() clienttesting.ObjectTracker
	}); ok {
		if strict, ok := tracking.Tracker().(server); ok {
			return strict.Server()
		}
	}
	return nil
}

// add adds a clientset.
func (e *Env) add(client strictfake.Clientset) error {
	if kube, ok := client.(*kubefake.Clientset); ok && !e.Server.Serves(kube) {
		err := e.Server.Serve(kube, kubescheme.Scheme, kubeapply.NewTypeConverter(kubescheme.Scheme))
		if err != nil {
			return fmt.Errorf("fake clientset for built-in kinds: %w", err)
		}
	}
	if !e.Server.Serves(client) {
		return fmt.Errorf("the server does not serve the %T: call its method Serve, and pass the server to NewWithServer", client)
	}
	fake, err := fakes.Of(client)
	if err != nil {
		return err
	}
	e.fakes = append(e.fakes, fake)
	return nil
}

// addObjects adds copies of objects to the server.
func (e *Env) addObjects(objects []runtime.Object) {
	e.t.Helper()
	for _, object := range objects {
		if err := e.Server.Add(object.DeepCopyObject()); err != nil {
			e.t.Fatalf("add object: %v", err)
		}
	}
}

// recordWrites starts to record the writes of all clientsets.
func (e *Env) recordWrites() {
	for _, fake := range e.fakes {
		for i, reactor := range fake.ReactionChain {
			if _, ok := reactor.(recording); !ok {
				fake.ReactionChain[i] = recording{reactor, e.writes}
			}
		}
	}
}
