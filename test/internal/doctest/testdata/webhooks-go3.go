//doctest:module examples/webhooks
package block

import (
	"context"

	"k8s.io/client-go/rest"

	"github.com/informer-gen-lite/informer-gen-lite/examples/webhooks"
)

type option func()

// m and manager have the part of package manager that the block uses.
var (
	m interface {
		Run(name string, run func(context.Context) error, options ...option)
	}
	manager struct{ BeforeCaches func() option }
	config  *rest.Config
)

func main() {
	// BLOCK
}
