package apiservertest_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/go-logr/logr"
	"go.uber.org/goleak"
	"k8s.io/klog/v2"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
)

// shared is the server of all tests that do not need their own.
var shared *apiservertest.Server

func TestMain(m *testing.M) {
	klog.SetLogger(logr.Discard())
	apiservertest.Main(m, &shared, apiservertest.Options{CRDPaths: []string{"testdata/crd"}})
	if apiservertest.IsChild() {
		return
	}
	var ignored []goleak.Option
	for _, function := range apiservertest.Leftovers() {
		ignored = append(ignored, goleak.IgnoreAnyFunction(function))
	}
	if err := goleak.Find(ignored...); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1) //nolint:forbidigo // TestMain is the main function of a test
	}
}
