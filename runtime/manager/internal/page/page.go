// Package page serves the debug page of controllers, which says why an object is not reconciled.
package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode"

	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/definitions"
)

// Described is a controller.
type Described interface {
	Name() string
	Describe() controller.Status
	DescribeObject(name cache.ObjectName) controller.ObjectStatus
}

// Handler serves the state of controllers, of the informers of factories, and stale definitions, or with the query object=namespace/name,
// the state of an object. The query controller=name asks only one controller. Browsers get HTML, those who accept JSON or ask for
// format=json get that, and all others text. Answers have names, states and messages of errors, but no contents of objects.
func Handler(controllers func() []Described, factories func() []*informer.Factory, stale func() []definitions.State) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "use GET or HEAD", http.StatusMethodNotAllowed)
			return
		}
		format, problem := formatOf(r)
		var a answer
		if problem == nil {
			a, problem = ask(r.URL.Query().Get("object"), r.URL.Query().Get("controller"), controllers(), factories)
		}
		if problem == nil && a.asked.object == "" {
			a.Definitions = stale()
		}
		write(w, format, a, problem)
	})
}

// answer is the content of the page.
type answer struct {
	// asked has the values of the form, and names the controllers' names.
	asked struct{ object, controller string }
	names []string

	// Controllers, Definitions and Informers are set without an object, Objects with one.
	Controllers []controller.Status  `json:"controllers,omitempty"`
	Definitions []definitions.State  `json:"definitions,omitempty"`
	Informers   informer.Description `json:"informers,omitempty"`
	Objects     []explained          `json:"objects,omitempty"`
}

// explained is the state of an object for a controller, also in sentences.
type explained struct {
	controller.ObjectStatus

	Explanation []string `json:"explanation"`
}

// problem is a request that cannot be answered.
type problem struct {
	status int
	text   string
}

// The formats.
const (
	asHTML = "html"
	asJSON = "json"
	asText = "text"
)

// formatOf returns the format for the answer to a request.
func formatOf(r *http.Request) (string, *problem) {
	accept := strings.Join(r.Header.Values("Accept"), ",")
	switch format := r.URL.Query().Get("format"); {
	case format == asHTML || format == asJSON || format == asText:
		return format, nil
	case format != "":
		return asText, &problem{http.StatusBadRequest, fmt.Sprintf("unknown format %q: use html, json or text", format)}
	case strings.Contains(accept, "text/html"):
		return asHTML, nil
	case strings.Contains(accept, "application/json"):
		return asJSON, nil
	}
	return asText, nil
}

// ask returns the state of controllers and factories, or of an object.
func ask(object, only string, controllers []Described, factories func() []*informer.Factory) (a answer, p *problem) {
	a.asked.object, a.asked.controller = object, only
	for _, c := range controllers {
		a.names = append(a.names, c.Name())
	}
	if only != "" {
		controllers = slices.DeleteFunc(slices.Clone(controllers), func(c Described) bool { return c.Name() != only })
		if len(controllers) == 0 {
			return a, &problem{http.StatusNotFound, fmt.Sprintf("no controller %q: there are %s", only, strings.Join(a.names, ", "))}
		}
	}
	if object != "" {
		name, err := parse(object)
		if err != nil {
			return a, &problem{http.StatusBadRequest, err.Error()}
		}
		for _, c := range controllers {
			status := c.DescribeObject(name)
			a.Objects = append(a.Objects, explained{status, explain(status)})
		}
		return a, nil
	}
	for _, f := range factories() {
		a.Informers = append(a.Informers, f.Describe()...)
	}
	for _, c := range controllers {
		status := c.Describe()
		a.Controllers = append(a.Controllers, status)
		for _, own := range status.Informers {
			if !slices.ContainsFunc(a.Informers, func(other informer.Status) bool { return same(own, other) }) {
				a.Informers = append(a.Informers, own)
			}
		}
	}
	return a, nil
}

// same reports whether two states belong to one informer, as far as they tell.
func same(a, b informer.Status) bool {
	return a.Resource == b.Resource && a.Version == b.Version && a.Metadata == b.Metadata && slices.Equal(a.Namespaces, b.Namespaces) &&
		a.LabelSelector == b.LabelSelector && a.FieldSelector == b.FieldSelector
}

// parse returns the name that a user has written as namespace/name, or only name.
func parse(object string) (cache.ObjectName, error) {
	namespace, name, namespaced := strings.Cut(object, "/")
	if !namespaced {
		namespace, name = "", object
	}
	if fault := faultOf(namespace); namespaced && fault != "" {
		return cache.ObjectName{}, fmt.Errorf("the namespace of the object %s: write namespace/name", fault)
	}
	if fault := faultOf(name); fault != "" {
		return cache.ObjectName{}, fmt.Errorf("the name of the object %s: write namespace/name, or the name of a cluster-scoped object", fault)
	}
	return cache.NewObjectName(namespace, name), nil
}

// faultOf returns why a part of a name is invalid.
func faultOf(part string) string {
	switch {
	case part == "":
		return "is empty"
	case len(part) > 253:
		return "is longer than 253 characters"
	case strings.ContainsFunc(part, func(c rune) bool { return unicode.IsSpace(c) || unicode.IsControl(c) }):
		return "has spaces or control characters"
	}
	return strings.Join(content.IsPathSegmentName(part), ", ")
}

// policy lets the page have its style and form, and nothing else.
const policy = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// write sends an answer, or a problem as an error.
func write(w http.ResponseWriter, format string, a answer, p *problem) {
	var body bytes.Buffer
	var err error
	kind := "text/plain"
	switch format {
	case asJSON:
		kind = "application/json"
		encoder := json.NewEncoder(&body)
		encoder.SetIndent("", "  ")
		if p != nil {
			err = encoder.Encode(map[string]string{"error": p.text})
		} else {
			err = encoder.Encode(a)
		}
	case asHTML:
		kind = "text/html"
		err = render(&body, a, p)
	default:
		if p != nil {
			fmt.Fprintln(&body, p.text)
		} else {
			printText(&body, a)
		}
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	header := w.Header()
	header.Set("Content-Type", kind+"; charset=utf-8")
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Security-Policy", policy)
	if p != nil {
		w.WriteHeader(p.status)
	}
	_, _ = w.Write(body.Bytes())
}
