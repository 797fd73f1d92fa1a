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

// Start starts a server for the duration of the test. The test fails if the server does not start.
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

// Main starts a server that is shared by all tests of a package, and runs them: call it from TestMain. Each test takes
// its own namespace, see Server.Namespace. Main also serves the children of StartProcess.
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

// namespaceTimeout is ample time for a request.
const namespaceTimeout = 30 * time.Second

// Namespace creates a namespace for the test and returns its name, which begins with the name of the test. When the
// test ends, the namespace and its contents are deleted in the background.
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

// namespacePrefix derives the beginning of a namespace's name from the name of a test.
func namespacePrefix(test string) string {
	const limit = 50 // of 63, leaving room for the suffix
	name := strings.Trim(notInNames.ReplaceAllString(strings.ToLower(test), "-"), "-")
	return name[:min(len(name), limit)] + "-"
}

// Webhook serves a handler over HTTPS for the duration of the test. It returns the URL and the CA bundle for the client
// configuration of an admission or conversion webhook.
func Webhook(t testing.TB, handler http.Handler) (url string, caBundle []byte) {
	t.Helper()
	server := httptest.NewTLSServer(handler)
	t.Cleanup(server.Close)
	return server.URL, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
}
