package webhooks

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"
)

// read decodes a document of a manifest. It fails for unknown fields.
func read[T any](t *testing.T, file string, document int) *T {
	t.Helper()
	text, err := os.ReadFile("config/" + file)
	require.NoError(t, err)
	var v T
	require.NoError(t, yaml.UnmarshalStrict([]byte(strings.Split(string(text), "\n---\n")[document]), &v))
	return &v
}

// TestManifests checks that the API server finds the webhooks where Serve serves them.
func TestManifests(t *testing.T) {
	service := read[corev1.Service](t, "webhooks.yaml", 0)
	port := service.Spec.Ports[0]
	assert.True(t, service.Spec.PublishNotReadyAddresses, "no pod gets ready if its caches need the conversion")
	validation := read[admissionregistrationv1.ValidatingWebhookConfiguration](t, "webhooks.yaml", 1).Webhooks[0].ClientConfig.Service
	assert.Equal(t, ValidatePath, *validation.Path)
	conversion := read[apiextensionsv1.CustomResourceDefinition](t, "conversion.yaml", 0).Spec.Conversion.Webhook.ClientConfig.Service
	assert.Equal(t, ConvertPath, *conversion.Path)
	assert.Equal(t, [2]string{service.Namespace, service.Name}, [2]string{validation.Namespace, validation.Name})
	assert.Equal(t, [2]string{service.Namespace, service.Name}, [2]string{conversion.Namespace, conversion.Name})
	assert.EqualValues(t, 443, port.Port, "the port that the API server calls by default")

	container := read[appsv1.Deployment](t, "deployment.yaml", 0).Spec.Template.Spec.Containers[0]
	assert.Equal(t, port.TargetPort.StrVal, container.Ports[0].Name)
	assert.EqualValues(t, 9443, container.Ports[0].ContainerPort, "the default port of Serve")
}
