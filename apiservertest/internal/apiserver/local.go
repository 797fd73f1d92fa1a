// Package apiserver runs an API server in this process: the code that serves custom resources in a cluster, with a few
// built-in kinds, on an embedded etcd.
package apiserver

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"

	"go.etcd.io/etcd/server/v3/embed"
	"go.etcd.io/etcd/server/v3/etcdserver/api/v3client"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest/internal/controllers"
	"github.com/informer-gen-lite/informer-gen-lite/apiservertest/internal/listener"
	"github.com/informer-gen-lite/informer-gen-lite/apiservertest/program"
)

// Local is a server in this process.
type Local struct {
	options     program.Options // with the actual port and etcd
	wrap        func(http.Handler) http.Handler
	config      *rest.Config // the administrator's
	loopback    *rest.Config // the server's own
	connections *listener.Listener
	audit       *os.File
	release     func()      // of the feature gates
	etcd        *embed.Etcd // nil if the etcd is external
	controllers *controllers.Controllers
	cancel      context.CancelFunc
	done        chan struct{} // closed once the API server has ended
	err         error         // why it ended; to be read after done
}

var _ program.Instance = (*Local)(nil)

// Start starts a server and returns once it is ready. If wrap is not nil, it wraps the API handler.
func Start(ctx context.Context, options program.Options, wrap func(http.Handler) http.Handler) (*Local, error) {
	if err := os.MkdirAll(options.Dir, 0o700); err != nil {
		return nil, err
	}
	release, err := holdGates(options.FeatureGates)
	if err != nil {
		return nil, err
	}
	l := &Local{options: options, wrap: wrap, release: release, done: make(chan struct{})}
	if len(options.Etcd) == 0 {
		etcd, err := program.StartEtcd(ctx, filepath.Join(options.Dir, "etcd"))
		if err != nil {
			l.clean()
			return nil, fmt.Errorf("start etcd: %w", err)
		}
		l.etcd = etcd
		l.options.Etcd = program.EtcdURLs(etcd)
	}
	if err := l.serve(); err != nil {
		l.clean()
		return nil, fmt.Errorf("start API server: %w", err)
	}
	err = program.WaitReady(ctx, l.config, l.done)
	if err == nil && l.etcd != nil {
		err = l.populate(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, l.Stop())
	}
	return l, nil
}

// populate creates the objects that every cluster has, and starts the controllers. If the etcd belongs to another
// server, that server does both.
func (l *Local) populate(ctx context.Context) error {
	client, err := kubernetes.NewForConfig(l.loopback)
	if err != nil {
		return err
	}
	for _, name := range []string{metav1.NamespaceDefault, metav1.NamespaceSystem, metav1.NamespacePublic, corev1.NamespaceNodeLease} {
		namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
		if _, err := client.CoreV1().Namespaces().Create(ctx, namespace, metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
			return fmt.Errorf("namespace %s: %w", name, err)
		}
	}
	all := []string{rbacv1.VerbAll}
	admin := &rbacv1.ClusterRole{
		ObjectMeta: metav1.ObjectMeta{Name: "cluster-admin"},
		Rules:      []rbacv1.PolicyRule{{Verbs: all, APIGroups: all, Resources: all}, {Verbs: all, NonResourceURLs: all}},
	}
	if _, err := client.RbacV1().ClusterRoles().Create(ctx, admin, metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("cluster role %s: %w", admin.Name, err)
	}
	if l.options.NoControllers {
		return nil
	}
	l.controllers, err = controllers.Start(ctx, controllers.Config{
		Client:           l.loopback,
		Etcd:             v3client.New(l.etcd.Server),
		Builtins:         BuiltinKinds(),
		ReadyDeployments: l.options.ReadyDeployments,
	})
	return err
}

// Ready implements program.Instance.
func (l *Local) Ready() program.Announcement {
	return program.Announcement{Host: l.config.Host, CA: l.config.CAData, Port: l.options.Port, Etcd: l.options.Etcd}
}

// Done implements program.Instance.
func (l *Local) Done() <-chan struct{} { return l.done }

// Stop implements program.Instance.
func (l *Local) Stop() error {
	if l.controllers != nil {
		l.controllers.Stop()
		l.controllers = nil
	}
	l.cancel()
	<-l.done
	l.clean()
	return l.err
}

// Sever breaks all connections of clients.
func (l *Local) Sever() { l.connections.Sever() }

// clean closes files, and gives the feature gates back.
func (l *Local) clean() {
	l.release()
	if l.etcd != nil {
		l.etcd.Close()
		l.etcd = nil
	}
	if l.audit != nil {
		_ = l.audit.Close() // all has been written
		l.audit = nil
	}
}
