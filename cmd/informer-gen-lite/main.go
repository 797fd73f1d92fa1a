// Command informer-gen-lite generates typed clients, listers and informers for Kubernetes API types.
package main

import (
	"os"

	"github.com/informer-gen-lite/informer-gen-lite/internal/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], os.Stdout, os.Stderr))
}
