package definitions

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	"k8s.io/klog/v2/textlogger"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// apiServer answers requests for OpenAPI documents. It is a http.RoundTripper.
type apiServer struct {
	lock sync.Mutex
	// documents are by path. Their hashes are their lengths. Status and failing are the codes of the index and of documents.
	documents       map[string]string
	status, failing int
	requests        []string
}

func (s *apiServer) RoundTrip(request *http.Request) (*http.Response, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	path := strings.Trim(strings.TrimPrefix(request.URL.Path, "/openapi/v3"), "/")
	s.requests = append(s.requests, path)
	code, body := http.StatusOK, s.documents[path]
	switch {
	case path != "" && s.failing != 0:
		code = s.failing
	case path != "":
		if request.URL.Query().Get("hash") != hash(body) {
			return nil, errors.New("the hash is not that of the index")
		}
	case s.status != 0:
		code = s.status
	default:
		paths := map[string]map[string]string{}
		for path, document := range s.documents {
			paths[path] = map[string]string{"serverRelativeURL": "/openapi/v3/" + path + "?hash=" + hash(document)}
		}
		text, err := json.Marshal(map[string]any{"paths": paths})
		if err != nil {
			return nil, err
		}
		body = string(text)
	}
	return &http.Response{StatusCode: code, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)), Request: request}, nil
}

func hash(document string) string { return fmt.Sprintf("%X", len(document)) }

// set changes the server.
func (s *apiServer) set(change func()) {
	s.lock.Lock()
	defer s.lock.Unlock()
	change()
}

// read returns the requests since the last call.
func (s *apiServer) read() []string {
	s.lock.Lock()
	defer s.lock.Unlock()
	defer func() { s.requests = nil }()
	return s.requests
}

// fields are those of robots and docks.
const fields = `
fleet.example.com/v1/robots Robot fleet/v1.Robot
fleet.example.com/v1/docks Dock fleet/v1.Dock
fleet/v1.Dock: apiVersion kind metadata spec=fleet/v1.DockSpec
fleet/v1.DockSpec: places
fleet/v1.Robot: apiVersion kind metadata spec=fleet/v1.RobotSpec
fleet/v1.RobotSpec: limit name
`

var fleet = schema.GroupVersion{Group: "fleet.example.com", Version: "v1"}

const path = "apis/fleet.example.com/v1"

// definitionOf returns a schema of a kind whose spec has the given fields.
func definitionOf(kind string, fields ...string) string {
	var properties []string
	for _, field := range fields {
		properties = append(properties, fmt.Sprintf(`%q: {"type": "string"}`, field))
	}
	return fmt.Sprintf(`{"type": "object", "properties": {"metadata": {}, "spec": {"type": "object", "properties": {%s}}},
		"x-kubernetes-group-version-kind": [{"group": %q, "version": %q, "kind": %q}]}`,
		strings.Join(properties, ", "), fleet.Group, fleet.Version, kind)
}

// documentOf returns a document with schemas.
func documentOf(schemas ...string) string {
	var named []string
	for i, s := range schemas {
		named = append(named, fmt.Sprintf(`"schema%d": %s`, i, s))
	}
	return fmt.Sprintf(`{"components": {"schemas": {%s}}}`, strings.Join(named, ", "))
}

// rig is a running check with definitions of robots, which are reconciled, and docks, which objects refer to.
type rig struct {
	*apiServer
	check         *Check
	robots, docks *Definition
	log           *bytes.Buffer
}

func newRig(t *testing.T, refuse bool, server *apiServer) *rig {
	t.Helper()
	r := &rig{apiServer: server, log: &bytes.Buffer{}}
	factory := informer.NewFactory()
	var err error
	r.check, err = Attach(factory, &rest.Config{Host: "https://api.example.com", Transport: server}, refuse)
	require.NoError(t, err)
	robots, docks := fleet.WithResource("robots"), fleet.WithResource("docks")
	r.robots, r.docks = Of(factory, robots, fields, true), Of(factory, docks, fields, false)
	assert.Same(t, r.robots, Of(factory, robots, fields, false))
	assert.Nil(t, Of(factory, docks, "", true))
	assert.Nil(t, Of(informer.NewFactory(), docks, fields, true))
	ctx, cancel := context.WithCancel(klog.NewContext(t.Context(), textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(r.log)))))
	ended := make(chan error, 1)
	go func() { ended <- r.check.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		assert.NoError(t, <-ended)
	})
	synctest.Wait()
	return r
}

// logged returns the number of lines that were logged since the last call, and whether they have all texts.
func (r *rig) logged(texts ...string) (lines int, all bool) {
	text := r.log.String()
	r.log.Reset()
	return strings.Count(text, "\n"), !slices.ContainsFunc(texts, func(part string) bool { return !strings.Contains(text, part) })
}

// pass lets time pass.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func TestCheck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		old := documentOf(definitionOf("Robot", "name"), definitionOf("Dock"))
		r := newRig(t, false, &apiServer{documents: map[string]string{path: old, "api/v1": "{}"}})
		assert.Equal(t, []string{"", path}, r.read())
		assert.Empty(t, r.robots.Missing(), "one read is not enough")
		pass(time.Minute)
		assert.Equal(t, []string{""}, r.read(), "the hash is the same")
		assert.Equal(t, []string{"spec.limit"}, r.robots.Missing())
		assert.Equal(t, []string{"spec.places"}, r.docks.Missing())
		assert.Equal(t, []State{
			{"robots.v1.fleet.example.com", true, []string{"spec.limit"}}, {"docks.v1.fleet.example.com", false, []string{"spec.places"}},
		}, r.check.Describe())
		lines, all := r.logged("older than this program", "robots.v1.fleet.example.com", "spec.limit", "removes")
		assert.True(t, all)
		assert.Equal(t, 1, lines)
		assert.Empty(t, r.robots.Refusal())

		pass(time.Hour)
		lines, _ = r.logged()
		assert.Zero(t, lines, "it is said once")
		r.set(func() { r.documents[path] = documentOf(definitionOf("Robot", "name", "limit"), definitionOf("Dock")) })
		r.read()
		pass(time.Minute)
		assert.Equal(t, []string{"", path}, r.read())
		assert.Empty(t, r.robots.Missing())
		assert.Len(t, r.check.Describe(), 1)
		lines, all = r.logged("has all fields")
		assert.True(t, all)
		assert.Equal(t, 1, lines)

		r.set(func() { r.documents[path] = old })
		pass(time.Minute)
		r.set(func() { delete(r.documents, path) })
		pass(time.Minute)
		assert.Empty(t, r.robots.Missing(), "a kind that is not served lacks nothing")
	})
}

// TestCheckFlaps has two API servers that learn of a definition at different times.
func TestCheckFlaps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, false, &apiServer{documents: map[string]string{}})
		for i := range 10 {
			fields := []string{"name", "limit"}[:1+i%2]
			r.set(func() { r.documents[path] = documentOf(definitionOf("Robot", fields...)) })
			pass(time.Minute)
			assert.Empty(t, r.robots.Missing())
		}
		lines, _ := r.logged()
		assert.Zero(t, lines)
	})
}

func TestRefuse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, true, &apiServer{status: http.StatusInternalServerError})
		const unknown = "the definition of robots.v1.fleet.example.com, which has not been read yet"
		assert.Equal(t, unknown, r.robots.Refusal())
		assert.Empty(t, (*Definition)(nil).Refusal())
		pass(time.Minute)
		lines, all := r.logged("cannot be compared")
		assert.True(t, all)
		assert.Equal(t, 1, lines)
		assert.Equal(t, unknown, r.robots.Refusal())

		r.set(func() {
			r.status, r.documents = 0, map[string]string{path: documentOf(definitionOf("Robot", "name"))}
		})
		pass(5 * time.Second)
		assert.Equal(t, "a definition of robots.v1.fleet.example.com with the fields spec.limit", r.robots.Refusal())
		assert.Empty(t, r.robots.Missing())
		pass(time.Minute)
		assert.Equal(t, []string{"spec.limit"}, r.robots.Missing())
		_, all = r.logged("nothing is reconciled")
		assert.True(t, all)

		r.set(func() { r.documents[path] = documentOf(definitionOf("Robot", "name", "limit")) })
		r.set(func() { r.failing = http.StatusServiceUnavailable })
		pass(time.Minute)
		assert.NotEmpty(t, r.robots.Refusal(), "the document cannot be read")
		r.set(func() { r.failing = 0 })
		pass(time.Minute)
		assert.Empty(t, r.robots.Refusal())
	})
}

func TestRefuseWaitsForTheDefinition(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, true, &apiServer{documents: map[string]string{path: documentOf(definitionOf("Dock", "places"))}})
		pass(time.Hour)
		assert.NotEmpty(t, r.robots.Refusal())
		assert.Len(t, r.read(), 62, "an index each minute")
		r.set(func() {
			r.documents[path] = documentOf(definitionOf("Robot", "name", "limit"), definitionOf("Dock", "places"))
		})
		pass(time.Minute)
		assert.Empty(t, r.robots.Refusal())
	})
}

// TestDenied has an account that may not read, at first or later.
func TestDenied(t *testing.T) {
	for _, status := range []int{http.StatusForbidden, http.StatusNotFound} {
		synctest.Test(t, func(t *testing.T) {
			old := map[string]string{path: documentOf(definitionOf("Robot", "name"))}
			r := newRig(t, true, &apiServer{status: status, documents: old})
			assert.Empty(t, r.robots.Refusal(), "nothing is known")
			pass(time.Hour)
			lines, all := r.logged("cannot be compared")
			assert.True(t, all)
			assert.Equal(t, 1, lines)
			assert.Len(t, r.read(), 61)

			r.set(func() { r.status = 0 })
			pass(2 * time.Minute)
			assert.Equal(t, []string{"spec.limit"}, r.robots.Missing())
			r.set(func() { r.status = status })
			pass(time.Minute)
			assert.Empty(t, r.robots.Missing())
			assert.Empty(t, r.robots.Refusal())
		})
	}
}

func TestNothingToCompare(t *testing.T) {
	server := &apiServer{}
	check, err := Attach(informer.NewFactory(), &rest.Config{Host: "https://api.example.com", Transport: server}, true)
	require.NoError(t, err)
	require.NoError(t, check.Run(t.Context()))
	assert.Empty(t, server.read())
	_, err = Attach(informer.NewFactory(), &rest.Config{TLSClientConfig: rest.TLSClientConfig{CAFile: "/nowhere"}}, false)
	assert.Error(t, err)
}

func TestWords(t *testing.T) {
	assert.Equal(t, "a, b", Words([]string{"a", "b"}))
	assert.Equal(t, "a, b, c, d, e and 2 more", Words([]string{"a", "b", "c", "d", "e", "f", "g"}))
	d := Definition{resource: corev1.SchemeGroupVersion.WithResource("pods")}
	assert.Equal(t, "pods.v1", d.String())
	assert.Equal(t, "api/v1", pathOf(corev1.SchemeGroupVersion))
}
