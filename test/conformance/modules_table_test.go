package conformance

import (
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/allowed"
	"github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/generate"
)

// usual are the folders of kube_codegen.sh.
var usual = shippedClients{clientset: "clientset/versioned", listers: "listers", informers: "informers/externalversions"}

// in returns the clients in a folder for the packages that match the patterns.
func (c shippedClients) in(folder string, patterns ...string) shippedClients {
	c.folder, c.input.Patterns = folder, patterns
	return c
}

// applied returns the clients with apply configurations in a folder.
func (c shippedClients) applied(folder string) shippedClients {
	c.applyConfigurations = folder
	return c
}

// named returns the clients with another folder for the clientset.
func (c shippedClients) named(clientset string) shippedClients {
	c.clientset = clientset
	return c
}

// only returns the clients without listers and informers.
func (c shippedClients) only() shippedClients {
	c.listers, c.informers = "", ""
	return c
}

// with returns the clients with other options.
func (c shippedClients) with(change func(*generate.Input)) shippedClients {
	change(&c.input)
	return c
}

func protobuf(in *generate.Input) { in.PrefersProtobuf = true }

func plurals(exceptions ...string) func(*generate.Input) {
	return func(in *generate.Input) { in.PluralExceptions = exceptions }
}

// shippingModules are the rows of the table in docs/compatibility.md.
var shippingModules = []shipping{
	{
		name: "kube-aggregator", path: "k8s.io/kube-aggregator", always: true, ahead: true,
		clients: []shippedClients{
			usual.in("pkg/client", "k8s.io/kube-aggregator/pkg/apis/...").named("clientset_generated/clientset").applied("applyconfiguration").with(protobuf),
		},
	},
	{
		name: "apiextensions-apiserver", path: "k8s.io/apiextensions-apiserver", always: true,
		clients: []shippedClients{
			usual.in("pkg/client", "k8s.io/apiextensions-apiserver/pkg/apis/...").named("clientset/clientset").applied("applyconfiguration").with(protobuf),
			usual.in("examples/client-go/pkg/client", "k8s.io/apiextensions-apiserver/examples/client-go/pkg/apis/...").applied("applyconfiguration"),
		},
		allowed: extracts("examples/client-go/pkg/client/applyconfiguration/*/*"),
	},
	{
		name: "metrics", path: "k8s.io/metrics", ahead: true, always: true,
		clients: []shippedClients{usual.in("pkg/client", "k8s.io/metrics/pkg/apis/...").only().with(protobuf)},
	},
	{
		name: "sample-apiserver", path: "k8s.io/sample-apiserver", always: true, differs: true,
		clients: []shippedClients{usual.in("pkg/generated", "k8s.io/sample-apiserver/pkg/apis/...").applied("applyconfiguration")},
	},
	{
		name: "external-snapshotter", path: "github.com/kubernetes-csi/external-snapshotter/client/v8",
		clients:   []shippedClients{usual.in(".", "github.com/kubernetes-csi/external-snapshotter/client/v8/apis/...")},
		generator: "v0.35",
		outdated:  []outdatedPackage{{"clientset/versioned/typed/volumesnapshot/v1/fake", "made by code-generator v0.31 or older: its fakes are exported types"}},
	},
	{
		name: "metrics-v0.33", path: "k8s.io/metrics", always: true,
		clients: []shippedClients{usual.in("pkg/client", "k8s.io/metrics/pkg/apis/...").only().with(protobuf)},
	},
	{
		name: "kube-aggregator-v0.33", path: "k8s.io/kube-aggregator", always: true,
		clients: []shippedClients{
			usual.in("pkg/client", "k8s.io/kube-aggregator/pkg/apis/...").named("clientset_generated/clientset").with(protobuf),
		},
	},
	{
		name: "vertical-pod-autoscaler", path: "k8s.io/autoscaler/vertical-pod-autoscaler",
		clients: []shippedClients{usual.in("pkg/client", "k8s.io/autoscaler/vertical-pod-autoscaler/pkg/apis/...")},
	},
	{
		name: "gateway-api", path: "sigs.k8s.io/gateway-api",
		clients: []shippedClients{
			usual.in("pkg/client", "sigs.k8s.io/gateway-api/apis/...", "sigs.k8s.io/gateway-api/apisx/...").with(func(in *generate.Input) {
				in.ApplyConfigurations = gatewayApplyConfigurations
			}),
		},
	},
	{
		name: "kwok", path: "sigs.k8s.io/kwok",
		clients: []shippedClients{
			usual.in("pkg/client", "sigs.k8s.io/kwok/pkg/apis/v1alpha1").only().with(plurals("Logs:Logs", "ClusterLogs:ClusterLogs")),
		},
	},
	{
		name: "cert-manager", path: "github.com/cert-manager/cert-manager",
		clients: []shippedClients{
			usual.in("pkg/client", "github.com/cert-manager/cert-manager/pkg/apis/certmanager/v1", "github.com/cert-manager/cert-manager/pkg/apis/acme/v1").
				applied("applyconfigurations").with(func(in *generate.Input) {
				in.SharedTypes = []string{"github.com/cert-manager/cert-manager/pkg/apis/meta/v1"}
			}),
		},
	},
	{
		name: "gke-networking-api", path: "github.com/GoogleCloudPlatform/gke-networking-api",
		clients: perGroup("client/", "github.com/GoogleCloudPlatform/gke-networking-api/apis/", usual,
			"fqdnnetworkpolicy", "gcpfirewall", "network", "nodenetworkconfig", "nodetopology", "trafficselector"),
	},
	{
		name: "traefik", path: "github.com/traefik/traefik/v3",
		unloadable: "they type-check all imports, and its go.mod replaces github.com/traefik/traefik/dynamic/ext by a directory",
		clients: []shippedClients{
			usual.in("pkg/provider/kubernetes/crd/generated", "github.com/traefik/traefik/v3/pkg/provider/kubernetes/crd/...").applied("applyconfiguration"),
		},
		generator: "v0.35",
		allowed:   extracts("pkg/provider/kubernetes/crd/generated/applyconfiguration/*/*"),
	},
	{
		name: "keda", path: "github.com/kedacore/keda/v2",
		clients: []shippedClients{usual.in("pkg/generated", "github.com/kedacore/keda/v2/apis/...")},
	},
	{
		name: "cilium", path: "github.com/cilium/cilium",
		clients: []shippedClients{
			usual.in("pkg/k8s/slim/k8s/client", "github.com/cilium/cilium/pkg/k8s/slim/k8s/api/...").only().with(plurals(
				"Endpoints:Endpoints", "ResourceClaimParameters:ResourceClaimParameters", "ResourceClassParameters:ResourceClassParameters")),
		},
	},
	{
		name: "argo-rollouts", path: "github.com/argoproj/argo-rollouts",
		clients: []shippedClients{usual.in("pkg/client", "github.com/argoproj/argo-rollouts/pkg/apis/...")},
	},
	{
		name: "chaos-mesh", path: "github.com/chaos-mesh/chaos-mesh",
		clients: []shippedClients{
			usual.in("pkg/client", "github.com/chaos-mesh/chaos-mesh/api/v1alpha1").named("versioned").only().with(plurals(
				"PodChaos:podchaos", "HTTPChaos:httpchaos", "IOChaos:iochaos", "AWSChaos:awschaos", "JVMChaos:jvmchaos",
				"StressChaos:stresschaos", "AzureChaos:azurechaos", "PodHttpChaos:podhttpchaos", "GCPChaos:gcpchaos",
				"NetworkChaos:networkchaos", "KernelChaos:kernelchaos", "TimeChaos:timechaos", "BlockChaos:blockchaos",
				"PodIOChaos:podiochaos", "PodNetworkChaos:podnetworkchaos")).with(func(in *generate.Input) {
				in.GroupGoNames = []string{"chaos-mesh.org:Api"} // upstream does not find the group, which is declared next to the types
			}),
		},
	},
	{
		name: "kueue", path: "sigs.k8s.io/kueue",
		// Version v1alpha1 has no kinds, but a +genclient: kube_codegen.sh searches for that.
		clients: []shippedClients{usual.in("client-go", "sigs.k8s.io/kueue/apis/...", "sigs.k8s.io/kueue/apis/kueue/v1alpha1").applied("applyconfiguration").with(func(in *generate.Input) {
			for _, name := range []string{"PodTemplateSpec", "Taint", "Toleration"} {
				in.ExternalApplyConfigurations = append(in.ExternalApplyConfigurations,
					"k8s.io/api/core/v1."+name+":k8s.io/client-go/applyconfigurations/core/v1")
			}
		})},
		allowed: extracts("client-go/applyconfiguration/*/*"),
	},
	{
		name: "knative-networking", path: "knative.dev/networking",
		clients: []shippedClients{usual.in("pkg/client", "knative.dev/networking/pkg/apis/...")},
	},
	{
		name: "tekton", path: "github.com/tektoncd/pipeline",
		clients: []shippedClients{
			usual.in("pkg/client", "github.com/tektoncd/pipeline/pkg/apis/pipeline/..."),
			usual.in("pkg/client/resolution", "github.com/tektoncd/pipeline/pkg/apis/resolution/..."),
			usual.in("pkg/client/resource", "github.com/tektoncd/pipeline/pkg/apis/resource/..."),
		},
	},
	{
		name: "volcano", path: "volcano.sh/apis",
		clients: []shippedClients{usual.in("pkg/client", "volcano.sh/apis/pkg/apis/...").applied("applyconfiguration").with(func(in *generate.Input) {
			in.ExternalApplyConfigurations = []string{"k8s.io/api/core/v1.PodTemplateSpec:k8s.io/client-go/applyconfigurations/core/v1"}
		})},
		allowed: extracts("pkg/client/applyconfiguration/*/*"),
	},
	{
		name: "openshift", path: "github.com/openshift/client-go",
		corrected: []correctedFile{
			{"/config/v1/hubsourcestatus.go", "The tag of an embedded pointer has no name, so its fields are inlined in JSON. Upstream names it after the type."},
			{"/config/v1alpha1/clustermonitoring.go", "A marker of controller-gen says that the plural is clustermonitoring."},
			{"/config/v1alpha1/fake/fake_clustermonitoring.go", "the same"},
			{"/config/informers/externalversions/generic.go", "the same"},
		},
		clients: append(perGroup("", "github.com/openshift/api/", openshift,
			"apiserver", "apps", "authorization", "build", "cloudnetwork", "config", "console", "helm", "image", "imageregistry", "insights",
			"machine", "monitoring", "network", "oauth", "operator", "operatorcontrolplane", "operatoringress",
			"project", "quota", "route", "samples", "security", "securityinternal", "servicecertsigner", "sharedresource", "template", "user"),
			openshift.in("machineconfiguration", "github.com/openshift/api/machineconfiguration/...").with(func(in *generate.Input) {
				in.ExternalApplyConfigurations = append(slices.Clone(in.ExternalApplyConfigurations),
					"k8s.io/api/core/v1.ObjectReference:k8s.io/client-go/applyconfigurations/core/v1")
			})),
		allowed: append(extracts("image/applyconfigurations/image/v1"), allowed.Addition{
			Package: "monitoring/applyconfigurations/internal", Symbol: "ExtractInto",
			Reason: "Extract functions of types whose JSON is not that of their fields need it",
		}),
	},
}

// perGroup returns the clients of a module with one clientset per group, in folders named after the groups.
func perGroup(folder, apis string, c shippedClients, groups ...string) []shippedClients {
	var all []shippedClients
	for _, group := range groups {
		all = append(all, c.in(folder+group, apis+group+"/..."))
	}
	return all
}

// openshift has the options of the script of openshift/client-go.
var openshift = usual.applied("applyconfigurations").with(openshiftOperator).with(plurals(
	"DNS:DNSes", "DNSList:DNSList", "SecurityContextConstraints:SecurityContextConstraints"))

// openshiftOperator makes other groups use the apply configurations of the group operator.
func openshiftOperator(in *generate.Input) {
	for _, name := range []string{"OperatorSpec", "OperatorStatus", "OperatorCondition", "GenerationStatus"} {
		in.ExternalApplyConfigurations = append(in.ExternalApplyConfigurations,
			"github.com/openshift/api/operator/v1."+name+":"+clientsModule+"/operator/applyconfigurations/operator/v1")
	}
}

// extracts allows the functions Extract… of apply configurations.
func extracts(packages string) []allowed.Addition {
	return []allowed.Addition{{Package: packages, Symbol: "Extract*", Reason: "upstream writes them if it is given a schema; we have always one"}}
}
