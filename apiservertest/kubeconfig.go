package apiservertest

import (
	"k8s.io/client-go/rest"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest/program"
)

// WriteKubeconfig writes the file that kubectl and other programs need to reach a server as config does.
func WriteKubeconfig(config *rest.Config, path string) error {
	return program.WriteKubeconfig(config, path)
}
