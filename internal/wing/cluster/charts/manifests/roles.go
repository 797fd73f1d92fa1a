package manifests

import (
	rbacv1 "k8s.io/api/rbac/v1"

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
	for _, name := range []string{d.Template.Spec.ServiceAccountName, d.Template.Spec.ServiceAccount} {
		if name != "" {
			return account{namespace, name}
		}
	}
	return account{namespace, "default"}
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
