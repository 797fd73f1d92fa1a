package site_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	kubefake "k8s.io/client-go/kubernetes/fake"

	"github.com/informer-gen-lite/informer-gen-lite/examples/site"
	webv1 "github.com/informer-gen-lite/informer-gen-lite/examples/site/apis/web/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/site/generated/clientset/versioned/fake"
	webcontrollers "github.com/informer-gen-lite/informer-gen-lite/examples/site/generated/controllers/web/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/controllertest"
)

// TestReconcile reconciles a site once on fakes that answer as an API server, and checks what it wrote.
func TestReconcile(t *testing.T) {
	named := metav1.ObjectMeta{Namespace: "shop", Name: "web"}
	settings := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "settings"}}
	controlled := named
	controlled.UID = "1"
	stranger := &appsv1.Deployment{ObjectMeta: named}
	for name, test := range map[string]struct {
		others []runtime.Object // which exist already
		writes []string
		err    string
		reason string // of the condition
	}{
		"without settings":  {writes: []string{"update sites/status shop/web"}, err: "settings", reason: "Waiting"},
		"new":               {others: []runtime.Object{settings}, writes: []string{"apply deployments shop/web", "update sites/status shop/web"}, reason: "Pending"},
		"the name is taken": {others: []runtime.Object{settings, stranger}, writes: []string{"update sites/status shop/web"}, err: "web", reason: "NameTaken"},
	} {
		t.Run(name, func(t *testing.T) {
			client, kube := fake.NewStrictClientset(), kubefake.NewClientset()
			env := controllertest.New(t, client, kube)
			got := controllertest.Reconcile(env, func() (*webcontrollers.SiteController, error) {
				return site.New(client, kube, env.Recorder)
			}, &webv1.Site{ObjectMeta: named, Spec: webv1.SiteSpec{Image: "web:1", Replicas: 2, Settings: "settings"}}, test.others...)
			if test.err == "" {
				require.NoError(t, got.Err)
			} else {
				require.ErrorContains(t, got.Err, test.err)
			}
			assert.Equal(t, test.writes, controllertest.Lines(got.Writes))
			assert.Equal(t, test.reason, meta.FindStatusCondition(got.Object.Status.Conditions, "Ready").Reason)
		})
	}
}
