// Package manifests compares rendered manifests, for example of a Helm chart, with the needs of types and controllers.
package manifests

import (
	"cmp"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/manifest"
)

// decoded is an object with its value.
type decoded[T any] struct {
	object *manifest.Object
	value  T
}

// decode adds an object to others of its kind.
func decode[T any](all *[]decoded[T], o *manifest.Object) error {
	d := decoded[T]{object: o}
	err := o.Decode(&d.value)
	*all = append(*all, d)
	return err
}

// account is a service account.
type account struct{ namespace, name string }

// String names the account in messages.
func (a account) String() string {
	if a.namespace == "" {
		return a.name
	}
	return a.namespace + "/" + a.name
}

// workload is a Deployment, StatefulSet or DaemonSet, or a Deployment that a ClusterServiceVersion creates.
type workload struct {
	kind, name string
	runs       account
}

// isOf reports whether a configured name, with or without a kind, is the name of the workload.
func (w workload) isOf(name string) bool { return name == w.name || name == w.kind+"/"+w.name }

// bundle is a ClusterServiceVersion.
type bundle struct {
	object *manifest.Object
	// everywhere is true if the bundle can be installed for all namespaces. Then all its permissions are for all of them.
	everywhere                      bool
	permissions, clusterPermissions []permission
}

// permission are the rules for an account of a bundle.
type permission struct {
	ServiceAccountName string
	Rules              []rbacv1.PolicyRule
}

// deployment is the part of the specification of a Deployment, StatefulSet or DaemonSet that matters.
type deployment struct {
	Template struct {
		Spec struct{ ServiceAccountName, ServiceAccount string }
	}
}

func (d deployment) account(namespace string) account {
	return account{namespace, cmp.Or(d.Template.Spec.ServiceAccountName, d.Template.Spec.ServiceAccount, "default")}
}

func (s *Stream) readWorkload(o *manifest.Object) error {
	var d struct{ Spec deployment }
	err := o.Decode(&d)
	s.workloads = append(s.workloads, workload{o.Kind, o.Metadata.Name, d.Spec.account(o.Metadata.Namespace)})
	return err
}

// readBundle reads a ClusterServiceVersion, whose own namespace is a placeholder.
func (s *Stream) readBundle(o *manifest.Object) error {
	var csv struct {
		Spec struct {
			InstallModes []struct {
				Type      string
				Supported bool
			}
			Install struct {
				Spec struct {
					Permissions, ClusterPermissions []permission
					Deployments                     []struct {
						Name string
						Spec deployment
					}
				}
			}
		}
	}
	err := o.Decode(&csv)
	install := csv.Spec.Install.Spec
	b := bundle{object: o, permissions: install.Permissions, clusterPermissions: install.ClusterPermissions}
	for _, mode := range csv.Spec.InstallModes {
		b.everywhere = b.everywhere || mode.Supported && mode.Type == "AllNamespaces"
	}
	s.bundles = append(s.bundles, b)
	for _, d := range install.Deployments {
		s.workloads = append(s.workloads, workload{"Deployment", d.Name, d.Spec.account("")})
	}
	return err
}

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
