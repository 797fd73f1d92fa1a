package definitions

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"

	kubescheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
)

// server reads OpenAPI documents of an API server.
type server struct{ client rest.Interface }

// newServer returns a server for a configuration. It sends no requests.
func newServer(config *rest.Config) (server, error) {
	config = rest.CopyConfig(config)
	config.NegotiatedSerializer = kubescheme.Codecs.WithoutConversion()
	client, err := rest.UnversionedRESTClientFor(config)
	return server{client}, err
}

// index has the hashes of documents by their paths, such as "apis/apps/v1".
type index map[string]string

// readIndex reads the hashes of all documents.
func (s server) readIndex(ctx context.Context) (index, error) {
	var answer struct {
		Paths map[string]struct {
			ServerRelativeURL string `json:"serverRelativeURL"`
		} `json:"paths"`
	}
	if err := s.read(ctx, s.client.Get().AbsPath("/openapi/v3"), &answer); err != nil {
		return nil, err
	}
	hashes := index{}
	for path, at := range answer.Paths {
		if parsed, err := url.Parse(at.ServerRelativeURL); err == nil {
			hashes[path] = parsed.Query().Get("hash")
		}
	}
	return hashes, nil
}

// readDocument reads the document at a path of the index.
func (s server) readDocument(ctx context.Context, path, hash string) (*document, error) {
	d := &document{}
	return d, s.read(ctx, s.client.Get().AbsPath("/openapi/v3", path).Param("hash", hash), d)
}

func (s server) read(ctx context.Context, request *rest.Request, into any) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	body, err := request.SetHeader("Accept", "application/json").Stream(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = body.Close() }() // it has been read
	if err := json.NewDecoder(body).Decode(into); err != nil {
		return fmt.Errorf("%s: %w", request.URL().Path, err)
	}
	return nil
}
