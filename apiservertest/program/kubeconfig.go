package program

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// WriteKubeconfig implements apiservertest.WriteKubeconfig.
func WriteKubeconfig(config *rest.Config, path string) error {
	const name = "apiservertest"
	namespace := metav1.NamespaceDefault
	if own, _, err := serviceaccount.SplitUsername(config.Impersonate.UserName); err == nil {
		namespace = own
	}
	file := clientcmdapi.NewConfig()
	file.Clusters[name] = &clientcmdapi.Cluster{Server: config.Host, CertificateAuthorityData: config.CAData}
	file.AuthInfos[name] = &clientcmdapi.AuthInfo{
		Token:             config.BearerToken,
		Impersonate:       config.Impersonate.UserName,
		ImpersonateGroups: config.Impersonate.Groups,
	}
	file.Contexts[name] = &clientcmdapi.Context{Cluster: name, AuthInfo: name, Namespace: namespace}
	file.CurrentContext = name
	return clientcmd.WriteToFile(*file, path)
}
