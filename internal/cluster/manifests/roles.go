package manifests

import (
	rbacv1 "k8s.io/api/rbac/v1"
)

// decoded is an object with its value.
type decoded[T any] struct {
	object *object
	value  T
}

// decode adds an object to others of its kind.
func decode[T any](all *[]decoded[T], o *object) error {
	d := decoded[T]{object: o}
	err := o.decode(&d.value)
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

// workload is a Deployment, or one that a ClusterServiceVersion creates.
type workload struct {
	name string
	runs account
}

// bundle is a ClusterServiceVersion.
type bundle struct {
	object *object
	// everywhere is true if the bundle can be installed for all namespaces. Then all its permissions are for all of them.
	everywhere                      bool
	permissions, clusterPermissions []permission
}

// permission are the rules for an account of a bundle.
type permission struct {
	ServiceAccountName string
	Rules              []rbacv1.PolicyRule
}

// deployment is the part of a Deployment's specification that matters.
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

func (s *Stream) readDeployment(o *object) error {
	var d struct{ Spec deployment }
	err := o.decode(&d)
	s.workloads = append(s.workloads, workload{o.Metadata.Name, d.Spec.account(o.Metadata.Namespace)})
	return err
}

// readBundle reads a ClusterServiceVersion, whose own namespace is a placeholder.
func (s *Stream) readBundle(o *object) error {
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
	err := o.decode(&csv)
	install := csv.Spec.Install.Spec
	b := bundle{object: o, permissions: install.Permissions, clusterPermissions: install.ClusterPermissions}
	for _, mode := range csv.Spec.InstallModes {
		b.everywhere = b.everywhere || mode.Supported && mode.Type == "AllNamespaces"
	}
	s.bundles = append(s.bundles, b)
	for _, d := range install.Deployments {
		s.workloads = append(s.workloads, workload{d.Name, d.Spec.account("")})
	}
	return err
}
