package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Lease durations for a short demo; the defaults are five times as long.
const (
	leaseDuration = 3 * time.Second
	renewDeadline = 2 * time.Second
	retryPeriod   = 500 * time.Millisecond
)

// candidate is a controller process that participates in leader election.
type candidate struct {
	name    string
	command *exec.Cmd
	// ready and leads are closed when the log says so; ended is closed when the process has ended with err.
	ready, leads, ended chan struct{}
	err                 error
	// ledAt is when it began to lead.
	ledAt time.Time
}

// startCandidate starts a controller process. Its log goes to the timeline.
func startCandidate(t *timeline, name, binary, kubeconfig string) (*candidate, error) {
	c := &candidate{
		name: name, ready: make(chan struct{}), leads: make(chan struct{}), ended: make(chan struct{}),
		command: exec.Command(binary, "--kubeconfig="+kubeconfig, "--probe-address=127.0.0.1:0", "--metrics-address=127.0.0.1:0",
			"--debug-address=127.0.0.1:0", "--log-format=json", "-v=4",
			"--leader-elect-lease-duration="+leaseDuration.String(), "--leader-elect-renew-deadline="+renewDeadline.String(),
			"--leader-elect-retry-period="+retryPeriod.String()),
	}
	logs, err := c.command.StderrPipe()
	if err != nil {
		return nil, err
	}
	t.say("demo", "starts the controller as candidate %q", name)
	if err := c.command.Start(); err != nil {
		return nil, err
	}
	go func() {
		defer close(c.ended)
		c.follow(t, logs)
		c.err = c.command.Wait()
	}()
	return c, nil
}

// regions is the name of the second controller of the operator.
const regions = "regions.fleet.example.com"

// logLine has the fields of a log line that the timeline needs.
type logLine struct {
	Time                              time.Time
	Msg, Level, Err                   string
	Controller                        string
	Object                            json.RawMessage
	Resource, Event, Outcome, Address string
	Took                              time.Duration
}

// follow reads the log until its end.
func (c *candidate) follow(t *timeline, logs io.Reader) {
	var readyOnce, leadsOnce sync.Once
	scanner := bufio.NewScanner(logs)
	for scanner.Scan() {
		var line logLine
		if err := json.Unmarshal(scanner.Bytes(), &line); err != nil {
			t.say(c.name, "%s", scanner.Text())
			continue
		}
		switch line.Msg {
		case "All caches have synced":
			readyOnce.Do(func() { close(c.ready) })
		case "Starting workers":
			leadsOnce.Do(func() {
				c.ledAt = line.Time
				close(c.leads)
			})
		}
		if line.Controller == regions && line.Object == nil {
			continue // both controllers start and stop at the same time
		}
		if text := line.describe(); text != "" {
			t.note(line.Time, c.name, text)
		}
	}
}

// describe returns a sentence for a log line, or "" for lines that the timeline omits.
func (l logLine) describe() string {
	switch l.Msg {
	case "Serving probes":
		return "serves /healthz and /readyz on http://" + l.Address
	case "Serving metrics":
		return "serves /metrics on http://" + l.Address
	case "Serving debugging":
		return "serves /debug/controllers on http://" + l.Address
	case "All caches have synced":
		return "caches have synced, on standby"
	case "Starting workers":
		return "acquired the lease, LEADS"
	case "Stopping controller":
		return "is stopping: finishes reconciles and releases the lease"
	case "Queued":
		if l.Resource == "" {
			return fmt.Sprintf("cache: %s → queue %s", l.Event, l.object())
		}
		return fmt.Sprintf("handler: %s %s → queue %s", kindOf(l.Resource), l.Event, l.object())
	case "Reconciling":
		return "  reconcile " + l.object()
	case "Reconciled":
		return fmt.Sprintf("  reconciled %s in %v: %s", l.object(), l.Took.Round(100*time.Microsecond), l.Outcome)
	}
	if l.Level == "ERROR" {
		return "error: " + l.Msg + ": " + l.Err
	}
	return ""
}

// object returns namespace and name.
func (l logLine) object() string {
	var name struct{ Namespace, Name string }
	if json.Unmarshal(l.Object, &name) == nil && name.Name != "" {
		return strings.TrimPrefix(name.Namespace+"/"+name.Name, "/")
	}
	return strings.Trim(string(l.Object), `"`)
}

// kindOf shortens a resource.
func kindOf(resource string) string {
	name, _, _ := strings.Cut(resource, ".")
	return name
}

// kill ends the process like a lost machine; terminate ends it like a rollout.
func (c *candidate) kill(t *timeline) {
	t.say("demo", "kills %q (SIGKILL)", c.name)
	_ = c.command.Process.Kill() // fails only if the process is gone
	<-c.ended
}

func (c *candidate) terminate(t *timeline) error {
	t.say("demo", "terminates %q (SIGTERM)", c.name)
	_ = c.command.Process.Signal(syscall.SIGTERM)
	<-c.ended
	return c.err
}
