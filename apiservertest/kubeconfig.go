package apiservertest

import (
	"k8s.io/client-go/rest"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest/program"
)

// WriteKubeconfig writes config as a kubeconfig file for kubectl and other programs. Its namespace is default or, for a
// service account of Server.As, that of the account, which is also what programs in a pod use.
func WriteKubeconfig(config *rest.Config, path string) error {
	return program.WriteKubeconfig(config, path)
}
