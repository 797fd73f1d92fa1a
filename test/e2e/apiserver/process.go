package apiserver

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"

	"k8s.io/client-go/rest"
)

// Process is a server in a process of its own, which can be sent real signals. It ends with the process that started
// it, however that ends. Its methods are not safe for concurrent use.
type Process struct {
	options Options
	ready   Announcement
	command *exec.Cmd
	stderr  *output
}

// StartProcess starts a server in a child, and returns once it is ready. The child is the program that ProgramEnv names.
// Usually there is none: then it is this same program once more, whose main function (TestMain) has to begin with
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
	program, err := childProgram()
	if err != nil {
		return err
	}
	options, err := json.Marshal(p.options)
	if err != nil {
		return err
	}
	p.command = exec.Command(program)
	p.command.Env = append(os.Environ(), optionsEnv+"="+string(options))
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
	var ready Announcement
	if err := json.NewDecoder(bufio.NewReader(stdout)).Decode(&ready); err != nil {
		return errors.Join(fmt.Errorf("the child ended before it was ready: %w\n%s", err, p.stderr), p.Kill())
	}
	p.ready, p.options.Port = ready, ready.Port
	return nil
}

// Config returns the configuration of a client that may do everything, without any limit on its rate. It stays valid
// over restarts.
func (p *Process) Config() *rest.Config { return ClientConfig(p.ready.Host, p.ready.CA) }

// Etcd returns the client URLs of the etcd behind the server, which change when it restarts.
func (p *Process) Etcd() []string { return p.ready.Etcd }

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
