package apiservertest

import (
	"context"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// Start starts a server that lives as long as the test. The test ends if that fails.
func Start(t testing.TB, options Options) *Server {
	t.Helper()
	server, err := StartServer(t.Context(), options)
	if err != nil {
		t.Fatalf("start API server: %v", err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Errorf("stop API server: %v", err)
		}
	})
	return server
}

// Main starts a server that all tests of a package share, and runs them: it is the body of TestMain. Each test takes a
// namespace of its own, see Server.Namespace. Main also serves the children of StartProcess.
func Main(m *testing.M, server **Server, options Options) {
	if err := runMain(m, server, options); err != nil {
		fmt.Fprintln(os.Stderr, "apiservertest:", err)
		os.Exit(1) //nolint:forbidigo // TestMain is the main function of a test
	}
}

func runMain(m *testing.M, server **Server, options Options) (err error) {
	if IsChild() {
		return RunChild()
	}
	if *server, err = StartServer(context.Background(), options); err != nil {
		return err
	}
	m.Run() // the test binary exits with its result
	return (*server).Stop()
}

// namespaceTimeout is far more than a request takes.
const namespaceTimeout = 30 * time.Second

// Namespace creates a namespace for the test and returns its name, which begins with that of the test. It is deleted, with
// all that is in it, when the test ends. The test does not wait for that.
func (s *Server) Namespace(t testing.TB) string {
	t.Helper()
	httpClient, err := rest.HTTPClientFor(s.config)
	if err != nil {
		t.Fatalf("create namespace: %v", err)
	}
	client, err := kubernetes.NewForConfigAndClient(s.config, httpClient)
	if err != nil {
		t.Fatalf("create namespace: %v", err)
	}
	namespaces := client.CoreV1().Namespaces()
	created, err := namespaces.Create(t.Context(), &corev1.Namespace{
		ObjectMeta: metav1.ObjectMeta{GenerateName: namespacePrefix(t.Name())},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatalf("create namespace: %v", err)
	}
	t.Cleanup(func() {
		defer httpClient.CloseIdleConnections()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), namespaceTimeout)
		defer cancel()
		if err := namespaces.Delete(ctx, created.Name, metav1.DeleteOptions{}); err != nil {
			t.Errorf("delete namespace %s: %v", created.Name, err)
		}
	})
	return created.Name
}

var notInNames = regexp.MustCompile(`[^a-z0-9]+`)

// namespacePrefix returns the name of a test as the beginning of the name of a namespace.
func namespacePrefix(test string) string {
	const limit = 50 // of 63, with the suffix to come
	name := strings.Trim(notInNames.ReplaceAllString(strings.ToLower(test), "-"), "-")
	return name[:min(len(name), limit)] + "-"
}

// Webhook serves a handler by HTTPS as long as the test lives, and returns the URL and the CA bundle that the client
// configuration of an admission or conversion webhook needs.
func Webhook(t testing.TB, handler http.Handler) (url string, caBundle []byte) {
	t.Helper()
	server := httptest.NewTLSServer(handler)
	t.Cleanup(server.Close)
	return server.URL, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
}
