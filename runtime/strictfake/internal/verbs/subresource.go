package verbs

import (
	"encoding/json"
	"fmt"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/builtin"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/store"
)

// createSubresource answers a create request for a subresource of a kind of Kubernetes. Streams such as exec are not
// supported.
func (r *request) createSubresource(object runtime.Object, options metav1.CreateOptions) (runtime.Object, error) {
	switch r.subresource {
	case "eviction":
		return r.evict(object, options)
	case "binding":
		return r.bind(object)
	case "token":
		return r.token(object)
	}
	return nil, apierrors.NewMethodNotSupported(r.name(), "create")
}

// decodeInto decodes an object that has the form of another type: clients send several versions, or unstructured objects.
func decodeInto(object runtime.Object, into any) error {
	data, err := json.Marshal(object)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, into); err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	return nil
}

// pod loads the pod of a request.
func (r *request) pod() (*current, *corev1.Pod, error) {
	live, err := r.load()
	if err != nil {
		return nil, nil, err
	}
	pod := &corev1.Pod{}
	return live, pod, runtime.DefaultUnstructuredConverter.FromUnstructured(live.old.Object, pod)
}

// put stores a changed Go object, past the strategies, as servers do for some subresources.
func (r *request) put(object runtime.Object) error {
	u, err := r.kind.Encode(object)
	if err != nil || r.dryRun {
		return err
	}
	r.server.store.Put(r.resource, store.NewRecord(u))
	return nil
}

// evict deletes a pod if its budget allows it.
func (r *request) evict(object runtime.Object, options metav1.CreateOptions) (runtime.Object, error) {
	eviction := &policyv1.Eviction{}
	if err := decodeInto(object, eviction); err != nil {
		return nil, err
	}
	if eviction.Name != r.key.Name {
		return nil, apierrors.NewBadRequest("name in URL does not match name in Eviction object")
	}
	deletion := metav1.DeleteOptions{}
	if eviction.DeleteOptions != nil {
		deletion = *eviction.DeleteOptions
	}
	if len(deletion.DryRun) == 0 {
		deletion.DryRun = options.DryRun
	}
	r.dryRun = len(deletion.DryRun) > 0
	live, pod, err := r.pod()
	if err != nil {
		return nil, err
	}
	if err := r.preconditions(live.Record, deletion.Preconditions); err != nil {
		return nil, err
	}
	if err := r.disrupt(pod); err != nil {
		return nil, err
	}
	builtin.MarkEvicted(pod, r.server.store.Now())
	if err := r.put(pod); err != nil {
		return nil, err
	}
	deletion.Preconditions = nil // they are met, and the condition has changed the version
	if _, err := r.delete(deletion); err != nil {
		return nil, err
	}
	return &metav1.Status{Status: metav1.StatusSuccess}, nil
}

// budgets is the resource of disruption budgets.
var budgets = policyv1.SchemeGroupVersion.WithResource("poddisruptionbudgets")

// disrupt counts the eviction of a pod in its budget. It returns an error if the budget does not allow it.
func (r *request) disrupt(pod *corev1.Pod) error {
	k := r.server.codec.Kind(budgets)
	if r.server.resources[k] == nil {
		return nil // no clientset has budgets
	}
	of := r.server.request(k, Target{Resource: budgets, Namespace: r.key.Namespace}, r.method)
	of.dryRun = r.dryRun
	page, ok := r.server.store.Page(of.resource, store.Query{Revision: r.server.store.Revision(), Namespace: r.key.Namespace})
	if !ok {
		return nil // the latest revision is always there
	}
	var candidates []*policyv1.PodDisruptionBudget
	for _, record := range page.Records {
		candidate := &policyv1.PodDisruptionBudget{}
		object, err := r.server.decoded(k, record)
		if err != nil {
			return err
		}
		if err := decodeInto(object, candidate); err != nil {
			return err
		}
		candidates = append(candidates, candidate)
	}
	budget, err := builtin.Budget(pod, candidates)
	if err != nil || budget == nil {
		return err
	}
	if err := builtin.Disrupt(budget, pod.Name, r.server.store.Now()); err != nil {
		return err
	}
	return of.put(budget)
}

// bind assigns a pod to a node.
func (r *request) bind(object runtime.Object) (runtime.Object, error) {
	binding := &corev1.Binding{}
	if err := decodeInto(object, binding); err != nil {
		return nil, err
	}
	live, pod, err := r.pod()
	if err != nil {
		return nil, err
	}
	if err := r.checkUID(live, binding.UID); err != nil {
		return nil, err
	}
	if err := builtin.Bind(pod, binding, r.server.store.Now()); err != nil {
		return nil, apierrors.NewConflict(schema.GroupResource{Resource: "pods/binding"}, r.key.Name, err)
	}
	return &metav1.Status{Status: metav1.StatusSuccess}, r.put(pod)
}

// token makes a token for a service account.
func (r *request) token(object runtime.Object) (runtime.Object, error) {
	live, err := r.load()
	if err != nil {
		return nil, err
	}
	wanted := &authenticationv1.TokenRequest{}
	if err := decodeInto(object, wanted); err != nil {
		return nil, err
	}
	uid := live.Object.GetUID()
	if wanted.UID != "" && wanted.UID != uid {
		return nil, apierrors.NewConflict(schema.GroupResource{Group: authenticationv1.GroupName, Resource: "TokenRequest"}, r.key.Name,
			fmt.Errorf("the UID in the token request (%s) does not match the UID of the service account (%s)", wanted.UID, uid))
	}
	return wanted, builtin.Token(wanted, r.key.Namespace, r.key.Name, uid, r.server.store.Now())
}
