// Command clients uses the generated client, informer and lister of your own kind. It runs on the strict fake, which answers like an
// API server; in a cluster, use versioned.NewForConfig.
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	webv1 "github.com/informer-gen-lite/informer-gen-lite/examples/site/apis/web/v1"
	webv1apply "github.com/informer-gen-lite/informer-gen-lite/examples/site/generated/applyconfiguration/web/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/site/generated/clientset/versioned"
	"github.com/informer-gen-lite/informer-gen-lite/examples/site/generated/clientset/versioned/fake"
	informers "github.com/informer-gen-lite/informer-gen-lite/examples/site/generated/informers/externalversions"
)

func main() {
	if err := run(context.Background(), fake.NewStrictClientset(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "clients:", err)
		os.Exit(1)
	}
}

// run creates a site, applies a change to it, and reads it from the cache of an informer.
func run(ctx context.Context, client versioned.Interface, out io.Writer) error {
	sites := client.WebV1().Sites("shop")
	site := &webv1.Site{ObjectMeta: metav1.ObjectMeta{Name: "web"}, Spec: webv1.SiteSpec{Image: "web:1", Replicas: 1}}
	if _, err := sites.Create(ctx, site, metav1.CreateOptions{}); err != nil {
		return err
	}
	scaled := webv1apply.Site("web", "shop").WithSpec(webv1apply.SiteSpec().WithReplicas(3))
	if _, err := sites.Apply(ctx, scaled, metav1.ApplyOptions{FieldManager: "clients", Force: true}); err != nil {
		return err
	}

	ctx, stop := context.WithCancel(ctx)
	factory := informers.NewSharedInformerFactory(client, 0)
	defer factory.Shutdown()
	defer stop()
	lister := factory.Web().V1().Sites().Lister()
	factory.StartWithContext(ctx)
	if err := factory.WaitForCacheSyncWithContext(ctx).AsError(); err != nil {
		return err
	}
	cached, err := lister.Sites("shop").List(labels.Everything())
	for _, site := range cached {
		fmt.Fprintf(out, "%s runs %s with %d replicas\n", site.Name, site.Spec.Image, site.Spec.Replicas)
	}
	return err
}
