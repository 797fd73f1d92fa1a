package tests

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/scheme"
)

// exchange is one call of a real client: what must go over the wire, and what comes back.
type exchange struct {
	name string
	call func(t *testing.T, client versioned.Interface) (runtime.Object, error)

	method, path, query string
	// contentType and body are checked for requests that send something. A body is an object, or the text of a patch.
	contentType string
	body        any
	bodyKind    schema.GroupVersionKind

	// reply is sent back with status 200, and must arrive as the call's result.
	reply runtime.Object
}

// run checks the exchange against a server that expects exactly this request.
func (e exchange) run(t *testing.T) {
	served := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		served++
		assert.Equal(t, e.method, r.Method)
		assert.Equal(t, e.path, r.URL.Path)
		assert.Equal(t, e.query, r.URL.Query().Encode())
		e.checkBody(t, r)
		w.Header().Set("Content-Type", runtime.ContentTypeJSON)
		_, err := w.Write(encode(t, e.reply))
		assert.NoError(t, err)
	}))
	defer server.Close()

	got, err := e.call(t, newClient(t, server))
	require.NoError(t, err)
	assert.Equal(t, 1, served)
	assert.Equal(t, e.reply, got)
}

func (e exchange) checkBody(t *testing.T, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if !assert.NoError(t, err) {
		return
	}
	switch want := e.body.(type) {
	case nil:
		assert.Empty(t, body)
	case string:
		assert.Equal(t, e.contentType, r.Header.Get("Content-Type"))
		assert.Equal(t, want, string(body))
	case runtime.Object:
		assert.Equal(t, runtime.ContentTypeJSON, r.Header.Get("Content-Type"))
		object, gvk, err := scheme.Codecs.UniversalDeserializer().Decode(body, nil, nil)
		if !assert.NoError(t, err, "body: %s", body) {
			return
		}
		assert.Equal(t, e.bodyKind, *gvk)
		object.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
		assert.Equal(t, want, object)
	default:
		t.Errorf("an exchange cannot expect a body of type %T", want)
	}
}

// encode encodes an object as a server does, including kind and version.
func encode(t *testing.T, object runtime.Object) []byte {
	kinds, _, err := scheme.Scheme.ObjectKinds(object)
	if !assert.NoError(t, err) {
		return nil
	}
	encoded, err := runtime.Encode(scheme.Codecs.LegacyCodec(kinds[0].GroupVersion()), object)
	assert.NoError(t, err)
	return encoded
}

// newClient returns a real clientset that talks to a server.
func newClient(t *testing.T, server *httptest.Server) *versioned.Clientset {
	t.Helper()
	client, err := versioned.NewForConfigAndClient(&rest.Config{Host: server.URL}, server.Client())
	require.NoError(t, err)
	return client
}
