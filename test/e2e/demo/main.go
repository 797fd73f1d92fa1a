// Command demo runs the generated controllers of the examples against a real API server in this process: two candidates, a few
// workloads, and a leader that is killed. It prints a timeline of events.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
)

func main() {
	keep := flag.Bool("keep", false, "go on until interrupted, for kubectl and curious people")
	root := flag.String("root", "../..", "`directory` of the repository")
	flag.Parse()
	klog.SetLogger(logr.Discard()) // the API server's own
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second interrupt ends the process at once
	err := run(ctx, os.Stdout, *root, *keep)
	switch {
	case ctx.Err() != nil:
		fmt.Fprintln(os.Stderr, "demo: interrupted")
		os.Exit(130) //nolint:forbidigo // this is a main function
	case err != nil:
		fmt.Fprintf(os.Stderr, "demo: %v\n", err)
		os.Exit(1) //nolint:forbidigo // this is a main function
	}
}

// run prints the demo to w and cleans up.
func run(ctx context.Context, w io.Writer, root string, keep bool) (err error) {
	dir, remove, err := makeFolder(os.TempDir())
	if err != nil {
		return err
	}
	defer remove() //nolint:errcheck // best effort
	binary := filepath.Join(dir, "fleet-operator")
	build := exec.CommandContext(ctx, "go", "build", "-o", binary, "./cmd/fleet-operator")
	build.Dir = filepath.Join(root, "examples") // a module
	if output, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", build, err, output)
	}

	timeline := newTimeline(w)
	defer timeline.close()
	timeline.say("demo", "starts an API server with etcd, in this process")
	server, err := apiservertest.StartServer(
		ctx,
		apiservertest.Options{Dir: filepath.Join(dir, "server"), AnyNamespace: true, ReadyDeployments: true},
	)
	if err != nil {
		return err
	}
	defer server.Stop() //nolint:errcheck // it ends with the process
	timeline.say("server", "is ready on %s", server.Config().Host)
	s := &story{timeline: timeline, config: server.Config(), binary: binary, kubeconfig: server.Kubeconfig()}
	if err := s.tell(ctx, filepath.Join(root, "examples/config/crd")); err != nil {
		return err
	}
	timeline.chapter("Done")
	if keep {
		fmt.Fprintf(w, "The server and the controller go on until they are interrupted. To look at them:\n\n"+
			"\texport KUBECONFIG=%s\n\tkubectl get workloads,workloadrevisions,deployments,configmaps,events -A\n\n", s.kubeconfig)
		<-ctx.Done()
	}
	return s.end()
}
