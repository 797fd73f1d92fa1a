package workload

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	appsv1apply "k8s.io/client-go/applyconfigurations/apps/v1"
	corev1apply "k8s.io/client-go/applyconfigurations/core/v1"
	metav1apply "k8s.io/client-go/applyconfigurations/meta/v1"
	"k8s.io/utils/ptr"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
)

// configDirectory is the directory in which replicas find their configuration.
const configDirectory = "/etc/workload"

// configName returns the name of the config map of a workload.
func configName(workload *fleetv1.Workload) string { return workload.Name + "-config" }

// labelsOf returns the labels of objects that belong to the current revision of a workload.
func labelsOf(workload *fleetv1.Workload) map[string]string {
	return map[string]string{
		fleetv1.WorkloadLabel: workload.Name,
		fleetv1.RevisionLabel: strconv.FormatInt(workload.Status.CurrentRevision, 10),
	}
}

// desiredConfigMaps returns the config map of a workload, if it has any configuration.
func desiredConfigMaps(workload *fleetv1.Workload) []*corev1apply.ConfigMapApplyConfiguration {
	if len(workload.Spec.Config) == 0 {
		return nil
	}
	return []*corev1apply.ConfigMapApplyConfiguration{
		corev1apply.ConfigMap(configName(workload), workload.Namespace).WithLabels(labelsOf(workload)).WithData(workload.Spec.Config),
	}
}

// environmentAnnotation is set on replicas, so that they are replaced when their environment variables change.
const environmentAnnotation = "fleet.example.com/environment"

// environment returns a checksum of the secret and the config map with the environment variables of a workload; "" if it has neither.
func (r *reconciler) environment(ctx context.Context, workload *fleetv1.Workload) (string, error) {
	secret, err := r.controller.Secret(ctx, workload)
	if err != nil {
		return "", err
	}
	configMap, err := r.controller.ConfigMap(ctx, workload)
	if err != nil || secret == nil && configMap == nil {
		return "", err
	}
	text, err := json.Marshal([]any{ptr.Deref(secret, corev1.Secret{}).Data, ptr.Deref(configMap, corev1.ConfigMap{}).Data})
	checksum := sha256.Sum256(text)
	return hex.EncodeToString(checksum[:]), err
}

// desiredDeployments returns the deployment that runs the replicas, in an environment with the given checksum.
func desiredDeployments(workload *fleetv1.Workload, environment string) []*appsv1apply.DeploymentApplyConfiguration {
	strategy := "RollingUpdate"
	if workload.Spec.Update.Strategy == fleetv1.RecreateUpdate {
		strategy = "Recreate"
	}
	template := workload.Spec.Template
	container := corev1apply.Container().WithName("workload").WithImage(template.Image).WithArgs(template.Args...)
	for _, env := range template.Env {
		container.WithEnv(applied[corev1apply.EnvVarApplyConfiguration](env))
	}
	if r := template.Resources; len(r.Limits)+len(r.Requests) > 0 {
		container.WithResources(corev1apply.ResourceRequirements().WithLimits(r.Limits).WithRequests(r.Requests))
	}
	if name := workload.Spec.ConfigMapName; name != "" {
		container.WithEnvFrom(corev1apply.EnvFromSource().WithConfigMapRef(corev1apply.ConfigMapEnvSource().WithName(name)))
	}
	if name := workload.Spec.SecretName; name != "" {
		container.WithEnvFrom(corev1apply.EnvFromSource().WithSecretRef(corev1apply.SecretEnvSource().WithName(name)))
	}
	pod := corev1apply.PodSpec().WithContainers(container)
	if len(workload.Spec.Config) > 0 {
		container.WithVolumeMounts(corev1apply.VolumeMount().WithName("config").WithMountPath(configDirectory).WithReadOnly(true))
		pod.WithVolumes(corev1apply.Volume().WithName("config").WithConfigMap(corev1apply.ConfigMapVolumeSource().WithName(configName(workload))))
	}
	replica := corev1apply.PodTemplateSpec().WithLabels(template.Labels).WithLabels(labelsOf(workload)).WithSpec(pod)
	if environment != "" {
		replica.WithAnnotations(map[string]string{environmentAnnotation: environment})
	}
	return []*appsv1apply.DeploymentApplyConfiguration{
		appsv1apply.Deployment(workload.Name, workload.Namespace).WithLabels(labelsOf(workload)).
			WithSpec(appsv1apply.DeploymentSpec().
				WithReplicas(wantedReplicas(workload)).
				WithStrategy(appsv1apply.DeploymentStrategy().WithType(appsv1.DeploymentStrategyType(strategy))).
				WithSelector(metav1apply.LabelSelector().WithMatchLabels(map[string]string{fleetv1.WorkloadLabel: workload.Name})).
				WithTemplate(replica)),
	}
}

func wantedReplicas(workload *fleetv1.Workload) int32 { return ptr.Deref(workload.Spec.Replicas, 1) }

// applied converts a part of an object to its apply configuration.
func applied[A any](part any) *A {
	configuration := new(A)
	text, err := json.Marshal(part)
	if err == nil {
		err = json.Unmarshal(text, configuration)
	}
	if err != nil {
		panic(err) // both have the same fields, and are plain data
	}
	return configuration
}
