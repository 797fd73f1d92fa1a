// Package remote reads CustomResourceDefinitions from a cluster. It only sends GET requests.
package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// timeout is for each request.
const timeout = 30 * time.Second

// Cluster says how to reach a cluster.
type Cluster struct {
	// Kubeconfig is the name of a file; "" for the files in $KUBECONFIG or ~/.kube/config. Context is a context in it; "" for the current
	// one.
	Kubeconfig, Context string
}

// Read returns the definitions of a group as a stream of JSON documents: of the kinds that the cluster serves in a version or, without a
// version, in any. It asks the cluster for the names of the resources first, and gets no other definition.
func (c Cluster) Read(ctx context.Context, group, version string) ([]byte, error) {
	client, err := c.client()
	if err != nil {
		return nil, err
	}
	versions := []string{version}
	if version == "" {
		var found metav1.APIGroup
		if err := get(ctx, client, &found, "apis", group); err != nil {
			return nil, fmt.Errorf("group %s: %w", group, err)
		}
		versions = nil
		for _, v := range found.Versions {
			versions = append(versions, v.Version)
		}
	}
	var names []string
	for _, v := range versions {
		var list metav1.APIResourceList
		if err := get(ctx, client, &list, "apis", group, v); err != nil {
			return nil, fmt.Errorf("version %s/%s: %w", group, v, err)
		}
		for _, r := range list.APIResources {
			if !strings.Contains(r.Name, "/") {
				names = append(names, r.Name+"."+group)
			}
		}
	}
	var stream bytes.Buffer
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		text, err := client.Get().AbsPath("apis", apiextensionsv1.GroupName, "v1", "customresourcedefinitions", name).DoRaw(ctx)
		switch {
		case apierrors.IsNotFound(err):
			return nil, fmt.Errorf("the cluster serves %s without a CustomResourceDefinition: it belongs to an aggregated API server", name)
		case err != nil:
			return nil, err
		}
		fmt.Fprintf(&stream, "---\n%s\n", text)
	}
	if stream.Len() == 0 {
		return nil, fmt.Errorf("the cluster serves no kind of %s", strings.TrimSuffix(group+"/"+version, "/"))
	}
	return stream.Bytes(), nil
}

func (c Cluster) client() (*rest.RESTClient, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = c.Kubeconfig
	overrides := &clientcmd.ConfigOverrides{CurrentContext: c.Context}
	cfg, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, overrides).ClientConfig()
	if clientcmd.IsEmptyConfig(err) {
		return nil, errors.New("no cluster: set --kubeconfig or $KUBECONFIG")
	} else if err != nil {
		return nil, err
	}
	cfg.Timeout = timeout
	cfg.GroupVersion = &apiextensionsv1.SchemeGroupVersion
	cfg.NegotiatedSerializer = serializer.NewCodecFactory(runtime.NewScheme()).WithoutConversion()
	return rest.RESTClientFor(cfg)
}

func get(ctx context.Context, client rest.Interface, into any, path ...string) error {
	text, err := client.Get().AbsPath(path...).DoRaw(ctx)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}
