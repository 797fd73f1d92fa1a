package webhooks

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	admissionv1 "k8s.io/api/admission/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/cert"
	"k8s.io/client-go/util/workqueue"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	fleetv1beta1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1beta1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/metrics"
)

// TestMain fails the package when any test leaves a goroutine behind. controller-runtime does not close its watch of certificates if the
// server ends before the files are watched, see findings/unwatched-certificate.sh.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/fsnotify/fsnotify.(*inotify).readEvents"))
}

// deadline is how long to wait for what has to happen.
const deadline = time.Minute

// startAPI starts an API server that has a single object, the region north.
func startAPI(t *testing.T) *rest.Config {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Path == "/apis/fleet.example.com/v1/regions/north" {
			assert.NoError(t, json.NewEncoder(w).Encode(fleetv1.Region{ObjectMeta: metav1.ObjectMeta{Name: "north"}}))
			return
		}
		w.WriteHeader(http.StatusNotFound)
		assert.NoError(t, json.NewEncoder(w).Encode(apierrors.NewNotFound(fleetv1.Resource("regions"), filepath.Base(r.URL.Path)).Status()))
	}))
	t.Cleanup(server.Close)
	return &rest.Config{Host: server.URL}
}

// hooks are webhooks that a test serves.
type hooks struct {
	client *http.Client
	host   string
}

// start serves the webhooks until the test ends.
func start(t *testing.T) *hooks {
	t.Helper()
	config := startAPI(t)
	return startWith(t, func(ctx context.Context, options Options) error { return Serve(ctx, config, options) })
}

// startWith calls a function that serves the webhooks until the test ends.
func startWith(t *testing.T, serve func(context.Context, Options) error) *hooks {
	t.Helper()
	dir, pool := t.TempDir(), x509.NewCertPool()
	certificate, key, err := cert.GenerateSelfSignedCertKey("localhost", nil, nil)
	require.NoError(t, err)
	require.True(t, pool.AppendCertsFromPEM(certificate))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tls.crt"), certificate, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tls.key"), key, 0o600))

	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}, ForceAttemptHTTP2: true}
	t.Cleanup(transport.CloseIdleConnections)
	h := &hooks{client: &http.Client{Transport: transport, Timeout: deadline}}
	for range 100 {
		options := Options{Host: "localhost", Port: 20_000 + rand.IntN(12_000), CertDir: dir} //nolint:gosec // any port below those of clients
		h.host = net.JoinHostPort(options.Host, fmt.Sprint(options.Port))
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- serve(ctx, options) }()
		if h.served(t, done) {
			t.Cleanup(func() {
				stop()
				transport.CloseIdleConnections()
				assert.NoError(t, <-done)
			})
			return h
		}
		stop()
	}
	t.Fatal("no port is free")
	return nil
}

// served waits until the webhooks are served, and reports false if the port is in use.
func (h *hooks) served(t *testing.T, done <-chan error) bool {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+h.host, nil)
	require.NoError(t, err)
	for start := time.Now(); time.Since(start) < deadline; {
		select {
		case err := <-done:
			require.ErrorContains(t, err, "address already in use")
			return false
		default:
		}
		if response, err := h.client.Do(request); err == nil { // with the certificate of this test
			_ = response.Body.Close()
			return true
		}
		time.Sleep(time.Millisecond)
	}
	require.Fail(t, "the webhooks are not served")
	return false
}

// post sends a review and decodes the answer into it.
func (h *hooks) post(t *testing.T, path string, review any) {
	t.Helper()
	body, err := json.Marshal(review)
	require.NoError(t, err)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://"+h.host+path, bytes.NewReader(body))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/json")
	response, err := h.client.Do(request)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	assert.Equal(t, "HTTP/1.1", response.Proto)
	body, err = io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, response.StatusCode, string(body))
	require.NoError(t, json.Unmarshal(body, review), string(body))
}

// convert has an object converted to a version.
func (h *hooks) convert(t *testing.T, object runtime.Object, version string) *apiextensionsv1.ConversionResponse {
	t.Helper()
	r := &apiextensionsv1.ConversionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: "apiextensions.k8s.io/v1", Kind: "ConversionReview"},
		Request: &apiextensionsv1.ConversionRequest{
			UID: "42", DesiredAPIVersion: "fleet.example.com/" + version, Objects: []runtime.RawExtension{raw(t, object)},
		},
	}
	h.post(t, ConvertPath, r)
	require.EqualValues(t, "42", r.Response.UID)
	return r.Response
}

// raw encodes an object.
func raw(t *testing.T, object runtime.Object) runtime.RawExtension {
	t.Helper()
	text, err := json.Marshal(object)
	require.NoError(t, err)
	return runtime.RawExtension{Raw: text}
}

// workload returns a workload of v1 in a region.
func workload(region string) *fleetv1.Workload {
	return &fleetv1.Workload{
		TypeMeta:   metav1.TypeMeta{APIVersion: "fleet.example.com/v1", Kind: "Workload"},
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"},
		Spec: fleetv1.WorkloadSpec{
			RegionName: region,
			Template:   fleetv1.WorkloadTemplate{Image: "web:1", Args: []string{"-v"}},
		},
	}
}

func TestValidation(t *testing.T) {
	h := start(t)
	review := func(operation admissionv1.Operation, region string) *admissionv1.AdmissionResponse {
		r := &admissionv1.AdmissionReview{
			TypeMeta: metav1.TypeMeta{APIVersion: "admission.k8s.io/v1", Kind: "AdmissionReview"},
			Request:  &admissionv1.AdmissionRequest{UID: "42", Operation: operation, Object: raw(t, workload(region))},
		}
		if operation == admissionv1.Update {
			r.Request.OldObject = r.Request.Object
		}
		h.post(t, ValidatePath, r)
		require.Equal(t, r.Request.UID, r.Response.UID)
		return r.Response
	}
	assert.True(t, review(admissionv1.Create, "north").Allowed)

	denied := review(admissionv1.Create, "atlantis")
	assert.False(t, denied.Allowed)
	assert.Equal(t, metav1.StatusReasonInvalid, denied.Result.Reason)
	assert.Equal(t, `Workload.fleet.example.com "web" is invalid: spec.regionName: Not found: "atlantis"`, denied.Result.Message)

	assert.True(t, review(admissionv1.Update, "atlantis").Allowed, "its region may be gone")
}

func TestConversion(t *testing.T) {
	h := start(t)
	original := workload("north")
	response := h.convert(t, original, "v1beta1")
	require.Equal(t, metav1.StatusSuccess, response.Result.Status, response.Result.Message)
	var old fleetv1beta1.Workload
	require.NoError(t, json.Unmarshal(response.ConvertedObjects[0].Raw, &old))
	assert.Equal(t, fleetv1beta1.WorkloadSpec{Replicas: 1, Image: "web:1", RegionName: "north"}, old.Spec)

	old.Spec.Image, old.Spec.Replicas = "web:2", 3
	response = h.convert(t, &old, "v1")
	require.Equal(t, metav1.StatusSuccess, response.Result.Status, response.Result.Message)
	var got fleetv1.Workload
	require.NoError(t, json.Unmarshal(response.ConvertedObjects[0].Raw, &got))
	want, three := original.DeepCopy(), int32(3)
	want.Spec.Template.Image, want.Spec.Replicas = "web:2", &three
	assert.Equal(t, want, &got)

	old.Annotations[keptAnnotation] = "{"
	response = h.convert(t, &old, "v1")
	assert.Equal(t, metav1.StatusFailure, response.Result.Status)
	assert.Contains(t, response.Result.Message, "annotation "+keptAnnotation)
}

func TestServeErrors(t *testing.T) {
	assert.ErrorContains(t, Serve(t.Context(), startAPI(t), Options{CertDir: t.TempDir()}), "tls.crt: no such file")
	assert.ErrorContains(t, Serve(t.Context(), &rest.Config{Host: "::"}, Options{}), "invalid port")
}

// TestMetricsOfClientGo checks that client-go reports its metrics to those of the library, although controller-runtime, which is in
// the same program, has a registry for them, too: client-go takes the first.
func TestMetricsOfClientGo(t *testing.T) {
	start(t).post(t, ValidatePath, &admissionv1.AdmissionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: "admission.k8s.io/v1", Kind: "AdmissionReview"},
		Request:  &admissionv1.AdmissionRequest{UID: "42", Operation: admissionv1.Create, Object: raw(t, workload("north"))},
	})
	queue := workqueue.NewTypedWithConfig(workqueue.TypedQueueConfig[int]{Name: "robots"})
	queue.Add(1)
	queue.ShutDown()

	response := httptest.NewRecorder()
	metrics.New().ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	require.Equal(t, http.StatusOK, response.Code, response.Body)
	for _, series := range []string{"rest_client_requests_total{", `workqueue_depth{name="robots"}`} {
		assert.True(t, strings.Contains(response.Body.String(), "\n"+series), "%s is not served", series)
	}
}
