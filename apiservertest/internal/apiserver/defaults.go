package apiserver

import (
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// setDefaults sets the fields that the server itself relies on. Built-in kinds get no other defaults.
func setDefaults(object runtime.Object) {
	switch o := object.(type) {
	case *corev1.Secret:
		defaultSecret(o)
	case *admissionregistrationv1.MutatingWebhookConfiguration:
		for i := range o.Webhooks {
			w := &o.Webhooks[i]
			setDefault(&w.ReinvocationPolicy, admissionregistrationv1.NeverReinvocationPolicy)
			setDefault(&w.FailurePolicy, admissionregistrationv1.Fail)
			setDefault(&w.TimeoutSeconds, webhookTimeout)
			defaultMatching(&w.MatchPolicy, &w.NamespaceSelector, &w.ObjectSelector)
			for j := range w.Rules {
				setDefault(&w.Rules[j].Scope, admissionregistrationv1.AllScopes)
			}
		}
	case *admissionregistrationv1.ValidatingWebhookConfiguration:
		for i := range o.Webhooks {
			w := &o.Webhooks[i]
			setDefault(&w.FailurePolicy, admissionregistrationv1.Fail)
			setDefault(&w.TimeoutSeconds, webhookTimeout)
			defaultMatching(&w.MatchPolicy, &w.NamespaceSelector, &w.ObjectSelector)
			for j := range w.Rules {
				setDefault(&w.Rules[j].Scope, admissionregistrationv1.AllScopes)
			}
		}
	case *admissionregistrationv1.ValidatingAdmissionPolicy:
		setDefault(&o.Spec.FailurePolicy, admissionregistrationv1.Fail)
		defaultResources(o.Spec.MatchConstraints)
	case *admissionregistrationv1.ValidatingAdmissionPolicyBinding:
		defaultResources(o.Spec.MatchResources)
	}
}

// webhookTimeout is in seconds.
const webhookTimeout int32 = 10

func setDefault[T any](field **T, value T) {
	if *field == nil {
		*field = &value
	}
}

func defaultMatching(policy **admissionregistrationv1.MatchPolicyType, selectors ...**metav1.LabelSelector) {
	setDefault(policy, admissionregistrationv1.Equivalent)
	for _, selector := range selectors {
		setDefault(selector, metav1.LabelSelector{})
	}
}

func defaultResources(match *admissionregistrationv1.MatchResources) {
	if match == nil {
		return
	}
	defaultMatching(&match.MatchPolicy, &match.NamespaceSelector, &match.ObjectSelector)
	for _, rules := range [][]admissionregistrationv1.NamedRuleWithOperations{match.ResourceRules, match.ExcludeResourceRules} {
		for i := range rules {
			setDefault(&rules[i].Scope, admissionregistrationv1.AllScopes)
		}
	}
}

// defaultSecret moves write-only data, StringData, to Data.
func defaultSecret(secret *corev1.Secret) {
	if secret.Data == nil && len(secret.StringData) > 0 {
		secret.Data = map[string][]byte{}
	}
	for key, value := range secret.StringData {
		secret.Data[key] = []byte(value)
	}
	secret.StringData = nil
	if secret.Type == "" {
		secret.Type = corev1.SecretTypeOpaque
	}
}
