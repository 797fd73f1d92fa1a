package securemetrics

import (
	"context"
	"crypto/tls"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/authentication/authenticatorfactory"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	"k8s.io/apiserver/pkg/server/dynamiccertificates"
	authenticationclient "k8s.io/client-go/kubernetes/typed/authentication/v1"
	authorizationclient "k8s.io/client-go/kubernetes/typed/authorization/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/cert"
	klog "k8s.io/klog/v2"
)

// How long answers of the API server are used again. A token or a permission that is taken back works for at most this long.
const (
	allowedTTL = time.Minute
	deniedTTL  = 10 * time.Second // short, so that a permission that has just been granted works soon
)

// reviewTimeout limits the reviews of one scrape. Prometheus gives up after 10 seconds by default.
const reviewTimeout = 10 * time.Second

// Requests to the API server per second for each kind of review, so that invented tokens cannot flood it. With 200 connections or
// fewer, requests get their turn before reviewTimeout.
const (
	qps   = 20
	burst = 40
)

// retries is the backoff for reviews that failed because of the network or an overloaded API server.
var retries = wait.Backoff{Duration: 500 * time.Millisecond, Factor: 1.5, Jitter: 0.2, Steps: 3}

// Options are the options of New. The zero value is valid.
type Options struct {
	// CertFile and KeyFile are the certificate and the private key of the server, in PEM. They are read again when they change.
	// By default, a self-signed certificate is created in memory, valid for one year, which clients cannot verify.
	CertFile, KeyFile string
}

// Security protects the metrics of a manager, see manager.WithMetricsSecurity.
type Security struct{ options Options }

// New returns a Security. Errors in the options are returned by Protect.
func New(options Options) *Security { return &Security{options} }

// Protect returns the TLS configuration of the listener, and a handler that passes a request on to next if its bearer token is
// valid and its user may access the path of the request. Others get status 401 (no valid token, or no answer from the API server)
// or 403 (no permission), or 500 if there is no answer about permissions. next does not see the token.
//
// config is the client configuration for the API server; its limits of requests do not apply. Certificate files are watched until ctx
// is done. Protect returns an error if they cannot be read, or do not belong together.
func (s *Security) Protect(ctx context.Context, config *rest.Config, next http.Handler) (*tls.Config, http.Handler, error) {
	g, err := newGate(ctx, config, next)
	if err != nil {
		return nil, nil, err
	}
	certificate, err := s.certificate(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("certificate of the metrics: %w", err)
	}
	// Each connection gets a configuration of its own: with the newest certificate, and without HTTP/2, which http.Server adds to
	// the configuration of a listener.
	perConnection := func(*tls.ClientHelloInfo) (*tls.Config, error) {
		pair, err := tls.X509KeyPair(certificate.CurrentCertKeyContent())
		return &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}, Certificates: []tls.Certificate{pair}}, err
	}
	return &tls.Config{MinVersion: tls.VersionTLS12, GetConfigForClient: perConnection}, g, nil
}

// certificate returns the certificate to serve. It watches files until ctx is done.
func (s *Security) certificate(ctx context.Context) (dynamiccertificates.CertKeyContentProvider, error) {
	if s.options == (Options{}) {
		host, err := os.Hostname()
		if err != nil {
			return nil, err
		}
		certificate, key, err := cert.GenerateSelfSignedCertKey(host, nil, []string{"localhost"})
		if err != nil {
			return nil, err
		}
		return dynamiccertificates.NewStaticCertKeyContent("self-signed", certificate, key)
	}
	if s.options.CertFile == "" || s.options.KeyFile == "" {
		return nil, fmt.Errorf("set both CertFile %q and KeyFile %q, or neither", s.options.CertFile, s.options.KeyFile)
	}
	// Checked here, because a constructor that fails leaves a goroutine behind.
	if _, err := tls.LoadX509KeyPair(s.options.CertFile, s.options.KeyFile); err != nil {
		return nil, err
	}
	files, err := dynamiccertificates.NewDynamicServingContentFromFiles("metrics", s.options.CertFile, s.options.KeyFile)
	if err != nil {
		return nil, err
	}
	go files.Run(ctx, 1)
	return files, nil
}

// gate lets requests through that the API server allows.
type gate struct {
	users  authenticator.Request
	rights authorizer.Authorizer
	next   http.Handler
	logger klog.Logger
}

func newGate(ctx context.Context, config *rest.Config, next http.Handler) (*gate, error) {
	config = rest.AddUserAgent(rest.CopyConfig(config), "metrics")
	config.QPS, config.Burst, config.RateLimiter = qps, burst, nil
	tokens, err := authenticationclient.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	users, _, err := authenticatorfactory.DelegatingAuthenticatorConfig{
		TokenAccessReviewClient:  tokens,
		TokenAccessReviewTimeout: reviewTimeout,
		WebhookRetryBackoff:      &retries,
		CacheTTL:                 allowedTTL,
	}.New()
	if err != nil {
		return nil, err
	}
	subjects, err := authorizationclient.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	rights, err := authorizerfactory.DelegatingAuthorizerConfig{
		SubjectAccessReviewClient: subjects,
		AllowCacheTTL:             allowedTTL,
		DenyCacheTTL:              deniedTTL,
		WebhookRetryBackoff:       &retries,
	}.New()
	if err != nil {
		return nil, err
	}
	return &gate{users: users, rights: rights, next: next, logger: klog.FromContext(ctx)}, nil
}

// ServeHTTP implements http.Handler.
func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	status, err := g.review(r)
	if status == http.StatusOK {
		g.next.ServeHTTP(w, r)
		return
	}
	// Failures of requests to the API server are logged as errors by the libraries that send them.
	g.logger.V(4).Info("Rejected a request for metrics", "status", status, "client", r.RemoteAddr, "reason", err)
	if status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	http.Error(w, http.StatusText(status), status)
}

// review returns http.StatusOK if the request is allowed; otherwise another status and the reason, which may be nil.
func (g *gate) review(r *http.Request) (status int, reason error) {
	ctx, cancel := context.WithTimeout(r.Context(), reviewTimeout)
	defer cancel()
	response, ok, err := g.users.AuthenticateRequest(r.WithContext(ctx))
	if err != nil || !ok {
		return http.StatusUnauthorized, err
	}
	decision, why, err := g.rights.Authorize(ctx, authorizer.AttributesRecord{
		User: response.User,
		Verb: strings.ToLower(r.Method),
		Path: r.URL.Path,
	})
	switch {
	case decision == authorizer.DecisionAllow:
		return http.StatusOK, nil
	case err != nil:
		return http.StatusInternalServerError, err
	default:
		return http.StatusForbidden, fmt.Errorf("user %q may not %s %s: %s", response.User.GetName(), r.Method, r.URL.Path, why)
	}
}
