package page

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/definitions"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/kubetest"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/applyconfiguration"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned/fake"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned/scheme"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake"
)

var pictures = flag.String("pictures", "", "write the pictures of the documentation to this folder; needs chromium")

// workloads is a reconciler with objects in all states.
type workloads struct{ release chan struct{} }

func (r workloads) Reconcile(ctx context.Context, w *fleetv1.Workload) (controller.Result, error) {
	switch w.Name {
	case "web": // the cache never has what it writes
		controller.Wrote(ctx, &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: w.Namespace, Name: w.Name, ResourceVersion: "4711"}})
	case "checkout", "search":
		return controller.Result{}, controller.Waiting("Secret " + w.Namespace + "/" + w.Name + "-tls")
	case "ledger":
		time.Sleep(240 * time.Millisecond)
		return controller.Result{}, errors.New(`create deployments.apps bank/ledger: admission webhook "policy.example.com" denied the request: ` +
			"the image is not signed")
	case "reports":
		return controller.Result{}, controller.TerminalError(errors.New("spec.schedule: expected five fields, found 4"))
	case "import":
		<-r.release
	}
	return controller.Result{}, nil
}

func (workloads) ReconcileDeleted(context.Context, cache.ObjectName) error { return nil }

// services is a reconciler with nothing to do.
type services struct{}

func (services) Reconcile(context.Context, *corev1.Service) (controller.Result, error) {
	return controller.Result{}, nil
}
func (services) ReconcileDeleted(context.Context, cache.ObjectName) error { return nil }

// scene runs two controllers for twelve minutes and returns their page. They end with the test.
func scene(t *testing.T) http.Handler {
	t.Helper()
	client, server, kube := fake.NewClientset(), strictfake.NewServer(), kubetest.NewClientset()
	require.NoError(t, server.Serve(client, scheme.Scheme, applyconfiguration.NewTypeConverter(scheme.Scheme)))
	for _, name := range []cache.ObjectName{
		{Namespace: "bank", Name: "ledger"}, {Namespace: "bank", Name: "reports"}, {Namespace: "bank", Name: "teller"},
		{Namespace: "shop", Name: "checkout"}, {Namespace: "shop", Name: "import"}, {Namespace: "shop", Name: "search"},
		{Namespace: "shop", Name: "web"},
	} {
		require.NoError(t, server.Add(&fleetv1.Workload{ObjectMeta: metav1.ObjectMeta{Namespace: name.Namespace, Name: name.Name}}))
	}
	factory := informer.NewFactory()
	options := []controller.Option{
		controller.WithFactory(factory), controller.WithConsistencyTimeout(time.Hour), controller.WithWorkers(4),
	}
	release := make(chan struct{})
	first, err := controller.New(informer.Namespaced(client, fleetv1.SchemeGroupVersion.WithResource("workloads"), client.FleetV1().Workloads),
		workloads{release}, options...)
	require.NoError(t, err)
	_, err = controller.OwnAll(first, informer.Namespaced(kube, appsv1.SchemeGroupVersion.WithResource("deployments"), kube.AppsV1().Deployments))
	require.NoError(t, err)
	second, err := controller.New(informer.Namespaced(kube, corev1.SchemeGroupVersion.WithResource("services"), kube.CoreV1().Services),
		services{}, append(options, controller.WithElected(make(chan struct{})))...)
	require.NoError(t, err)

	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { assert.NoError(t, first.Run(ctx)) })
	running.Go(func() { assert.NoError(t, second.Run(ctx)) })
	t.Cleanup(func() {
		close(release)
		cancel()
		running.Wait()
		factory.Shutdown()
	})
	time.Sleep(11 * time.Minute)
	first.Enqueue(cache.NewObjectName("shop", "web"))
	time.Sleep(72 * time.Second)
	synctest.Wait()
	return Handler(func() []Described { return []Described{first, second} }, func() []*informer.Factory { return []*informer.Factory{factory} },
		func() []definitions.State { return nil })
}

// TestPictures checks the pages that the documentation shows. With -pictures, it takes pictures of them, as make page-picture does.
func TestPictures(t *testing.T) {
	const object = "?object=bank/ledger&controller=workloads.fleet.example.com"
	pages := map[string]*httptest.ResponseRecorder{}
	synctest.Test(t, func(t *testing.T) {
		handler := scene(t)
		for _, query := range []string{"", object} {
			pages[query] = httptest.NewRecorder()
			request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/"+query, nil)
			request.Header.Set("Accept", browser)
			handler.ServeHTTP(pages[query], request)
		}
	})
	overview, explained := pages[""].Body.String(), pages[object].Body.String()
	checkHTML(t, overview)
	for _, want := range []string{"Objects held back", "Objects waiting", "Objects failing", "on standby", "Secret shop/search-tls", "4711", "72s"} {
		assert.Contains(t, overview, want)
	}
	checkHTML(t, explained)
	assert.Contains(t, explained, "times in a row")
	if *pictures == "" {
		return
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page := pages[""]
		if r.URL.RawQuery != "" {
			page = pages[object]
		}
		maps.Copy(w.Header(), page.Header()) // the browser must accept the style in spite of the policy
		_, _ = w.Write(page.Body.Bytes())
	}))
	defer server.Close()
	shoot(t, "controllers.png", server.URL, "1180,1000", "1")
	shoot(t, "controllers-dark.png", server.URL, "1180,1000", "0")
	shoot(t, "controller-object.png", server.URL+"/"+object, "1180,640", "1")
}

// shoot takes a picture of a page. The scheme is 0 for dark colors, and 1 for light ones.
func shoot(t *testing.T, file, url, size, scheme string) {
	t.Helper()
	chromium, err := exec.LookPath("chromium")
	require.NoError(t, err, "install it: apt-get install chromium")
	folder, err := filepath.Abs(*pictures)
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--user-data-dir="+t.TempDir(),
		"--blink-settings=preferredColorScheme="+scheme, "--window-size="+size, "--screenshot="+filepath.Join(folder, file), url,
	).CombinedOutput()
	require.NoError(t, err, string(out))
	shrink(t, filepath.Join(folder, file))
}

// shrink gives a picture a palette of its 256 most frequent colors.
func shrink(t *testing.T, file string) {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	full, err := png.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	count := map[color.RGBA]int{}
	for y := range full.Bounds().Dy() {
		for x := range full.Bounds().Dx() {
			count[color.RGBAModel.Convert(full.At(x, y)).(color.RGBA)]++
		}
	}
	frequent := slices.SortedFunc(maps.Keys(count), func(a, b color.RGBA) int { return cmp.Compare(count[b], count[a]) })
	small := image.NewPaletted(full.Bounds(), nil)
	for _, c := range frequent[:min(len(frequent), 256)] {
		small.Palette = append(small.Palette, c)
	}
	draw.Draw(small, small.Bounds(), full, image.Point{}, draw.Src)
	var out bytes.Buffer
	require.NoError(t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, small))
	assert.Less(t, out.Len(), 150_000)
	require.NoError(t, os.WriteFile(file, out.Bytes(), 0o644))
}
