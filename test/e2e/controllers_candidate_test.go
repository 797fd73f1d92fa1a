package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/types"
)

// Lease durations, shorter than the defaults but for the period, half of which a busy machine may take for one request.
const (
	leaseDuration = 10 * time.Second
	renewDeadline = 8 * time.Second
	retryPeriod   = 2 * time.Second
)

// team is the binary of the operator, with the server for its candidates.
type team struct {
	binary, kubeconfig string
	// options are flags of the candidates, besides those of their addresses and logs.
	options []string
	// read is called with each line of the logs, if it is set.
	read func(text string)
}

// newTeam builds the command, with further options of the manager, which are Go code.
func newTeam(t *testing.T, kubeconfig string, more ...string) *team {
	t.Helper()
	m := &team{binary: filepath.Join(t.TempDir(), program), kubeconfig: kubeconfig, options: []string{
		"--kube-api-qps=-1", "--workers=4",
		"--leader-elect-lease-duration=" + leaseDuration.String(), "--leader-elect-renew-deadline=" + renewDeadline.String(),
		"--leader-elect-retry-period=" + retryPeriod.String(),
	}}
	dir, err := filepath.Abs(filepath.Join("..", "..", "examples"))
	require.NoError(t, err)
	build := exec.CommandContext(withinTime(t, 2*patience), "go", "build", "-overlay", withOptions(t, dir, more), "-o", m.binary, "./cmd/"+program)
	build.Dir = dir
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return m
}

// withOptions returns an overlay for the go command, in which the main function has further options.
func withOptions(t *testing.T, dir string, more []string) string {
	t.Helper()
	name := filepath.Join(dir, "cmd", program, "main.go")
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	const last = "manager.WithMetrics(metrics.New())"
	require.Contains(t, string(text), last+")")
	changed := filepath.Join(t.TempDir(), "main.go")
	text = []byte(strings.Replace(string(text), last, strings.Join(append([]string{last}, more...), ", "), 1))
	require.NoError(t, os.WriteFile(changed, text, 0o600))
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{name: changed}})
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "overlay.json")
	require.NoError(t, os.WriteFile(file, overlay, 0o600))
	return file
}

// candidate is a process of the controller. Its log is read line by line.
type candidate struct {
	name    string
	command *exec.Cmd
	// probes, metrics and debugging are its addresses.
	probes, metrics, debugging string

	mu   sync.Mutex
	log  []line
	more chan struct{} // closed and replaced for every line
	// ended is closed when the process has ended, at the time endedAt.
	ended   chan struct{}
	endedAt time.Time
}

// line is a line of the log.
type line struct {
	At      time.Time `json:"time"`
	Level   string    `json:"level"`
	Message string    `json:"msg"`
	Address string    `json:"address"`
	Err     string    `json:"err"`
	// Identity is what the process is called in its lease.
	Identity string `json:"identity"`
	// Controller is the name of the controller, and Reasons what keeps caches from being filled.
	Controller string        `json:"controller"`
	Reasons    string        `json:"reasons"`
	Took       time.Duration `json:"took"`
	// UID is the UID of the object of a reconcile, if replicas share the objects.
	UID types.UID `json:"uid"`
}

// Log messages for synced caches, leadership, each reconcile, and the loss of a lease.
const (
	isReady    = "All caches have synced"
	competes   = "Waiting for the lease"
	leads      = "Starting workers"
	reconciled = "Reconciled"
	deposed    = "The process does not lead any more"
	newcomer   = "The API server answers, the process competes for its leases as a newcomer"
)

// join starts a candidate and waits until it is ready as leader or standby.
func (m *team) join(t *testing.T, name string) *candidate {
	t.Helper()
	c := m.launch(t, name)
	c.wait(t, isReady)
	return c
}

// launch starts a candidate and waits until it serves its probes.
func (m *team) launch(t *testing.T, name string) *candidate {
	t.Helper()
	command := exec.Command(m.binary, append([]string{
		"--kubeconfig=" + m.kubeconfig, "--log-format=json", "-v=4",
		"--probe-address=127.0.0.1:0", "--metrics-address=127.0.0.1:0", "--debug-address=127.0.0.1:0",
	}, m.options...)...)
	// It may list as well as watch: it lists if a server cannot stream.
	command.Env = append(os.Environ(), "KUBE_FEATURE_WatchListClient=false")
	return startCandidate(t, name, command, m.read)
}

// startCandidate starts a process and waits until it serves its probes. If read is not nil, it is called with each line of the log.
func startCandidate(t *testing.T, name string, command *exec.Cmd, read func(text string)) *candidate {
	t.Helper()
	c := &candidate{name: name, command: command, more: make(chan struct{}), ended: make(chan struct{})}
	stderr, err := command.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	go c.read(stderr, read)
	t.Cleanup(func() {
		c.signal(t, syscall.SIGKILL) // stopped or not
		<-c.ended
		if t.Failed() {
			c.tell(t)
		}
	})
	c.probes, c.debugging = c.wait(t, "Serving probes").Address, c.wait(t, "Serving debugging").Address
	c.metrics = c.wait(t, "Serving metrics").Address
	return c
}

// read notes all lines until the process has ended, and calls also with each, unless it is nil.
func (c *candidate) read(log io.Reader, also func(text string)) {
	lines := bufio.NewScanner(log)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var l line
		if json.Unmarshal(lines.Bytes(), &l) != nil {
			l = line{At: time.Now(), Message: lines.Text()} // for example of a panic
		}
		c.mu.Lock()
		c.log = append(c.log, l)
		close(c.more)
		c.more = make(chan struct{})
		c.mu.Unlock()
		if also != nil {
			also(lines.Text())
		}
	}
	_ = c.command.Wait() // the exit code is read later
	c.endedAt = time.Now()
	close(c.ended)
}

// wait waits for the first line with a message.
func (c *candidate) wait(t *testing.T, message string) line {
	t.Helper()
	found, err := c.first(within(t), message)
	require.NoError(t, err, "%s has not said %q", c.name, message)
	return found
}

// first returns the first line with a message as soon as there is one.
func (c *candidate) first(ctx context.Context, message string) (line, error) {
	for ended := false; ; {
		c.mu.Lock()
		more := c.more
		c.mu.Unlock()
		if found := c.lines(message); len(found) > 0 {
			return found[0], nil
		}
		if ended {
			return line{}, fmt.Errorf("it has ended: %v", c.command.ProcessState)
		}
		select {
		case <-more:
		case <-c.ended:
			ended = true
		case <-ctx.Done():
			return line{}, context.Cause(ctx)
		}
	}
}

// lines returns the lines with a message.
func (c *candidate) lines(message string) []line {
	c.mu.Lock()
	defer c.mu.Unlock()
	var found []line
	for _, l := range c.log {
		if l.Message == message {
			found = append(found, l)
		}
	}
	return found
}

// tell logs the output of the process, without details.
func (c *candidate) tell(t *testing.T) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, l := range c.log {
		if !strings.HasPrefix(l.Level, "DEBUG") {
			t.Logf("%s: %s %s %s %s", c.name, l.At.Format("15:04:05.000"), l.Level, l.Message, l.Err)
		}
	}
}

func (c *candidate) signal(t *testing.T, signal os.Signal) {
	t.Helper()
	select {
	case <-c.ended:
	default:
		_ = c.command.Process.Signal(signal) // fails if the process is just ending
	}
}

// end waits for the process to end, and returns its exit code and end time.
func (c *candidate) end(t *testing.T) (int, time.Time) {
	t.Helper()
	select {
	case <-c.ended:
	case <-time.After(patience):
		require.FailNow(t, "this takes too long", "%s does not end", c.name)
	}
	return c.command.ProcessState.ExitCode(), c.endedAt
}

// get requests a page from a candidate.
func (c *candidate) get(t *testing.T, path string) (int, string) {
	t.Helper()
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	address := c.probes
	switch {
	case path == "/metrics":
		address = c.metrics
	case strings.HasPrefix(path, "/debug/"):
		address = c.debugging
	}
	response, err := client.Get("http://" + address + path)
	require.NoError(t, err)
	defer func() { assert.NoError(t, response.Body.Close()) }()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, string(body)
}
