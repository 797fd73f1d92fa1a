package builtin

import (
	"encoding/base64"
	"encoding/json"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

const (
	// tokenSeconds is how long a token is valid if the request does not say.
	tokenSeconds = 3600
	// audience is the audience of a token if the request does not say.
	audience = "https://kubernetes.default.svc"
	// FakeSignature is the signature of all tokens, which no server accepts.
	FakeSignature = "strictfake"
)

// Token answers a request for a token of a service account. The token has the form of a JSON Web Token without algorithm, with the claims
// that servers set; the signature is FakeSignature.
func Token(request *authenticationv1.TokenRequest, namespace, name string, uid types.UID, now metav1.Time) error {
	request.Namespace, request.Name, request.UID, request.CreationTimestamp = namespace, name, uid, now
	if request.Spec.ExpirationSeconds == nil {
		request.Spec.ExpirationSeconds = new(int64(tokenSeconds))
	}
	if len(request.Spec.Audiences) == 0 {
		request.Spec.Audiences = []string{audience}
	}
	expires := metav1.NewTime(now.Add(time.Duration(*request.Spec.ExpirationSeconds) * time.Second))
	claims, err := json.Marshal(map[string]any{
		"iss": FakeSignature, "sub": "system:serviceaccount:" + namespace + ":" + name, "aud": request.Spec.Audiences,
		"iat": now.Unix(), "nbf": now.Unix(), "exp": expires.Unix(),
		"kubernetes.io": map[string]any{"namespace": namespace, "serviceaccount": map[string]any{"name": name, "uid": uid}},
	})
	if err != nil {
		return err
	}
	encode := base64.RawURLEncoding.EncodeToString
	token := encode([]byte(`{"alg":"none","typ":"JWT"}`)) + "." + encode(claims) + "." + FakeSignature
	request.Status = authenticationv1.TokenRequestStatus{Token: token, ExpirationTimestamp: expires}
	return nil
}
