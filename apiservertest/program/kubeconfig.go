package program

import (
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// WriteKubeconfig implements apiservertest.WriteKubeconfig.
func WriteKubeconfig(config *rest.Config, path string) error {
	const name = "apiservertest"
	file := clientcmdapi.NewConfig()
	file.Clusters[name] = &clientcmdapi.Cluster{Server: config.Host, CertificateAuthorityData: config.CAData}
	file.AuthInfos[name] = &clientcmdapi.AuthInfo{
		Token:             config.BearerToken,
		Impersonate:       config.Impersonate.UserName,
		ImpersonateGroups: config.Impersonate.Groups,
	}
	file.Contexts[name] = &clientcmdapi.Context{Cluster: name, AuthInfo: name, Namespace: "default"}
	file.CurrentContext = name
	return clientcmd.WriteToFile(*file, path)
}
