package apiserver

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"

	apidiscoveryv2 "k8s.io/api/apidiscovery/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/endpoints/discovery/aggregated"
	"k8s.io/apiserver/pkg/endpoints/request"
	genericapiserver "k8s.io/apiserver/pkg/server"
)

// discoveryRoots answers /apis and /api. The server of custom resources keeps the data, but in a cluster the aggregator
// answers these requests.
type discoveryRoots struct {
	next         http.Handler
	wrap         func(http.Handler) http.Handler
	apis, legacy aggregated.ResourceManager
}

// applyTo adds the roots to the server's handler chain, wrapped in the handler of Options.Wrap.
func (d *discoveryRoots) applyTo(generic *genericapiserver.Config) {
	d.apis = aggregated.NewResourceManager("apis")
	generic.AggregatedDiscoveryGroupManager = d.apis
	generic.BuildHandlerChainFunc = func(api http.Handler, c *genericapiserver.Config) http.Handler {
		d.next = api
		return genericapiserver.DefaultBuildHandlerChain(d.wrapped(), c)
	}
}

// wrapped returns the handler of requests. Options.Wrap only applies to requests of clients, because tests must not
// disturb the server's own requests.
func (d *discoveryRoots) wrapped() http.Handler {
	if d.wrap == nil {
		return d
	}
	forClients := d.wrap(d)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if who, ok := request.UserFrom(r.Context()); ok && who.GetName() == user.APIServerUser {
			d.ServeHTTP(w, r)
			return
		}
		forClients.ServeHTTP(w, r)
	})
}

// ServeHTTP implements http.Handler.
func (d *discoveryRoots) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/apis", "/apis/":
		aggregated.WrapAggregatedDiscoveryToHandler(d.plain(groupList), d.apis, nil).ServeHTTP(w, r)
	case "/api", "/api/":
		aggregated.WrapAggregatedDiscoveryToHandler(d.plain(coreVersions), d.legacy, nil).ServeHTTP(w, r)
	default:
		d.next.ServeHTTP(w, r)
	}
}

// plain answers clients that do not know aggregated discovery. answer converts the aggregated document.
func (d *discoveryRoots) plain(answer func(*discoveryRoots, *http.Request) (any, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		document, err := answer(d, r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(document) // the client may be gone
	})
}

func groupList(d *discoveryRoots, r *http.Request) (any, error) {
	list := metav1.APIGroupList{TypeMeta: metav1.TypeMeta{Kind: "APIGroupList", APIVersion: "v1"}, Groups: []metav1.APIGroup{}}
	document, err := aggregatedDocument(d.apis, r)
	for _, item := range document.Items {
		group := metav1.APIGroup{Name: item.Name}
		for _, version := range item.Versions {
			group.Versions = append(group.Versions, metav1.GroupVersionForDiscovery{
				GroupVersion: item.Name + "/" + version.Version,
				Version:      version.Version,
			})
		}
		group.PreferredVersion = group.Versions[0]
		list.Groups = append(list.Groups, group)
	}
	return list, err
}

func coreVersions(d *discoveryRoots, r *http.Request) (any, error) {
	versions := metav1.APIVersions{TypeMeta: metav1.TypeMeta{Kind: "APIVersions", APIVersion: "v1"}, Versions: []string{}}
	document, err := aggregatedDocument(d.legacy, r)
	for _, item := range document.Items {
		for _, version := range item.Versions {
			versions.Versions = append(versions.Versions, version.Version)
		}
	}
	return versions, err
}

// aggregatedDocument returns the discovery document that books serves.
func aggregatedDocument(books http.Handler, r *http.Request) (*apidiscoveryv2.APIGroupDiscoveryList, error) {
	request := r.Clone(r.Context())
	request.Method = http.MethodGet
	request.Header = http.Header{"Accept": {"application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"}}
	answer := httptest.NewRecorder()
	books.ServeHTTP(answer, request)
	document := &apidiscoveryv2.APIGroupDiscoveryList{}
	return document, json.Unmarshal(answer.Body.Bytes(), document)
}
