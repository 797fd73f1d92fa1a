package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/client-go/util/keyutil"
	cliflag "k8s.io/component-base/cli/flag"
	kubeapiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	kubeapiserveroptions "k8s.io/kubernetes/cmd/kube-apiserver/app/options"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	controllermanageroptions "k8s.io/kubernetes/cmd/kube-controller-manager/app/options"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest/program"
)

// serve starts kube-apiserver and returns once it is ready.
func (c *controlPlane) serve(ctx context.Context, options program.Options) error {
	flags, err := serverFlags(options)
	if err != nil {
		return err
	}
	server := kubeapiserveroptions.NewServerRunOptions()
	if err := parse(server.Flags(), flags); err != nil {
		return err
	}
	if err := server.GenericServerRunOptions.ComponentGlobalsRegistry.Set(); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", options.Port))
	if err != nil {
		return err
	}
	server.SecureServing.Listener = listener
	completed, err := server.Complete(ctx)
	if err == nil {
		err = errors.Join(completed.Validate()...)
	}
	var ca []byte
	if err == nil {
		ca, err = os.ReadFile(filepath.Join(program.CertificateDir(options.Dir), server.SecureServing.ServerCert.PairName+".crt"))
	}
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	c.ready.Host, c.ready.Port, c.ready.CA = "https://"+listener.Addr().String(), listener.Addr().(*net.TCPAddr).Port, ca
	c.api = background(func(ctx context.Context) error { return kubeapiserver.Run(ctx, completed) })
	return program.WaitReady(ctx, program.ClientConfig(c.ready.Host, ca), c.api.done)
}

// controllersToken is the token of kube-controller-manager, whose requests do not count as those of a test.
const controllersToken = "e2e-controllers"

// auditPolicy logs the same requests as the server of apiservertest.
const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
rules:
  - {level: None, users: ["` + user.APIServerUser + `", "` + user.KubeControllerManager + `"]}
  - {level: None, userGroups: ["system:serviceaccounts:kube-system"]}
  - {level: None, nonResourceURLs: ["/healthz*", "/livez*", "/readyz*"]}
  - {level: Metadata, omitStages: [RequestReceived]}
`

// serverFlags returns the flags of kube-apiserver and writes the files that it needs, except for its certificate.
func serverFlags(options program.Options) ([]string, error) {
	key, tokens, audit := filepath.Join(options.Dir, "sa.key"), filepath.Join(options.Dir, "tokens.csv"), filepath.Join(options.Dir, "audit.yaml")
	if _, _, err := keyutil.LoadOrGenerateKeyFile(key); err != nil {
		return nil, err
	}
	users := program.Token + ",admin,admin,system:masters\n" + controllersToken + "," + user.KubeControllerManager + ",controllers,system:masters\n"
	if err := errors.Join(os.WriteFile(tokens, []byte(users), 0o600), os.WriteFile(audit, []byte(auditPolicy), 0o600)); err != nil {
		return nil, err
	}
	flags := []string{
		"--etcd-servers=" + strings.Join(options.Etcd, ","),
		"--bind-address=127.0.0.1", "--advertise-address=127.0.0.1",
		"--cert-dir=" + program.CertificateDir(options.Dir),
		"--token-auth-file=" + tokens,
		"--authorization-mode=RBAC",
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file=" + key, "--service-account-signing-key-file=" + key,
		"--service-cluster-ip-range=10.0.0.0/24",
		"--audit-policy-file=" + audit,
		"--audit-log-path=" + program.AuditLog(options.Dir),
		// No test sends enough requests to be queued by priority, and queueing would distort tests with many requests.
		"--enable-priority-and-fairness=false",
		// Nothing uses the Service kubernetes, which would outlive the server.
		"--endpoint-reconciler-type=none",
		// With an open watch, the server would take a minute to stop.
		"--shutdown-watch-termination-grace-period=1s",
		fmt.Sprintf("--watch-cache=%t", !options.NoWatchCache),
	}
	// Kubernetes enables neither by default. Some distributions have the first, so controllers need the permissions that it requires
	// for references to owners. With the second, tests need not create namespaces, but these exist.
	plugins := []string{"OwnerReferencesPermissionEnforcement"}
	if options.AnyNamespace {
		plugins = append(plugins, "NamespaceAutoProvision")
	}
	flags = append(flags, "--enable-admission-plugins="+strings.Join(plugins, ","))
	if options.Compaction != 0 {
		flags = append(flags, "--etcd-compaction-interval="+options.Compaction.String())
	}
	for name, on := range options.FeatureGates {
		flags = append(flags, fmt.Sprintf("--feature-gates=%s=%t", name, on))
	}
	return flags, nil
}

// control starts kube-controller-manager with its default controllers.
func (c *controlPlane) control(ctx context.Context, dir string) error {
	kubeconfig := filepath.Join(dir, "kubeconfig")
	client := program.ClientConfig(c.ready.Host, c.ready.CA)
	client.BearerToken = controllersToken
	if err := program.WriteKubeconfig(client, kubeconfig); err != nil {
		return err
	}
	options, err := controllermanageroptions.NewKubeControllerManagerOptions()
	if err != nil {
		return err
	}
	all, disabled, aliases := controllermanager.KnownControllers(), controllermanager.ControllersDisabledByDefault(), controllermanager.ControllerAliases()
	err = parse(options.Flags(all, disabled, aliases), []string{
		"--kubeconfig=" + kubeconfig,
		"--leader-elect=false",
		"--bind-address=127.0.0.1",
		"--secure-port=0",
		"--kube-api-qps=1000", "--kube-api-burst=1000", // 20 by default, for all controllers together
	})
	if err != nil {
		return err
	}
	config, err := options.Config(ctx, all, disabled, aliases)
	if err != nil {
		return err
	}
	c.controllers = background(func(ctx context.Context) error { return controllermanager.Run(ctx, config.Complete()) })
	return nil
}

// parse sets flags like a command line.
func parse(sets cliflag.NamedFlagSets, args []string) error {
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	for _, set := range sets.FlagSets {
		all.AddFlagSet(set)
	}
	return all.Parse(args)
}
