// Package site reconciles sites: each owns a Deployment, and refers to a ConfigMap.
package site

import (
	"context"
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	appsv1apply "k8s.io/client-go/applyconfigurations/apps/v1"
	corev1apply "k8s.io/client-go/applyconfigurations/core/v1"
	metav1apply "k8s.io/client-go/applyconfigurations/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/events"

	webv1 "github.com/informer-gen-lite/informer-gen-lite/examples/site/apis/web/v1"
	clientset "github.com/informer-gen-lite/informer-gen-lite/examples/site/generated/clientset/versioned"
	webcontrollers "github.com/informer-gen-lite/informer-gen-lite/examples/site/generated/controllers/web/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// FieldManager is the controller's name in managed fields and events.
const FieldManager = "site-controller"

// reconciler reconciles sites.
type reconciler struct {
	client     clientset.Interface
	kube       kubernetes.Interface
	writer     controller.Writer
	controller *webcontrollers.SiteController
}

// New returns a controller for sites. Start it with Run.
func New(client clientset.Interface, kube kubernetes.Interface, recorder events.EventRecorder) (*webcontrollers.SiteController, error) {
	r := &reconciler{client: client, kube: kube}
	r.writer = controller.Writer{Owner: webcontrollers.SiteKind, FieldManager: FieldManager, Recorder: recorder}
	var err error
	r.controller, err = webcontrollers.NewSiteController(client, kube, r, controller.WithEventRecorder(recorder),
		controller.WithInformers(informer.WithManagedFields(FieldManager))) // by which Sync finds differences
	return r.controller, err
}

// Reconcile is called after an event about the site, its Deployment or its ConfigMap.
func (r *reconciler) Reconcile(ctx context.Context, site *webv1.Site) (controller.Result, error) {
	before := site.DeepCopy()
	ready, err := r.work(ctx, site)
	if controller.IsLockConflict(err) {
		return controller.Result{}, err // retried with the newer version
	}
	if err != nil {
		ready = metav1.Condition{Status: metav1.ConditionFalse, Reason: controller.ReasonOf(err), Message: err.Error()}
	}
	ready.Type = "Ready"
	webcontrollers.SetSiteCondition(site, ready)
	_, statusErr := webcontrollers.UpdateSiteStatus(ctx, r.client, before, site)
	if controller.IsNotFound(statusErr) {
		statusErr = nil // the site is gone: ReconcileDeleted follows
	}
	return controller.Result{}, errors.Join(err, statusErr) // retried with backoff
}

// ReconcileDeleted is called after the site is gone. The garbage collector deletes its Deployment.
func (*reconciler) ReconcileDeleted(context.Context, cache.ObjectName) error { return nil }

// work applies the Deployment and returns the condition Ready.
func (r *reconciler) work(ctx context.Context, site *webv1.Site) (ready metav1.Condition, err error) {
	settings, err := r.controller.ConfigMap(ctx, site)
	if err != nil {
		return ready, err // the site waits for its ConfigMap
	}
	if err := controller.Sync(ctx, r.writer, site, r.controller.OwnedDeployments,
		controller.Apply(r.kube.AppsV1().Deployments, appsv1apply.ExtractDeployment, desired(site, settings.ResourceVersion))); err != nil {
		return ready, err
	}
	owned, err := r.controller.OwnedDeployments(site)
	ready = metav1.Condition{Status: metav1.ConditionUnknown, Reason: "Pending"}
	for _, deployment := range owned {
		if deployment.Status.AvailableReplicas >= site.Spec.Replicas {
			ready = metav1.Condition{Status: metav1.ConditionTrue, Reason: "Available"}
		}
	}
	return ready, err
}

// desired returns the Deployment of a site. Its pods are annotated with the version of the settings, so that a change of them is rolled out.
func desired(site *webv1.Site, settings string) []*appsv1apply.DeploymentApplyConfiguration {
	labels := map[string]string{"site": site.Name}
	environment := corev1apply.EnvFromSource().WithConfigMapRef(corev1apply.ConfigMapEnvSource().WithName(site.Spec.Settings))
	container := corev1apply.Container().WithName("site").WithImage(site.Spec.Image).WithEnvFrom(environment)
	return []*appsv1apply.DeploymentApplyConfiguration{
		appsv1apply.Deployment(site.Name, site.Namespace).WithSpec(appsv1apply.DeploymentSpec().
			WithReplicas(site.Spec.Replicas).
			WithSelector(metav1apply.LabelSelector().WithMatchLabels(labels)).
			WithTemplate(corev1apply.PodTemplateSpec().
				WithLabels(labels).
				WithAnnotations(map[string]string{"web.example.com/settings": settings}).
				WithSpec(corev1apply.PodSpec().WithContainers(container)))),
	}
}
