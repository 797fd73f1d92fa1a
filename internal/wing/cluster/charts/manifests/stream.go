// Package manifests compares rendered manifests, such as those of a Helm chart, with what types and controllers need.
package manifests

import (
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/manifest"
)

// Stream is a rendered stream of manifests.
type Stream struct {
	*manifest.Stream

	// unnamed is the namespace of objects without one; "" if nothing in the stream names it.
	unnamed string

	// roles are also ClusterRoles, bindings also ClusterRoleBindings.
	roles     []decoded[rbacv1.ClusterRole]
	bindings  []decoded[rbacv1.RoleBinding]
	workloads []workload
	bundles   []bundle
}

// Parse reads a stream as package manifest does, and what matters in the objects.
func Parse(name string, text []byte) (*Stream, error) {
	objects, err := manifest.Parse(name, text)
	if err != nil {
		return nil, err
	}
	s := &Stream{Stream: objects}
	var diags diag.List
	for _, o := range s.Objects {
		if err := s.read(o); err != nil {
			diags.Add(o.At(), "%s: %s", o, err)
		}
	}
	s.nameNamespace()
	return s, diags.Err()
}

// read reads an object that matters.
func (s *Stream) read(o *manifest.Object) error {
	switch o.Group() + "/" + o.Kind {
	case "apps/Deployment", "apps/StatefulSet", "apps/DaemonSet":
		return s.readWorkload(o)
	case "operators.coreos.com/ClusterServiceVersion":
		return s.readBundle(o)
	case "rbac.authorization.k8s.io/Role", "rbac.authorization.k8s.io/ClusterRole":
		return decode(&s.roles, o)
	case "rbac.authorization.k8s.io/RoleBinding", "rbac.authorization.k8s.io/ClusterRoleBinding":
		return decode(&s.bindings, o)
	}
	return nil
}
