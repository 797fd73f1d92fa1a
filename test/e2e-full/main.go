// Command e2e-full is the control plane that test/e2e can run against in place of its own: etcd, kube-apiserver and
// kube-controller-manager, the real ones, in one process on loopback. Tests start it as a child, see apiserver.ProgramEnv.
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/informer-gen-lite/informer-gen-lite/test/e2e/apiserver"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1) //nolint:forbidigo // this is main
	}
}

func run() error {
	if !apiserver.IsChild() {
		return errors.New("this program is for the tests of test/e2e: set $" + apiserver.ProgramEnv + " to its path and run them")
	}
	return apiserver.Serve(start)
}
