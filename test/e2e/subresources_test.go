package e2e

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apiserver/pkg/endpoints/request"

	edgev1alpha1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/edge/v1alpha1"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	fleetv1beta1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1beta1"
)

// subresources emulates the additional subresources of the examples: custom resources only have status and scale. A real fleet
// would serve them with an aggregated API server. Requests pass through the real handler chain, and the real server stores the
// results.
func subresources(api http.Handler) http.Handler {
	handlers := map[string]func(http.ResponseWriter, *parentRequest){
		"update regions/holds":        func(w http.ResponseWriter, p *parentRequest) { p.forward(w) },
		"patch regions/holds":         func(w http.ResponseWriter, p *parentRequest) { p.forward(w) },
		"patch workloads/scale":       applyScale,
		"create workloads/rollback":   rollback,
		"create workloads/evacuation": evacuate,
		"create chassis/power":        setPower,
		"get tunnels/sessions":        listSessions,
		"get gateways/routes":         getRoutes,
		"create gateways/":            importGateway,
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		info, ok := request.RequestInfoFrom(r.Context())
		if ok {
			if handle := handlers[info.Verb+" "+info.Resource+"/"+info.Subresource]; handle != nil {
				handle(w, &parentRequest{api: api, request: r, info: info})
				return
			}
		}
		api.ServeHTTP(w, r)
	})
}

// parentRequest is a request for a subresource that can be forwarded to the object itself.
type parentRequest struct {
	api     http.Handler
	request *http.Request
	info    *request.RequestInfo
}

// forward sends the request unchanged to the object.
func (p *parentRequest) forward(w http.ResponseWriter) {
	info := *p.info
	info.Subresource, info.Parts = "", info.Parts[:min(2, len(info.Parts))]
	r := p.request.Clone(request.WithRequestInfo(p.request.Context(), &info))
	r.URL.Path = strings.TrimSuffix(r.URL.Path, "/"+p.info.Subresource)
	p.api.ServeHTTP(w, r)
}

// patch sends a merge patch to the object instead of the request.
func (p *parentRequest) patch(w http.ResponseWriter, patch any) {
	p.replace(http.MethodPatch, "patch", types.MergePatchType, patch)
	p.forward(w)
}

// get reads the object into into, and reports whether it succeeded; otherwise, it has responded with the error.
func (p *parentRequest) get(w http.ResponseWriter, into any) bool {
	p.replace(http.MethodGet, "get", "", nil)
	answer := httptest.NewRecorder()
	p.forward(answer)
	if answer.Code == http.StatusOK && json.Unmarshal(answer.Body.Bytes(), into) == nil {
		return true
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(answer.Code)
	_, _ = answer.Body.WriteTo(w) // the client may be gone
	return false
}

// replace turns the request into another request with another body.
func (p *parentRequest) replace(method, verb string, contentType types.PatchType, body any) {
	info := *p.info
	info.Verb = verb
	content, err := json.Marshal(body)
	if err != nil {
		content = []byte(err.Error()) // the server rejects it
	}
	r := p.request.Clone(p.request.Context())
	r.Method, r.Body, r.ContentLength = method, io.NopCloser(bytes.NewReader(content)), int64(len(content))
	if contentType != "" {
		r.Header.Set("Content-Type", string(contentType))
	}
	p.info, p.request = &info, r
}

// read reads the body and reports whether it succeeded; otherwise, it has responded with the error.
func (p *parentRequest) read(w http.ResponseWriter, into any) bool {
	if err := json.NewDecoder(p.request.Body).Decode(into); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return false
	}
	return true
}

func answer(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body) //nolint:errchkjson // the client may be gone
}

// annotate returns a patch that records the request on the object.
func annotate(key, value string) any {
	return map[string]any{"metadata": map[string]any{"annotations": map[string]string{key: value}}}
}

// applyScale applies a scale like a merge patch. The real server supports every other patch of the scale of a custom resource: up
// to v0.37.2, it tries to convert the applied Scale to a version of the custom resource.
func applyScale(w http.ResponseWriter, p *parentRequest) {
	if p.request.Header.Get("Content-Type") != string(types.ApplyPatchType) {
		p.api.ServeHTTP(w, p.request)
		return
	}
	var scale autoscalingv1.Scale
	if p.read(w, &scale) {
		p.replace(http.MethodPatch, "patch", types.MergePatchType, map[string]any{"spec": scale.Spec})
		query := p.request.URL.Query()
		query.Del("force") // only valid for apply
		p.request.URL.RawQuery = query.Encode()
		p.api.ServeHTTP(w, p.request.WithContext(request.WithRequestInfo(p.request.Context(), p.info)))
	}
}

func rollback(w http.ResponseWriter, p *parentRequest) {
	var rollback fleetv1.WorkloadRollback
	if p.read(w, &rollback) {
		p.patch(w, annotate("rollback", rollback.Reason))
	}
}

func evacuate(w http.ResponseWriter, p *parentRequest) {
	var evacuation fleetv1beta1.Evacuation
	if p.read(w, &evacuation) {
		p.patch(w, annotate("evacuated", evacuation.ChassisName))
	}
}

func setPower(w http.ResponseWriter, p *parentRequest) {
	var power fleetv1.ChassisPowerRequest
	var chassis fleetv1.Chassis
	if p.read(w, &power) && p.get(w, &chassis) {
		answer(w, metav1.Status{
			TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"},
			Status:   metav1.StatusSuccess,
			Message:  chassis.Name + " is " + string(power.Power),
		})
	}
}

func listSessions(w http.ResponseWriter, p *parentRequest) {
	var tunnel edgev1alpha1.Tunnel
	if p.get(w, &tunnel) {
		answer(w, edgev1alpha1.TunnelSessionList{
			TypeMeta: metav1.TypeMeta{Kind: "TunnelSessionList", APIVersion: edgev1alpha1.GroupVersion.String()},
			Items:    []edgev1alpha1.TunnelSession{{Source: "192.0.2.2", Destination: tunnel.Spec.Peer}},
		})
	}
}

func getRoutes(w http.ResponseWriter, p *parentRequest) {
	var gateway fleetv1beta1.Gateway
	if !p.get(w, &gateway) {
		return
	}
	routes := fleetv1beta1.GatewayRoutes{
		TypeMeta:   metav1.TypeMeta{Kind: "GatewayRoutes", APIVersion: fleetv1beta1.SchemeGroupVersion.String()},
		ObjectMeta: metav1.ObjectMeta{Name: gateway.Name, Namespace: gateway.Namespace},
	}
	for _, listener := range gateway.Spec.Listeners {
		routes.Routes = append(routes.Routes, fleetv1beta1.GatewayRoute{Port: listener.Port, Endpoints: []string{listener.WorkloadName}})
	}
	answer(w, routes)
}

// importGateway stores a gateway for a manifest, and leaves gateways unchanged.
func importGateway(w http.ResponseWriter, p *parentRequest) {
	var manifest fleetv1beta1.GatewayManifest
	content, err := io.ReadAll(p.request.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	p.request.Body = io.NopCloser(bytes.NewReader(content))
	if json.Unmarshal(content, &manifest) == nil && manifest.Kind == "GatewayManifest" {
		imported := gateway(manifest.Name)
		imported.TypeMeta = metav1.TypeMeta{Kind: "Gateway", APIVersion: manifest.APIVersion}
		imported.Annotations = map[string]string{"imported": manifest.Format}
		p.replace(http.MethodPost, "create", "", imported)
	}
	p.forward(w)
}
