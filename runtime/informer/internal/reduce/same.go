package reduce

import (
	"net/url"

	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
)

// Same returns a client for metadata with the connection and the rate limit of another client.
func Same(client *rest.RESTClient) (metadata.Interface, error) {
	root := client.Get().AbsPath("/").URL()
	host := url.URL{Scheme: root.Scheme, Host: root.Host, Path: root.Path}
	return metadata.NewForConfigAndClient(&rest.Config{Host: host.String(), RateLimiter: client.GetRateLimiter()}, client.Client)
}
