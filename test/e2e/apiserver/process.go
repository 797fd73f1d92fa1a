package apiserver

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"syscall"

	"k8s.io/client-go/rest"
)

// childEnv holds, in the environment of a child, the Options of its server as JSON.
const childEnv = "E2E_APISERVER_OPTIONS"

// Process is a server in a process of its own, which can be sent real signals. It ends with the process that started
// it, however that ends. Its methods are not safe for concurrent use.
type Process struct {
	options Options
	config  *rest.Config
	command *exec.Cmd
	stderr  *output
}

// announcement is the line that a child writes once it is ready.
type announcement struct {
	Host string
	CA   []byte
	Port int
}

// IsChild reports whether this process was started by StartProcess, and so has to call RunChild and nothing else.
func IsChild() bool { return os.Getenv(childEnv) != "" }

// RunChild is the child's side of StartProcess: it serves until SIGTERM, or until its parent is gone.
func RunChild() error {
	var options Options
	if err := json.Unmarshal([]byte(os.Getenv(childEnv)), &options); err != nil {
		return fmt.Errorf("$%s: %w", childEnv, err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // nothing is ever written, so that it ends when the parent does
		stop()
	}()
	server, err := Start(ctx, options)
	if err != nil {
		return err
	}
	ready := announcement{Host: server.config.Host, CA: server.config.CAData, Port: server.options.Port}
	if err := json.NewEncoder(os.Stdout).Encode(ready); err != nil {
		return errors.Join(err, server.Stop())
	}
	<-ctx.Done()
	return server.Stop()
}

// StartProcess starts a server in a child, and returns once it is ready. The child is this same program once more, whose
// main function (TestMain) has to begin with
//
//	if apiserver.IsChild() {
//		return apiserver.RunChild() // and report the error
//	}
func StartProcess(ctx context.Context, options Options) (*Process, error) {
	if options.Wrap != nil {
		return nil, errors.New("a handler cannot be sent to another process: Options.Wrap has to be nil")
	}
	p := &Process{options: options}
	return p, p.start(ctx)
}

func (p *Process) start(ctx context.Context) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	options, err := json.Marshal(p.options)
	if err != nil {
		return err
	}
	p.command = exec.Command(program)
	p.command.Env = append(os.Environ(), childEnv+"="+string(options))
	p.stderr = &output{}
	p.command.Stderr = p.stderr
	// Nobody writes into this pipe. The kernel closes it when this process ends, which is how the child learns of that.
	if _, err := p.command.StdinPipe(); err != nil {
		return err
	}
	stdout, err := p.command.StdoutPipe()
	if err != nil {
		return err
	}
	if err := p.command.Start(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	late := context.AfterFunc(ctx, func() { _ = p.command.Process.Kill() })
	defer late()
	var ready announcement
	if err := json.NewDecoder(bufio.NewReader(stdout)).Decode(&ready); err != nil {
		return errors.Join(fmt.Errorf("the child ended before it was ready: %w\n%s", err, p.stderr), p.Kill())
	}
	p.options.Port = ready.Port
	p.config = clientConfig(ready.Host, ready.CA)
	return nil
}

// Config returns the configuration of a client that may do everything, without any limit on its rate. It stays valid
// over restarts.
func (p *Process) Config() *rest.Config { return rest.CopyConfig(p.config) }

// Terminate sends SIGTERM and waits for the end.
func (p *Process) Terminate() error {
	if err := p.command.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	if err := p.command.Wait(); err != nil {
		return fmt.Errorf("%w\n%s", err, p.stderr)
	}
	return nil
}

// Kill sends SIGKILL and waits for the end: connections break where they are, and nothing is saved that was not saved
// already.
func (p *Process) Kill() error {
	if err := p.command.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	var exit *exec.ExitError
	if err := p.command.Wait(); err != nil && !errors.As(err, &exit) {
		return err
	}
	return nil
}

// Restart starts the server again, after Terminate or Kill, on the same port and data.
func (p *Process) Restart(ctx context.Context) error { return p.start(ctx) }

// output keeps the end of what a child writes, for the error message.
type output struct {
	mu   sync.Mutex
	tail []byte
}

const tailLength = 16 << 10

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.tail = append(o.tail, b...)
	if extra := len(o.tail) - tailLength; extra > 0 {
		o.tail = o.tail[extra:]
	}
	return len(b), nil
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return string(o.tail)
}
