package apiservertest_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/typed/core/v1"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
)

// The benchmarks run the server in a separate process, so that the memory is the server's alone. $E2E_SERVER names
// another server to measure: the one in test/e2e-full is a complete kube-apiserver.

// BenchmarkStart measures the time to start and to stop a server, and the memory in between.
func BenchmarkStart(b *testing.B) {
	var ready, memory float64
	for b.Loop() {
		began := time.Now()
		process := startProcess(b)
		ready += float64(time.Since(began).Milliseconds())
		memory += resident(b, process)
		require.NoError(b, process.Terminate())
	}
	b.ReportMetric(ready/float64(b.N), "ms/ready")
	b.ReportMetric(memory/float64(b.N), "MB")
}

// BenchmarkStartHere measures the time to start a server in the test process.
func BenchmarkStartHere(b *testing.B) {
	var ready float64
	for b.Loop() {
		began := time.Now()
		server, err := apiservertest.StartServer(b.Context(), apiservertest.Options{})
		require.NoError(b, err)
		ready += float64(time.Since(began).Milliseconds())
		require.NoError(b, server.Stop())
	}
	b.ReportMetric(ready/float64(b.N), "ms/ready")
}

// BenchmarkWrites measures 1,000 creates, sequentially and with 16 workers.
func BenchmarkWrites(b *testing.B) {
	const writes = 1000
	process := startProcess(b)
	client := connect(b, process.Config())
	round := 0
	for _, workers := range []int{1, 16} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			for b.Loop() {
				round++
				create(b, client.CoreV1().ConfigMaps("default"), workers, writes, round)
			}
			b.ReportMetric(writes*float64(b.N)/b.Elapsed().Seconds(), "writes/s")
			b.ReportMetric(resident(b, process), "MB")
		})
	}
	require.NoError(b, process.Terminate())
}

func startProcess(b *testing.B) *apiservertest.Process {
	b.Helper()
	process, err := apiservertest.StartProcess(b.Context(), apiservertest.Options{Dir: b.TempDir()})
	require.NoError(b, err)
	return process
}

// create creates config maps with a number of workers.
func create(b *testing.B, client v1.ConfigMapInterface, workers, writes, round int) {
	b.Helper()
	errs := make([]error, workers)
	var group sync.WaitGroup
	for worker := range workers {
		group.Go(func() {
			for i := worker; i < writes && errs[worker] == nil; i += workers {
				_, errs[worker] = client.Create(b.Context(), configMap(fmt.Sprintf("c-%d-%d", round, i)), metav1.CreateOptions{})
			}
		})
	}
	group.Wait()
	for _, err := range errs {
		require.NoError(b, err)
	}
}

// resident returns the resident memory of a server in MB, or 0 without /proc.
func resident(b *testing.B, process *apiservertest.Process) float64 {
	b.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", process.PID()))
	if os.IsNotExist(err) {
		return 0
	}
	require.NoError(b, err)
	_, after, _ := strings.Cut(string(status), "VmRSS:")
	kilobytes, err := strconv.ParseFloat(strings.Fields(after)[0], 64)
	require.NoError(b, err)
	return kilobytes / 1024
}
