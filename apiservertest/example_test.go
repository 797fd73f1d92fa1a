package apiservertest_test

import (
	"context"
	"fmt"
	"log"

	"k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
)

// Tests call Start, or Main in their TestMain; programs call StartServer.
func Example() {
	ctx := context.Background()
	server, err := apiservertest.StartServer(ctx, apiservertest.Options{CRDPaths: []string{"testdata/crd"}})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Stop() //nolint:errcheck // the process exits

	client := kubernetes.NewForConfigOrDie(server.Config())
	groups, err := client.Discovery().ServerResourcesForGroupVersion("example.com/v1")
	if err != nil {
		log.Fatal(err)
	}
	for _, resource := range groups.APIResources {
		fmt.Println(resource.Name)
	}
	namespace, err := client.CoreV1().Namespaces().Get(ctx, "default", v1.GetOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(namespace.Name, namespace.Status.Phase)
	// Unordered output:
	// fleets
	// widgets
	// widgets/status
	// default Active
}
