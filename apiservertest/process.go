package apiservertest

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
	"time"

	"k8s.io/client-go/rest"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest/internal/apiserver"
	"github.com/informer-gen-lite/informer-gen-lite/apiservertest/program"
)

// readyTimeout is ample time for a start, on any machine.
const readyTimeout = 2 * time.Minute

// Process is a server in a separate process, which can receive real signals. It ends when the process that started it
// ends, for any reason. Its methods are not safe for concurrent use.
type Process struct {
	options program.Options
	ready   program.Announcement
	command *exec.Cmd
	stderr  *output
}

// StartProcess starts a server in a child process and returns once it is ready and its custom resources are served.
// Options.Dir is required. The child is this program itself, or the program named by ProgramEnv. The TestMain of this
// program must call Main, or begin with
//
//	if apiservertest.IsChild() {
//		return apiservertest.RunChild() // and report the error
//	}
func StartProcess(ctx context.Context, options Options) (*Process, error) {
	if options.Wrap != nil {
		return nil, errors.New("a handler cannot be passed to another process: Options.Wrap must be nil")
	}
	if options.Dir == "" {
		return nil, errors.New("a process may be killed before it can clean up: set Options.Dir")
	}
	crds, err := options.readCRDs()
	if err != nil {
		return nil, err
	}
	p := &Process{options: options.forProgram()}
	if err := p.start(ctx); err != nil {
		return nil, err
	}
	if err := InstallCRDs(ctx, p.Config(), crds...); err != nil {
		return nil, errors.Join(err, p.Terminate())
	}
	return p, nil
}

// IsChild reports whether StartProcess started this process, which must then call RunChild and nothing else.
func IsChild() bool { return program.IsChild() }

// RunChild is the child's side of StartProcess: it serves until SIGTERM or until the parent exits.
func RunChild() error {
	return program.Serve(func(ctx context.Context, options program.Options) (program.Instance, error) {
		return apiserver.Start(ctx, options, nil)
	})
}

// childProgram returns the program that children run.
func childProgram() (string, error) {
	if path := os.Getenv(ProgramEnv); path != "" {
		return path, nil
	}
	return os.Executable()
}

func (p *Process) start(ctx context.Context) error {
	path, err := childProgram()
	if err != nil {
		return err
	}
	p.command, p.stderr = exec.Command(path), &output{} //nolint:noctx // it outlives the context of the start
	if p.command.Env, err = program.Environ(p.options); err != nil {
		return err
	}
	p.command.Stderr = p.stderr
	// Nothing is written to this pipe. The kernel closes it when this process ends, which stops the child.
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
	var ready program.Announcement
	if err := json.NewDecoder(bufio.NewReader(stdout)).Decode(&ready); err != nil {
		killed := p.Kill() // which waits for the rest of stderr
		return errors.Join(fmt.Errorf("the child process exited before it was ready: %w\n%s", err, p.stderr), killed)
	}
	p.ready, p.options.Port = ready, ready.Port
	return nil
}

// Config returns the configuration of a client that may do everything, without a rate limit. It stays valid across
// restarts.
func (p *Process) Config() *rest.Config { return program.ClientConfig(p.ready.Host, p.ready.CA) }

// Etcd returns the client URLs of the etcd behind the server. They change when it restarts.
func (p *Process) Etcd() []string { return p.ready.Etcd }

// PID returns the process ID, for signals and measurements.
func (p *Process) PID() int { return p.command.Process.Pid }

// Terminate sends SIGTERM and waits for the process to end.
func (p *Process) Terminate() error {
	if err := p.command.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	if err := p.command.Wait(); err != nil {
		return fmt.Errorf("%w\n%s", err, p.stderr)
	}
	return nil
}

// Kill sends SIGKILL and waits for the process to end: connections break, and nothing else is saved.
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

// output keeps the end of a child's output for error messages.
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
