package apiserver_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/go-logr/logr"
	"go.uber.org/goleak"
	"k8s.io/klog/v2"

	"github.com/informer-gen-lite/informer-gen-lite/test/e2e/apiserver"
)

func TestMain(m *testing.M) {
	if apiserver.IsChild() {
		if err := apiserver.RunChild(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1) //nolint:forbidigo // TestMain is the main function of a test
		}
		return
	}
	klog.SetLogger(logr.Discard())
	goleak.VerifyTestMain(m, apiserver.Leftovers()...)
}
