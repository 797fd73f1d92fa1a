package strictfake

import (
	"context"
	stdtesting "testing"

	"github.com/stretchr/testify/require"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/gentype"
	"k8s.io/client-go/testing"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
	fleetv1beta1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1beta1"
	fleetv1apply "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/applyconfiguration/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned/fake"
)

// oddVersion is the version of an oddClientset.
var oddVersion = fleetv1.SchemeGroupVersion

func oddScheme(t stdtesting.TB) *runtime.Scheme {
	t.Helper()
	scheme := runtime.NewScheme()
	require.NoError(t, fleetv1.AddToScheme(scheme))
	return scheme
}

// oddClientset is a clientset as markers that limit verbs make it: each of its clients has one verb.
type oddClientset struct{ testing.Fake }

func (c *oddClientset) OddV1() oddV1 { return oddGroup{&c.Fake} }

// Tracker and Nothing have the form of methods for groups, but are none.
func (c *oddClientset) Tracker() testing.ObjectTracker { return nil }
func (c *oddClientset) Nothing() oddV1                 { return nil }

type oddV1 interface {
	Created(namespace string) creator
	Deleted() deleter
	Listed() lister
	Applied(namespace string) applier
	Idle() interface {
		Evict(ctx context.Context) error
	}
}

type creator interface {
	Create(ctx context.Context, object *fleetv1.Workload, opts metav1.CreateOptions) (*fleetv1.Workload, error)
	Rescale(ctx context.Context, name string, opts metav1.PatchOptions) (*autoscalingv1.Scale, error)
}

type deleter interface {
	Delete(ctx context.Context, name string, opts metav1.DeleteOptions) error
}

type lister interface {
	List(ctx context.Context, opts metav1.ListOptions) (*fleetv1.ChassisList, error)
	// Get is not the verb.
	Get() string
}

type applier interface {
	Apply(ctx context.Context, c *fleetv1apply.WorkloadRevisionApplyConfiguration,
		opts metav1.ApplyOptions) (*fleetv1.WorkloadRevision, error)
}

type oddGroup struct{ fake *testing.Fake }

func (g oddGroup) Created(namespace string) creator {
	return oddCreator{gentype.NewFakeClient(g.fake, namespace, oddVersion.WithResource("workloads"), oddVersion.WithKind("Workload"),
		func() *fleetv1.Workload { return &fleetv1.Workload{} })}
}

func (g oddGroup) Deleted() deleter {
	return gentype.NewFakeClient(g.fake, "", oddVersion.WithResource("regions"), oddVersion.WithKind("Region"),
		func() *fleetv1.Region { return &fleetv1.Region{} })
}

func (g oddGroup) Listed() lister { return oddLister(g) }

func (g oddGroup) Applied(namespace string) applier {
	return gentype.NewFakeClientWithApply[*fleetv1.WorkloadRevision, *fleetv1apply.WorkloadRevisionApplyConfiguration](
		g.fake, namespace, oddVersion.WithResource("workloadrevisions"), oddVersion.WithKind("WorkloadRevision"),
		func() *fleetv1.WorkloadRevision { return &fleetv1.WorkloadRevision{} })
}

func (g oddGroup) Idle() interface {
	Evict(ctx context.Context) error
} {
	panic("it has no verbs") //nolint:forbidigo // a call is a bug
}

type oddCreator struct {
	*gentype.FakeClient[*fleetv1.Workload]
}

func (oddCreator) Rescale(context.Context, string, metav1.PatchOptions) (*autoscalingv1.Scale, error) {
	panic("it is not a verb") //nolint:forbidigo // a call is a bug
}

// oddLister is a client that is not made of gentype, as those of older generators.
type oddLister struct{ fake *testing.Fake }

func (l oddLister) List(_ context.Context, opts metav1.ListOptions) (*fleetv1.ChassisList, error) {
	action := testing.NewRootListActionWithOptions(oddVersion.WithResource("chassis"), oddVersion.WithKind("Chassis"), opts)
	object, err := l.fake.Invokes(action, &fleetv1.ChassisList{})
	if object == nil {
		return nil, err
	}
	return object.(*fleetv1.ChassisList), err
}

func (oddLister) Get() string { return "" }

// delegating does not embed a clientset.
type delegating struct {
	Clientset Clientset
}

func (d *delegating) Invokes(action testing.Action, object runtime.Object) (runtime.Object, error) {
	return d.Clientset.Invokes(action, object)
}
func (d *delegating) Actions() []testing.Action { return d.Clientset.Actions() }
func (d *delegating) PrependReactor(verb, resource string, reaction testing.ReactionFunc) {
	d.Clientset.PrependReactor(verb, resource, reaction)
}

func (d *delegating) PrependWatchReactor(resource string, reaction testing.WatchReactionFunc) {
	d.Clientset.PrependWatchReactor(resource, reaction)
}

// borrowing has the clients of another clientset.
type borrowing struct {
	testing.Fake
	of *oddClientset
}

func (b *borrowing) OddV1() oddV1 { return b.of.OddV1() }

// panicking has a method that panics.
type panicking struct{ testing.Fake }

func (*panicking) OddV1() oddV1 {
	panic("not today") //nolint:forbidigo // Serve reports it
}

// otherType has another Go type for the kind Workload.
type otherType struct{ testing.Fake }

type otherV1 interface {
	Workloads(namespace string) otherClient
}

type otherClient interface {
	Get(ctx context.Context, name string, opts metav1.GetOptions) (*fleetv1beta1.Workload, error)
}

type otherGroup struct{ fake *testing.Fake }

func (o *otherType) OtherV1() otherV1 { return otherGroup{&o.Fake} }

func (g otherGroup) Workloads(namespace string) otherClient {
	return gentype.NewFakeClient(g.fake, namespace, oddVersion.WithResource("workloads"), oddVersion.WithKind("Workload"),
		func() *fleetv1beta1.Workload { return &fleetv1beta1.Workload{} })
}

var _ Clientset = &fake.Clientset{}
