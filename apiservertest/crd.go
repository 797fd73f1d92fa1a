package apiservertest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	apiextensionsclient "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset/typed/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"
)

const (
	// installTimeout is ample time to serve a new resource.
	installTimeout = time.Minute
	pollInterval   = 5 * time.Millisecond
	// settleTime covers the time after a CRD is established during which the server delays every create by two seconds,
	// so that all servers of a cluster learn of the CRD. It includes a spare second.
	settleTime = 3 * time.Second
)

// readCRDs returns all CustomResourceDefinitions of the options.
func (o Options) readCRDs() ([]*apiextensionsv1.CustomResourceDefinition, error) {
	crds, err := ReadCRDs(o.CRDPaths...)
	return append(crds, o.CRDs...), err
}

// ReadCRDs reads CustomResourceDefinitions from files, and from the *.yaml, *.yml and *.json files in directories. A
// file may have several documents. Objects of other kinds are skipped, because directories often contain kustomize
// files too, but each path must have a CustomResourceDefinition.
func ReadCRDs(paths ...string) ([]*apiextensionsv1.CustomResourceDefinition, error) {
	var all []*apiextensionsv1.CustomResourceDefinition
	for _, path := range paths {
		files, err := manifests(path)
		if err != nil {
			return nil, err
		}
		before := len(all)
		for _, file := range files {
			crds, err := readFile(file)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			all = append(all, crds...)
		}
		if len(all) == before {
			return nil, fmt.Errorf("%s: no CustomResourceDefinition of apiextensions.k8s.io/v1", path)
		}
	}
	return all, nil
}

// manifests returns the file at a path, or the files in a directory.
func manifests(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, entry := range entries {
		if slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(entry.Name())) && !entry.IsDir() {
			files = append(files, filepath.Join(path, entry.Name()))
		}
	}
	return files, nil
}

func readFile(path string) ([]*apiextensionsv1.CustomResourceDefinition, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var crds []*apiextensionsv1.CustomResourceDefinition
	documents := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(content)))
	for {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return crds, nil
		}
		if err != nil {
			return nil, err
		}
		var kind metav1.TypeMeta
		if err := yaml.Unmarshal(document, &kind); err != nil {
			return nil, err
		}
		if kind.Kind != "CustomResourceDefinition" || kind.APIVersion != apiextensionsv1.SchemeGroupVersion.String() {
			continue
		}
		crd := &apiextensionsv1.CustomResourceDefinition{}
		if err := yaml.UnmarshalStrict(document, crd); err != nil {
			return nil, err
		}
		crds = append(crds, crd)
	}
}

// InstallCRDs creates the CustomResourceDefinitions that do not exist yet. It returns once their resources are served in
// all versions and new objects are stored without delay. Options.CRDs and Options.CRDPaths are installed on start.
func InstallCRDs(ctx context.Context, config *rest.Config, crds ...*apiextensionsv1.CustomResourceDefinition) error {
	if len(crds) == 0 {
		return nil
	}
	httpClient, err := rest.HTTPClientFor(config)
	if err != nil {
		return err
	}
	defer httpClient.CloseIdleConnections()
	client, err := clientset.NewForConfigAndClient(config, httpClient)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, installTimeout, errors.New("custom resources were not served in time"))
	defer cancel()
	definitions := client.ApiextensionsV1().CustomResourceDefinitions()
	for _, crd := range crds {
		if _, err := definitions.Create(ctx, crd, metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
			return fmt.Errorf("create %s: %w", crd.Name, err)
		}
	}
	for _, crd := range crds {
		// Do not request the resource before it is established: the server would answer "try again in a second".
		if err := waitEstablished(ctx, definitions, crd.Name); err != nil {
			return fmt.Errorf("%s: %w", crd.Name, err)
		}
		if err := waitDiscovered(ctx, client.Discovery(), crd); err != nil {
			return fmt.Errorf("%s: %w", crd.Name, err)
		}
	}
	return nil
}

// waitEstablished waits until a CRD is established, and backdates the condition, see settleTime. A single server, or a
// few without load, need not wait any longer.
func waitEstablished(ctx context.Context, client apiextensionsclient.CustomResourceDefinitionInterface, name string) error {
	return wait.PollUntilContextCancel(ctx, pollInterval, true, func(ctx context.Context) (bool, error) {
		crd, err := client.Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		for i := range crd.Status.Conditions {
			condition := &crd.Status.Conditions[i]
			refused := condition.Type == apiextensionsv1.NamesAccepted && condition.Status == apiextensionsv1.ConditionFalse
			if refused && condition.Reason != "" {
				return false, fmt.Errorf("names not accepted: %s", condition.Message)
			}
			if condition.Type != apiextensionsv1.Established || condition.Status != apiextensionsv1.ConditionTrue {
				continue
			}
			if time.Since(condition.LastTransitionTime.Time) > settleTime {
				return true, nil
			}
			condition.LastTransitionTime = metav1.NewTime(time.Now().Add(-2 * settleTime))
			_, err := client.UpdateStatus(ctx, crd, metav1.UpdateOptions{})
			if apierrors.IsConflict(err) {
				err = nil
			}
			return false, err
		}
		return false, nil
	})
}

// waitDiscovered waits until discovery lists the resource in all served versions, and list requests succeed.
func waitDiscovered(ctx context.Context, client discovery.DiscoveryInterface, crd *apiextensionsv1.CustomResourceDefinition) error {
	for _, version := range crd.Spec.Versions {
		if !version.Served {
			continue
		}
		err := wait.PollUntilContextCancel(ctx, pollInterval, true, func(ctx context.Context) (bool, error) {
			path := client.RESTClient().Get().AbsPath("/apis", crd.Spec.Group, version.Name, crd.Spec.Names.Plural)
			if err := path.Param("limit", "1").Do(ctx).Error(); err != nil {
				return false, ignoreUnready(err)
			}
			list, err := client.ServerResourcesForGroupVersion(crd.Spec.Group + "/" + version.Name)
			if err != nil {
				return false, ignoreUnready(err)
			}
			for _, resource := range list.APIResources {
				if resource.Name == crd.Spec.Names.Plural {
					return true, nil
				}
			}
			return false, nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// ignoreUnready ignores errors that are expected until a resource is served.
func ignoreUnready(err error) error {
	if apierrors.IsNotFound(err) || apierrors.IsTooManyRequests(err) || apierrors.IsServiceUnavailable(err) {
		return nil
	}
	return err
}
