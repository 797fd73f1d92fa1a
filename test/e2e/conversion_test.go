package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
)

// convertWorkloads makes the server convert the two versions of a workload, which have their fields in different places. The
// webhook runs until the test ends.
func convertWorkloads(t *testing.T, c *cluster) {
	t.Helper()
	config := c.Config()
	url, ca := apiservertest.Webhook(t, http.HandlerFunc(serveConversion))
	httpClient, err := rest.HTTPClientFor(config)
	require.NoError(t, err)
	defer httpClient.CloseIdleConnections()
	client, err := clientset.NewForConfigAndClient(config, httpClient)
	require.NoError(t, err)
	crds := client.ApiextensionsV1().CustomResourceDefinitions()
	crd, err := crds.Get(t.Context(), "workloads.fleet.example.com", metav1.GetOptions{})
	require.NoError(t, err)
	crd.Spec.Conversion = &apiextensionsv1.CustomResourceConversion{
		Strategy: apiextensionsv1.WebhookConverter,
		Webhook: &apiextensionsv1.WebhookConversion{
			ConversionReviewVersions: []string{"v1"},
			ClientConfig:             &apiextensionsv1.WebhookClientConfig{URL: &url, CABundle: ca},
		},
	}
	_, err = crds.Update(t.Context(), crd, metav1.UpdateOptions{})
	require.NoError(t, err)

	// The server learns about the change through its own watch.
	probe := workload("probe")
	probe.Namespace = "conversion"
	_, err = c.client.FleetV1().Workloads(probe.Namespace).Create(t.Context(), probe, metav1.CreateOptions{})
	require.NoError(t, err)
	eventually(t, func() bool {
		got, err := c.client.FleetV1beta1().Workloads(probe.Namespace).Get(t.Context(), probe.Name, metav1.GetOptions{})
		return err == nil && got.Spec.Image == "image:1"
	}, "workloads are not converted")
}

func serveConversion(w http.ResponseWriter, r *http.Request) {
	var review apiextensionsv1.ConversionReview
	if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	response := &apiextensionsv1.ConversionResponse{UID: review.Request.UID, Result: metav1.Status{Status: metav1.StatusSuccess}}
	for _, raw := range review.Request.Objects {
		converted, err := convertWorkload(raw.Raw, review.Request.DesiredAPIVersion)
		if err != nil {
			response.Result = metav1.Status{Status: metav1.StatusFailure, Message: err.Error()}
			break
		}
		response.ConvertedObjects = append(response.ConvertedObjects, runtime.RawExtension{Raw: converted})
	}
	review.Request, review.Response = nil, response
	answer(w, review)
}

// convertWorkload moves the image to its place in the other version.
func convertWorkload(raw []byte, version string) ([]byte, error) {
	var content map[string]any
	if err := json.Unmarshal(raw, &content); err != nil {
		return nil, err
	}
	paths := map[string][]string{
		"fleet.example.com/v1":      {"spec", "template", "image"},
		"fleet.example.com/v1beta1": {"spec", "image"},
	}
	from := paths[fmt.Sprint(content["apiVersion"])]
	image, found, err := unstructured.NestedString(content, from...)
	if err != nil {
		return nil, err
	}
	content["apiVersion"] = version
	if found {
		unstructured.RemoveNestedField(content, from...)
		if err := unstructured.SetNestedField(content, image, paths[version]...); err != nil {
			return nil, err
		}
	}
	return json.Marshal(content)
}
