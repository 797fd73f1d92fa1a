package apiserver

import (
	"reflect"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	eventsv1 "k8s.io/api/events/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
)

// builtin is a kind of k8s.io/api. Kinds with a Status field have the status subresource.
type builtin struct {
	version    schema.GroupVersion
	resource   string
	object     runtime.Object
	shortNames []string
	cluster    bool // not in a namespace
}

// builtins are the kinds that controllers and their leader election use, including those for admission and
// authorization. The two kinds of events are stored separately here; in a cluster they are two views of the same
// objects.
var builtins = []builtin{
	{version: corev1.SchemeGroupVersion, resource: "namespaces", object: &corev1.Namespace{}, shortNames: []string{"ns"}, cluster: true},
	{version: corev1.SchemeGroupVersion, resource: "nodes", object: &corev1.Node{}, shortNames: []string{"no"}, cluster: true},
	{version: corev1.SchemeGroupVersion, resource: "configmaps", object: &corev1.ConfigMap{}, shortNames: []string{"cm"}},
	{version: corev1.SchemeGroupVersion, resource: "secrets", object: &corev1.Secret{}},
	{version: corev1.SchemeGroupVersion, resource: "events", object: &corev1.Event{}, shortNames: []string{"ev"}},
	{version: corev1.SchemeGroupVersion, resource: "pods", object: &corev1.Pod{}, shortNames: []string{"po"}},
	{version: corev1.SchemeGroupVersion, resource: "services", object: &corev1.Service{}, shortNames: []string{"svc"}},
	{version: corev1.SchemeGroupVersion, resource: "serviceaccounts", object: &corev1.ServiceAccount{}, shortNames: []string{"sa"}},
	{
		version:    corev1.SchemeGroupVersion,
		resource:   "persistentvolumeclaims",
		object:     &corev1.PersistentVolumeClaim{},
		shortNames: []string{"pvc"},
	},
	{version: appsv1.SchemeGroupVersion, resource: "deployments", object: &appsv1.Deployment{}, shortNames: []string{"deploy"}},
	{version: appsv1.SchemeGroupVersion, resource: "replicasets", object: &appsv1.ReplicaSet{}, shortNames: []string{"rs"}},
	{version: appsv1.SchemeGroupVersion, resource: "statefulsets", object: &appsv1.StatefulSet{}, shortNames: []string{"sts"}},
	{version: appsv1.SchemeGroupVersion, resource: "daemonsets", object: &appsv1.DaemonSet{}, shortNames: []string{"ds"}},
	{version: batchv1.SchemeGroupVersion, resource: "jobs", object: &batchv1.Job{}},
	{version: batchv1.SchemeGroupVersion, resource: "cronjobs", object: &batchv1.CronJob{}, shortNames: []string{"cj"}},
	{version: coordinationv1.SchemeGroupVersion, resource: "leases", object: &coordinationv1.Lease{}},
	{version: discoveryv1.SchemeGroupVersion, resource: "endpointslices", object: &discoveryv1.EndpointSlice{}},
	{version: eventsv1.SchemeGroupVersion, resource: "events", object: &eventsv1.Event{}, shortNames: []string{"ev"}},
	{version: networkingv1.SchemeGroupVersion, resource: "ingresses", object: &networkingv1.Ingress{}, shortNames: []string{"ing"}},
	{
		version:    networkingv1.SchemeGroupVersion,
		resource:   "networkpolicies",
		object:     &networkingv1.NetworkPolicy{},
		shortNames: []string{"netpol"},
	},
	{
		version:    policyv1.SchemeGroupVersion,
		resource:   "poddisruptionbudgets",
		object:     &policyv1.PodDisruptionBudget{},
		shortNames: []string{"pdb"},
	},
	{version: rbacv1.SchemeGroupVersion, resource: "roles", object: &rbacv1.Role{}},
	{version: rbacv1.SchemeGroupVersion, resource: "rolebindings", object: &rbacv1.RoleBinding{}},
	{version: rbacv1.SchemeGroupVersion, resource: "clusterroles", object: &rbacv1.ClusterRole{}, cluster: true},
	{version: rbacv1.SchemeGroupVersion, resource: "clusterrolebindings", object: &rbacv1.ClusterRoleBinding{}, cluster: true},
	{
		version:  admissionregistrationv1.SchemeGroupVersion,
		resource: "mutatingwebhookconfigurations",
		object:   &admissionregistrationv1.MutatingWebhookConfiguration{},
		cluster:  true,
	},
	{
		version:  admissionregistrationv1.SchemeGroupVersion,
		resource: "validatingwebhookconfigurations",
		object:   &admissionregistrationv1.ValidatingWebhookConfiguration{},
		cluster:  true,
	},
	{
		version:  admissionregistrationv1.SchemeGroupVersion,
		resource: "validatingadmissionpolicies",
		object:   &admissionregistrationv1.ValidatingAdmissionPolicy{},
		cluster:  true,
	},
	{
		version:  admissionregistrationv1.SchemeGroupVersion,
		resource: "validatingadmissionpolicybindings",
		object:   &admissionregistrationv1.ValidatingAdmissionPolicyBinding{},
		cluster:  true,
	},
}

// kind returns the name of the Go type, which is also the kind.
func (b builtin) kind() string { return reflect.TypeOf(b.object).Elem().Name() }

func (b builtin) singular() string { return strings.ToLower(b.kind()) }

// list returns an empty list of the kind.
func (b builtin) list() runtime.Object {
	list, err := versioned.New(b.version.WithKind(b.kind() + "List"))
	utilruntime.Must(err)
	return list
}

func (b builtin) hasStatus() bool { return part(b.object, "Status").IsValid() }

// BuiltinKinds returns the kinds that are served without a CustomResourceDefinition.
func BuiltinKinds() []schema.GroupKind {
	var kinds []schema.GroupKind
	for _, b := range builtins {
		kinds = append(kinds, b.version.WithKind(b.kind()).GroupKind())
	}
	return kinds
}

var (
	// versioned has the external versions of the built-in kinds.
	versioned = newScheme()
	// scheme also registers each type as its own internal version, so that no conversions are needed.
	scheme = withInternal(newScheme())
	codecs = serializer.NewCodecFactory(scheme)
)

func newScheme() *runtime.Scheme {
	s := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		corev1.AddToScheme, admissionregistrationv1.AddToScheme, appsv1.AddToScheme, batchv1.AddToScheme, coordinationv1.AddToScheme,
		discoveryv1.AddToScheme, eventsv1.AddToScheme, networkingv1.AddToScheme, policyv1.AddToScheme, rbacv1.AddToScheme,
	} {
		utilruntime.Must(add(s))
	}
	return s
}

func withInternal(s *runtime.Scheme) *runtime.Scheme {
	unversioned := schema.GroupVersion{Version: "v1"}
	v1.AddToGroupVersion(s, unversioned)
	s.AddUnversionedTypes(unversioned, &v1.Status{}, &v1.APIVersions{}, &v1.APIGroupList{}, &v1.APIGroup{}, &v1.APIResourceList{})
	for _, b := range builtins {
		s.AddKnownTypes(schema.GroupVersion{Group: b.version.Group, Version: runtime.APIVersionInternal}, b.object, b.list())
		utilruntime.Must(s.AddFieldLabelConversionFunc(b.version.WithKind(b.kind()), func(label, value string) (string, string, error) {
			return label, value, nil // see attributes: unknown fields match nothing
		}))
	}
	return s
}
