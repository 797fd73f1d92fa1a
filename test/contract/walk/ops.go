// Package walk compares an API server with a fake by sending both the same random requests. All answers, lists and events must be
// equal once identifiers, times and versions are masked.
package walk

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	edgev1alpha1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/edge/v1alpha1"
)

// op is one request. All of its randomness comes from its seed, so that it is the same on both sides.
type op struct {
	verb string
	seed uint64
}

func (o op) String() string { return fmt.Sprintf("%s/%d", o.verb, o.seed) }

// verbs are the verbs of requests, repeated according to their frequency.
var verbs = strings.Fields(strings.Repeat("create ", 4) + strings.Repeat("update ", 5) + strings.Repeat("status ", 3) +
	strings.Repeat("patch ", 6) + strings.Repeat("apply ", 6) + strings.Repeat("applystatus ", 2) + strings.Repeat("delete ", 4) +
	"deletecollection " + strings.Repeat("get ", 2) + strings.Repeat("list ", 3) + strings.Repeat("watch ", 2))

// round returns the requests of one round.
func round(random *rand.Rand, length int) []op {
	ops := make([]op, length)
	for i := range ops {
		ops[i] = op{verbs[random.IntN(len(verbs))], random.Uint64N(1 << 32)}
	}
	return ops
}

// dice makes the random choices of one op.
type dice struct{ *rand.Rand }

func diceOf(o op) dice { return dice{rand.New(rand.NewPCG(o.seed, 1))} } //nolint:gosec // not a secret

// one returns true one in n times.
func (d dice) one(n int) bool { return d.IntN(n) == 0 }

func pick[T any](d dice, of ...T) T { return of[d.IntN(len(of))] }

func (d dice) name() string    { return pick(d, "a", "b", "c", "d") }
func (d dice) manager() string { return pick(d, "alice", "bob", "carol") }

func (d dice) dryRun() []string {
	if d.one(12) {
		return []string{metav1.DryRunAll}
	}
	return nil
}

func (d dice) labels() map[string]string {
	return pick(d, nil, map[string]string{"team": "red"}, map[string]string{"team": "blue"}, map[string]string{"team": "red", "tier": "1"})
}

func (d dice) finalizers() []string {
	return pick(d, nil, nil, []string{"example.com/one"}, []string{"example.com/one", "example.com/two"}, []string{"example.com/two"})
}

func (d dice) status() edgev1alpha1.TunnelStatus {
	var status edgev1alpha1.TunnelStatus
	for _, name := range []string{"Ready", "Open"} {
		if d.one(2) {
			status.Conditions = append(status.Conditions, metav1.Condition{
				Type: name, Status: pick(d, metav1.ConditionTrue, metav1.ConditionFalse), Reason: pick(d, "Up", "Down"),
				LastTransitionTime: metav1.Unix(1_700_000_000, 0),
			})
		}
	}
	if d.one(3) {
		shaken := metav1.Unix(1_700_000_000+int64(d.IntN(3)), 0)
		status.LastHandshake = &shaken
	}
	return status
}

func (d dice) spec() edgev1alpha1.TunnelSpec {
	mtu := int32(1400 + d.IntN(3))
	return edgev1alpha1.TunnelSpec{Peer: pick(d, "p", "q", "r"), MTU: mtu, TrafficClassName: pick(d, "", "gold", "silver")}
}

// change changes parts of an object.
func (d dice) change(t *edgev1alpha1.Tunnel) {
	if d.one(3) {
		t.Labels = d.labels()
	}
	if d.one(4) {
		t.Finalizers = d.finalizers()
	}
	if d.one(2) {
		t.Spec = d.spec()
	}
	if d.one(3) {
		t.Status = d.status()
	}
	if d.one(6) {
		t.Annotations = pick(d, nil, map[string]string{"note": "x"}, map[string]string{"note": "y", "other": ""})
	}
	switch d.IntN(24) {
	case 0:
		t.ResourceVersion = ""
	case 1:
		t.UID = pick(d, "", types.UID("no-such-uid"))
	case 2:
		t.Generation = 40
	case 3:
		t.ManagedFields = nil
	case 4:
		t.CreationTimestamp = metav1.Unix(1_600_000_000, 0)
	case 5:
		t.ManagedFields = []metav1.ManagedFieldsEntry{{}}
	case 6:
		t.OwnerReferences = []metav1.OwnerReference{
			{APIVersion: "v1", Kind: "ConfigMap", Name: "o", UID: "u"},
			{APIVersion: "v1", Kind: "ConfigMap", Name: "o", UID: "u"},
		}
	case 7:
		t.Labels = map[string]string{"bad label": "?"}
	}
}

// patch returns a patch and its type. The version is that of an object that was read.
func (d dice) patch(version string) (types.PatchType, []byte) {
	if d.one(3) {
		return types.JSONPatchType, []byte(pick(d,
			`[{"op":"replace","path":"/spec/peer","value":"q"}]`,
			`[{"op":"add","path":"/metadata/labels","value":{"team":"blue"}}]`,
			`[{"op":"test","path":"/spec/peer","value":"p"},{"op":"replace","path":"/spec/mtu","value":1400}]`,
			`[{"op":"remove","path":"/spec/trafficClassName"}]`,
			`[{"op":"remove","path":"/metadata/finalizers"}]`,
			`[{"op":"replace","path":"/metadata/resourceVersion","value":"`+version+`"},{"op":"replace","path":"/spec/mtu","value":1402}]`,
			`[{"op":"add","path":"/status","value":{"lastHandshake":"2023-11-14T22:13:20Z"}}]`,
			`[{"op":"copy","from":"/spec/peer","path":"/spec/trafficClassName"}]`,
			`[{"op":"frobnicate","path":"/spec/peer"}]`,
			`nonsense`,
		))
	}
	return types.MergePatchType, []byte(pick(d,
		`{"spec":{"peer":"p"}}`,
		`{"spec":{"peer":"r","mtu":1401}}`,
		`{"spec":{"trafficClassName":null}}`,
		`{"spec":{"trafficClassName":"gold"}}`,
		`{"spec":{"trafficClassName":""}}`,
		`{"metadata":{"labels":{"team":"red"}}}`,
		`{"metadata":{"labels":null}}`,
		`{"metadata":{"labels":{"team":null,"tier":"2"}}}`,
		`{"metadata":{"finalizers":["example.com/one"]}}`,
		`{"metadata":{"finalizers":null}}`,
		`{"metadata":{"resourceVersion":"`+version+`"},"spec":{"mtu":1400}}`,
		`{"metadata":{"resourceVersion":null},"spec":{"mtu":1400}}`,
		`{"metadata":{"name":"other"}}`,
		`{"metadata":{"generation":9,"creationTimestamp":null}}`,
		`{"metadata":{"deletionTimestamp":"2023-11-14T22:13:20Z"}}`,
		`{"metadata":{"managedFields":[]}}`,
		`{"status":{"lastHandshake":"2023-11-14T22:13:20Z"}}`,
		`{"status":{"conditions":[{"type":"Ready","status":"True","reason":"Up","message":"","lastTransitionTime":"2023-11-14T22:13:20Z"}]}}`,
		`{"status":null}`,
		`{"kind":"Relay"}`,
		`{}`,
		`[]`,
	))
}

// configuration returns the configuration that a manager applies.
func (d dice) configuration(name, namespace, version string, status bool) ([]byte, error) {
	metadata := map[string]any{"name": name, "namespace": namespace}
	if labels := d.labels(); labels != nil && d.one(2) {
		metadata["labels"] = labels
	}
	if d.one(5) {
		metadata["finalizers"] = pick(d, []string{"example.com/one"}, []string{"example.com/two"})
	}
	switch d.IntN(30) {
	case 0:
		metadata["name"] = "other"
	case 1:
		metadata["resourceVersion"] = version
	case 2:
		metadata["uid"] = "no-such-uid"
	case 3:
		metadata["managedFields"] = []any{map[string]any{"manager": "x"}}
	case 4:
		delete(metadata, "namespace")
	case 5:
		delete(metadata, "name")
	}
	configuration := map[string]any{"apiVersion": "edge-network.example.com/v1alpha1", "kind": "Tunnel", "metadata": metadata}
	if d.one(25) {
		configuration["apiVersion"] = "edge-network.example.com/v9"
	}
	if !status || d.one(5) {
		spec := map[string]any{"peer": pick(d, "p", "q"), "mtu": 1400 + d.IntN(2)}
		if d.one(2) {
			spec["trafficClassName"] = pick(d, "gold", "silver")
		}
		configuration["spec"] = spec
	}
	if status || d.one(6) {
		configuration["status"] = d.status()
	}
	return json.Marshal(configuration)
}
