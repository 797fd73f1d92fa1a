package apiservertest_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	admissionv1 "k8s.io/api/admission/v1"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
)

// review answers admission requests.
func review(answer func(*admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var review admissionv1.AdmissionReview
		if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		review.Response = answer(review.Request)
		review.Response.UID = review.Request.UID
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(review) // the client may be gone
	})
}

// onWidgets are rules for new widgets.
var onWidgets = []admissionregistrationv1.RuleWithOperations{{
	Operations: []admissionregistrationv1.OperationType{admissionregistrationv1.Create},
	Rule:       admissionregistrationv1.Rule{APIGroups: []string{"example.com"}, APIVersions: []string{"v1"}, Resources: []string{"widgets"}},
}}

// TestAdmissionWebhooks registers a webhook that modifies widgets and one that rejects some.
func TestAdmissionWebhooks(t *testing.T) {
	server := apiservertest.Start(t, apiservertest.Options{CRDPaths: []string{"testdata/crd/widgets.yaml"}})
	registrations, namespace := connect(t, server.Config()).AdmissionregistrationV1(), server.Namespace(t)
	url, ca := apiservertest.Webhook(t, review(func(*admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		return &admissionv1.AdmissionResponse{
			Allowed: true, PatchType: ptr.To(admissionv1.PatchTypeJSONPatch),
			Patch: []byte(`[{"op": "add", "path": "/metadata/labels", "value": {"changed": "yes"}}]`),
		}
	}))
	_, err := registrations.MutatingWebhookConfigurations().Create(t.Context(), &admissionregistrationv1.MutatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "change"},
		Webhooks: []admissionregistrationv1.MutatingWebhook{{
			Name: "change.example.com", ClientConfig: admissionregistrationv1.WebhookClientConfig{URL: &url, CABundle: ca}, Rules: onWidgets,
			SideEffects: ptr.To(admissionregistrationv1.SideEffectClassNone), AdmissionReviewVersions: []string{"v1"},
		}},
	}, metav1.CreateOptions{})
	require.NoError(t, err)
	url, ca = apiservertest.Webhook(t, review(func(r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		return &admissionv1.AdmissionResponse{Allowed: r.Name != "bad", Result: &metav1.Status{Message: "no bad widgets"}}
	}))
	_, err = registrations.ValidatingWebhookConfigurations().Create(t.Context(), &admissionregistrationv1.ValidatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "refuse"},
		Webhooks: []admissionregistrationv1.ValidatingWebhook{{
			Name: "refuse.example.com", ClientConfig: admissionregistrationv1.WebhookClientConfig{URL: &url, CABundle: ca}, Rules: onWidgets,
			SideEffects: ptr.To(admissionregistrationv1.SideEffectClassNone), AdmissionReviewVersions: []string{"v1"},
		}},
	}, metav1.CreateOptions{})
	require.NoError(t, err)

	// The server learns about both through watches.
	client := connectDynamic(t, server.Config()).Resource(widgets).Namespace(namespace)
	dry := metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}
	eventually(t, func() bool {
		_, err = client.Create(t.Context(), widget("bad"), dry)
		return err != nil
	}, "the widget is not refused")
	assert.ErrorContains(t, err, "no bad widgets")
	eventually(t, func() bool {
		created, err := client.Create(t.Context(), widget("good"), dry)
		require.NoError(t, err)
		return created.GetLabels()["changed"] == "yes"
	}, "the widget is not changed")
}

// TestAdmissionPolicy rejects widgets with a CEL expression.
func TestAdmissionPolicy(t *testing.T) {
	server := apiservertest.Start(t, apiservertest.Options{CRDPaths: []string{"testdata/crd/widgets.yaml"}})
	registrations, namespace := connect(t, server.Config()).AdmissionregistrationV1(), server.Namespace(t)
	_, err := registrations.ValidatingAdmissionPolicies().Create(t.Context(), &admissionregistrationv1.ValidatingAdmissionPolicy{
		ObjectMeta: metav1.ObjectMeta{Name: "names"},
		Spec: admissionregistrationv1.ValidatingAdmissionPolicySpec{
			MatchConstraints: &admissionregistrationv1.MatchResources{
				ResourceRules: []admissionregistrationv1.NamedRuleWithOperations{{RuleWithOperations: onWidgets[0]}},
			},
			Validations: []admissionregistrationv1.Validation{{Expression: "object.metadata.name != 'bad'", Message: "no bad widgets"}},
		},
	}, metav1.CreateOptions{})
	require.NoError(t, err)
	_, err = registrations.ValidatingAdmissionPolicyBindings().Create(t.Context(), &admissionregistrationv1.ValidatingAdmissionPolicyBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "names"},
		Spec: admissionregistrationv1.ValidatingAdmissionPolicyBindingSpec{
			PolicyName: "names", ValidationActions: []admissionregistrationv1.ValidationAction{admissionregistrationv1.Deny},
		},
	}, metav1.CreateOptions{})
	require.NoError(t, err)
	client := connectDynamic(t, server.Config()).Resource(widgets).Namespace(namespace)
	dry := metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}
	eventually(t, func() bool {
		_, err = client.Create(t.Context(), widget("bad"), dry)
		return err != nil
	}, "the widget is not refused")
	assert.ErrorContains(t, err, "no bad widgets")
	create1(t, client, widget("good"))
}
