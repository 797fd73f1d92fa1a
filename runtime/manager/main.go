package manager

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	klog "k8s.io/klog/v2"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// Main is the main function of a command: it reads the flags, see the package comment, connects to the API server, calls setup to add
// controllers, and runs them until it gets SIGTERM or an interrupt; a second signal ends the process at once. It does not return. The exit
// code is 0 at the end, 1 after an error, which is logged, and 2 if flags or the kubeconfig are wrong. Options override the defaults of
// flags, and flags that are passed override options, except that --namespace contradicts namespaces of [WithInformers].
func Main(name string, setup func(*Manager) error, options ...Option) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Stderr, command{name, setup, options})) //nolint:forbidigo // this is the main function of commands
}

// command is what Main is called with.
type command struct {
	name    string
	setup   func(*Manager) error
	options []Option
}

// The exit codes of commands.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

// run runs a command until ctx is done.
func run(ctx context.Context, args []string, stderr io.Writer, c command) int {
	own := newSettings(c.options)
	f, err := parseFlags(c.name, args, stderr, own.flags)
	var config *rest.Config
	var options []Option
	if err == nil {
		config, options, err = f.load(own.metrics != nil, c.options)
	}
	if err == nil {
		err = setupLogs(f.logFormat, f.verbosity)
	}
	var m *Manager
	if err == nil {
		m, err = New(c.name, config, options...)
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitDone
	case err != nil:
		_, _ = fmt.Fprintf(stderr, "%s: %v\n", c.name, err)
		return exitUsage
	}
	if err = c.setup(m); err == nil {
		err = m.Start(ctx)
	}
	if err != nil {
		klog.Background().Error(err, c.name+" has failed")
		return exitFailed
	}
	return exitDone
}

// flags are the values of the flags of commands.
type flags struct {
	kubeconfig                  string
	namespaces                  string
	workers, shards             int
	qps                         float64
	probes, metrics, debug      string
	lead                        bool
	leaseNamespace              string
	lease, renewDeadline, retry time.Duration
	recovery, stuckAfter        time.Duration
	logFormat                   string
	verbosity                   int

	// given has the names of the flags that were passed.
	given map[string]bool
}

// parseFlags parses the flags of commands, and flags of [WithFlags].
func parseFlags(name string, args []string, stderr io.Writer, more []func(*flag.FlagSet)) (f flags, err error) {
	set := flag.NewFlagSet(name, flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&f.kubeconfig, "kubeconfig", "",
		"kubeconfig `file`; by default $KUBECONFIG, the service account in a cluster, or ~/.kube/config")
	set.StringVar(&f.namespaces, "namespace", "", "`namespaces` to watch, separated by commas; all namespaces by default")
	set.IntVar(&f.workers, "workers", 2, "number of objects that each controller reconciles concurrently")
	set.Float64Var(&f.qps, "kube-api-qps", 0,
		"requests of each client to the API server per second, with bursts of twice as many; 0 for no limit but the server's own")
	set.StringVar(&f.probes, "probe-address", "localhost:8081",
		"`address` of /healthz and /readyz; :8081 for all interfaces, empty for none")
	set.StringVar(&f.metrics, "metrics-address", "localhost:8080",
		"`address` of /metrics, if the command has metrics; :8080 for all interfaces, empty for none")
	set.StringVar(&f.debug, "debug-address", "localhost:6060",
		"loopback `address` of /debug/controllers, /debug/pprof and /debug/flags/v; empty for none")
	set.BoolVar(&f.lead, "leader-elect", true, "reconcile only while holding the lease, so that several replicas can stand by")
	set.IntVar(&f.shards, "shards", 0,
		"largest `number` of replicas that share the objects of sharded controllers; 0 for one leader that does everything")
	set.StringVar(&f.leaseNamespace, "leader-elect-namespace", "",
		"`namespace` of the lease; by default the pod's, or the namespace of the kubeconfig's context")
	set.DurationVar(&f.lease, "leader-elect-lease-duration", 15*time.Second,
		"how long candidates wait after the last renewal before they take over the lease")
	set.DurationVar(&f.renewDeadline, "leader-elect-renew-deadline", 10*time.Second,
		"how long the leader retries to renew the lease before it gives up leadership")
	set.DurationVar(&f.retry, "leader-elect-retry-period", 2*time.Second, "how long to wait between attempts to acquire or renew the lease")
	set.DurationVar(&f.recovery, "recovery-deadline", 5*time.Minute,
		"how long the API server may be away after the lease is lost before the process ends; 0 ends it when the lease is lost")
	set.DurationVar(&f.stuckAfter, "stuck-after", time.Hour, "how long a reconcile may run before /healthz fails; 0 means forever")
	set.StringVar(&f.logFormat, "log-format", "text", "`format` of the log, text or json")
	set.IntVar(&f.verbosity, "v", 0, "`verbosity` of the log; 4 logs every reconcile; PUT /debug/flags/v changes it")
	for _, register := range more {
		register(set)
	}
	err = set.Parse(args)
	f.given = map[string]bool{}
	set.Visit(func(one *flag.Flag) { f.given[one.Name] = true })
	switch {
	case errors.Is(err, flag.ErrHelp):
		_, _ = fmt.Fprintf(stderr, "Usage of %s:\n", name)
		set.SetOutput(stderr)
		set.PrintDefaults()
	case err != nil:
	case set.NArg() > 0:
		err = fmt.Errorf("unexpected argument %q", set.Arg(0))
	case f.logFormat != "text" && f.logFormat != "json":
		err = fmt.Errorf("--log-format must be text or json, not %q", f.logFormat)
	}
	return f, err
}

// load returns the configuration for clients, and all options: defaults of flags, options of the command, and flags that were passed.
func (f flags) load(hasMetrics bool, own []Option) (*rest.Config, []Option, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = f.kubeconfig
	kubeconfig := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, nil)
	config, err := kubeconfig.ClientConfig()
	switch {
	case clientcmd.IsEmptyConfig(err):
		return nil, nil, fmt.Errorf("no kubeconfig: not running in a cluster, and no file %s; set --kubeconfig",
			strings.Join(rules.GetLoadingPrecedence(), ", "))
	case err != nil:
		return nil, nil, fmt.Errorf("kubeconfig: %w", err)
	}
	config.QPS, config.Burst = max(0, float32(f.qps)), max(0, int(math.Ceil(2*f.qps)))
	if f.leaseNamespace == "" {
		if f.leaseNamespace, _, err = kubeconfig.Namespace(); err != nil {
			return nil, nil, fmt.Errorf("kubeconfig: %w", err)
		}
	}
	defaults, given := f.options(hasMetrics)
	return config, slices.Concat(defaults, own, given), nil
}

// options returns options for the flags: given for flags that were passed, defaults for the others.
func (f flags) options(hasMetrics bool) (defaults, given []Option) {
	add := func(option Option, flags ...string) {
		if slices.ContainsFunc(flags, func(name string) bool { return f.given[name] }) {
			given = append(given, option)
			return
		}
		defaults = append(defaults, option)
	}
	add(WithWorkers(f.workers), "workers")
	add(WithStuckAfter(f.stuckAfter), "stuck-after")
	add(WithRecoveryDeadline(f.recovery), "recovery-deadline")
	add(ServeProbes(f.probes), "probe-address")
	add(ServeDebug(f.debug), "debug-address")
	if hasMetrics || f.given["metrics-address"] {
		add(ServeMetrics(f.metrics), "metrics-address")
	}
	add(func(s *settings) {
		if s.shards = nil; f.shards != 0 {
			s.shards = &Shards{Slots: f.shards}
		}
	}, "shards")
	if f.namespaces != "" {
		add(WithInformers(informer.WithNamespaces(strings.Split(f.namespaces, ",")...)), "namespace")
	}
	if f.lead {
		defaults = append(defaults, WithLeaderElection(LeaderElection{}))
	} else {
		given = append(given, func(s *settings) { s.election = nil })
	}
	elect := func(flag string, set func(*LeaderElection)) {
		add(func(s *settings) {
			if s.election != nil {
				set(s.election)
			}
		}, flag)
	}
	elect("leader-elect-namespace", func(e *LeaderElection) { e.Namespace = f.leaseNamespace })
	elect("leader-elect-lease-duration", func(e *LeaderElection) { e.LeaseDuration = f.lease })
	elect("leader-elect-renew-deadline", func(e *LeaderElection) { e.RenewDeadline = f.renewDeadline })
	elect("leader-elect-retry-period", func(e *LeaderElection) { e.RetryPeriod = f.retry })
	return defaults, given
}
