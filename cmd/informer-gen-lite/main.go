// Command informer-gen-lite generates code for annotated Kubernetes API types: deep copies, defaults, conversions, registration in
// schemes, apply configurations, clientsets with fakes, listers, informers and controllers. Run it in a module with API types:
//
//	informer-gen-lite ./apis/...
//
// See informer-gen-lite --help for all commands and flags.
package main

import (
	"os"

	"github.com/informer-gen-lite/informer-gen-lite/internal/front/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], os.Stdout, os.Stderr))
}
