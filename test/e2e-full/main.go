// Command e2e-full is a control plane that tests of apiservertest can use instead of its own server: the real etcd,
// kube-apiserver and kube-controller-manager, in one process on loopback. Tests start it as a child process, see program.Env.
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest/program"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1) //nolint:forbidigo // this is main
	}
}

func run() error {
	if !program.IsChild() {
		return errors.New("this program is for tests that use apiservertest: set $" + program.Env + " to its path and run them")
	}
	return program.Serve(start)
}
