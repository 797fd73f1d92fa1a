package apiservertest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest/program"
)

// Request is a request that the server has answered.
type Request struct {
	// Verb is the verb for authorization: get, list, watch, create, update, patch, delete, deletecollection. For
	// non-resource paths, it is the HTTP method in lower case.
	Verb string
	// Group, Resource and Subresource identify the target: "apps", "deployments", "status".
	Group, Resource, Subresource string
	// Namespace and Name are empty if the request has none. A create has no name.
	Namespace, Name string
	// User is the user that made the request, or the impersonated user.
	User string
	// Code is the HTTP status of the answer.
	Code int
	// UserAgent is the User-Agent header of the client.
	UserAgent string
	// URI is the path and the query.
	URI string
	// Received is when the request arrived.
	Received time.Time
}

// String returns the request as "create apps/deployments/status default/web by alice: 201".
func (r Request) String() string {
	resource := r.URI
	if r.Resource != "" {
		resource = join(r.Group, r.Resource, r.Subresource)
		if name := join(r.Namespace, r.Name); name != "" {
			resource += " " + name
		}
	}
	return fmt.Sprintf("%s %s by %s: %d", r.Verb, resource, r.User, r.Code)
}

// join joins non-empty strings with slashes.
func join(parts ...string) string {
	var joined []byte
	for _, part := range parts {
		if part != "" && len(joined) > 0 {
			joined = append(joined, '/')
		}
		joined = append(joined, part...)
	}
	return string(joined)
}

// Requests returns the client requests so far, in the order of their responses, or in the order of their start for
// watches. A request is included as soon as its client has the response, also if it was rejected. Requests of the
// server to itself and of health checks are excluded. Behind a proxy, see ProgramEnv, requests handled by Faults are
// excluded too.
func (s *Server) Requests() ([]Request, error) {
	content, err := os.ReadFile(program.AuditLog(s.options.Dir))
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("the server has no audit log: %w", err)
	}
	if err != nil {
		return nil, err
	}
	return parseRequests(content)
}

// parseRequests reads an audit log. A watch appears in it twice.
func parseRequests(content []byte) ([]Request, error) {
	var all []Request
	seen := map[string]bool{}
	events := json.NewDecoder(bytes.NewReader(content))
	for {
		var event auditv1.Event
		err := events.Decode(&event)
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) { // the last line is incomplete
			return all, nil
		}
		if err != nil {
			return nil, fmt.Errorf("audit log: %w", err)
		}
		if !seen[string(event.AuditID)] {
			all = append(all, requestOf(&event))
		}
		seen[string(event.AuditID)] = event.Stage == auditv1.StageResponseStarted
	}
}

func requestOf(event *auditv1.Event) Request {
	r := Request{
		Verb:      event.Verb,
		User:      event.User.Username,
		UserAgent: event.UserAgent,
		URI:       event.RequestURI,
		Received:  event.RequestReceivedTimestamp.Time,
	}
	if event.ImpersonatedUser != nil {
		r.User = event.ImpersonatedUser.Username
	}
	if event.ResponseStatus != nil {
		r.Code = int(event.ResponseStatus.Code)
	}
	if ref := event.ObjectRef; ref != nil {
		r.Group, r.Resource, r.Subresource = ref.APIGroup, ref.Resource, ref.Subresource
		r.Namespace, r.Name = ref.Namespace, ref.Name
	}
	return r
}
