package contract

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	edgev1alpha1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/edge/v1alpha1"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	fleetv1beta1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1beta1"
	edgev1alpha1ac "github.com/informer-gen-lite/informer-gen-lite/examples/generated/applyconfiguration/edge/v1alpha1"
	edgev1alpha1client "github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/typed/edge/v1alpha1"
	fleetv1client "github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/typed/fleet/v1"
	fleetv1beta1client "github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/typed/fleet/v1beta1"
)

// The options of most requests.
var (
	create = metav1.CreateOptions{}
	update = metav1.UpdateOptions{}
	remove = metav1.DeleteOptions{}
	get    = metav1.GetOptions{}
	all    = metav1.ListOptions{}
)

// finalizer keeps deleted objects.
const finalizer = "example.com/wait"

// The clients of the kinds that most probes use. Relays have a status and no defaults, heartbeats have a status that is
// not a subresource, tunnels have a default, workloads a scale and a selectable field; regions and traffic classes are
// cluster-scoped.

func (p *P) relays() edgev1alpha1client.RelayInterface {
	return p.client.EdgeNetworkV1alpha1().Relays(p.namespace)
}

func (p *P) relaysIn(namespace string) edgev1alpha1client.RelayInterface {
	return p.client.EdgeNetworkV1alpha1().Relays(namespace)
}

func (p *P) tunnels() edgev1alpha1client.TunnelInterface {
	return p.client.EdgeNetworkV1alpha1().Tunnels(p.namespace)
}

func (p *P) classes() edgev1alpha1client.TrafficClassInterface {
	return p.client.EdgeNetworkV1alpha1().TrafficClasses()
}

func (p *P) workloads() fleetv1client.WorkloadInterface {
	return p.client.FleetV1().Workloads(p.namespace)
}

func (p *P) oldWorkloads() fleetv1beta1client.WorkloadInterface {
	return p.client.FleetV1beta1().Workloads(p.namespace)
}

func (p *P) heartbeats() fleetv1client.HeartbeatInterface {
	return p.client.FleetV1().Heartbeats(p.namespace)
}

func (p *P) regions() fleetv1client.RegionInterface { return p.client.FleetV1().Regions() }

// relay returns a valid relay, changed by mutate.
func relay(name string, mutate ...func(*edgev1alpha1.Relay)) *edgev1alpha1.Relay {
	r := &edgev1alpha1.Relay{ObjectMeta: metav1.ObjectMeta{Name: name}}
	r.Spec.MTU = 1400
	for _, f := range mutate {
		f(r)
	}
	return r
}

func labeled(labels map[string]string) func(*edgev1alpha1.Relay) {
	return func(r *edgev1alpha1.Relay) { r.Labels = labels }
}

func finalized(finalizers ...string) func(*edgev1alpha1.Relay) {
	return func(r *edgev1alpha1.Relay) { r.Finalizers = finalizers }
}

func tunnel(name string) *edgev1alpha1.Tunnel {
	return &edgev1alpha1.Tunnel{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: edgev1alpha1.TunnelSpec{Peer: "192.0.2.1"}}
}

func class(name string) *edgev1alpha1.TrafficClass {
	return &edgev1alpha1.TrafficClass{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: edgev1alpha1.TrafficClassSpec{Priority: 1}}
}

func workload(name string) *fleetv1.Workload {
	return &fleetv1.Workload{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: fleetv1.WorkloadSpec{
		RegionName: "north",
		Template:   fleetv1.WorkloadTemplate{Image: "image:1"},
	}}
}

func oldWorkload(name string) *fleetv1beta1.Workload {
	return &fleetv1beta1.Workload{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: fleetv1beta1.WorkloadSpec{
		Replicas: 2, RegionName: "north", Image: "image:1",
	}}
}

func heartbeat(name string) *fleetv1.Heartbeat {
	return &fleetv1.Heartbeat{ObjectMeta: metav1.ObjectMeta{Name: name}, Status: fleetv1.HeartbeatStatus{Version: "1"}}
}

func region(name string) *fleetv1.Region {
	return &fleetv1.Region{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: fleetv1.RegionSpec{
		Country: "NO", Endpoint: "https://north.example.com",
	}}
}

// add creates a relay and ends the probe if that fails.
func (p *P) add(name string, mutate ...func(*edgev1alpha1.Relay)) *edgev1alpha1.Relay {
	created, err := p.relays().Create(p.ctx, relay(name, mutate...), metav1.CreateOptions{FieldManager: "creator"})
	p.must("create "+name, err)
	return created
}

// inhabit creates an object of another kind. Clusters create a namespace with its first object, but not for a dry run.
func (p *P) inhabit() {
	_, err := p.heartbeats().Create(p.ctx, heartbeat("first"), create)
	p.must("create", err)
}

// read gets a relay and ends the probe if that fails.
func (p *P) read(name string) *edgev1alpha1.Relay {
	r, err := p.relays().Get(p.ctx, name, get)
	p.must("get "+name, err)
	return r
}

// exists records whether a relay exists.
func (p *P) exists(name string) {
	_, err := p.relays().Get(p.ctx, name, get)
	p.err("get "+name, err)
}

// edit gets a relay, changes it and updates it. It ends the probe if that fails.
func (p *P) edit(name string, mutate func(*edgev1alpha1.Relay)) *edgev1alpha1.Relay {
	r := p.read(name)
	mutate(r)
	r, err := p.relays().Update(p.ctx, r, metav1.UpdateOptions{FieldManager: "updater"})
	p.must("update "+name, err)
	return r
}

// drop deletes a relay and ends the probe if that fails.
func (p *P) drop(name string) { p.must("delete "+name, p.relays().Delete(p.ctx, name, remove)) }

// mergePatch patches a relay and ends the probe if that fails.
func (p *P) mergePatch(name, patch string) *edgev1alpha1.Relay {
	r, err := p.relays().Patch(p.ctx, name, types.MergePatchType, []byte(patch), metav1.PatchOptions{FieldManager: "patcher"})
	p.must("patch "+name, err)
	return r
}

// config is the apply configuration of a relay with a spec.
func (p *P) config(name string, spec *edgev1alpha1ac.RelaySpecApplyConfiguration) *edgev1alpha1ac.RelayApplyConfiguration {
	c := edgev1alpha1ac.Relay(name, p.namespace)
	if spec != nil {
		c.WithSpec(spec)
	}
	return c
}

// apply applies a configuration and ends the probe if that fails.
func (p *P) apply(c *edgev1alpha1ac.RelayApplyConfiguration, manager string) *edgev1alpha1.Relay {
	r, err := p.relays().Apply(p.ctx, c, metav1.ApplyOptions{FieldManager: manager})
	p.must("apply as "+manager, err)
	return r
}

// names returns the names of the items.
func names(list *edgev1alpha1.RelayList) []string {
	var all []string
	for i := range list.Items {
		all = append(all, list.Items[i].Name)
	}
	return all
}
