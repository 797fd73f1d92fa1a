package apiservertest

import (
	"k8s.io/client-go/rest"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest/program"
)

// WriteKubeconfig writes config as a kubeconfig file for kubectl and other programs.
func WriteKubeconfig(config *rest.Config, path string) error {
	return program.WriteKubeconfig(config, path)
}
