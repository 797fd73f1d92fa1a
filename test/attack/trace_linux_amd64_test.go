package attack

import (
	"encoding/binary"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// An action determines what happens to a process at a system call.
type action int

const (
	proceed action = iota
	kill           // before the call
	halve          // write half of the bytes, then kill
)

// A change is a system call that is about to change a file tree.
type change struct {
	number int // from 1
	call   string
	path   string
}

func (c change) String() string { return fmt.Sprintf("%s of %s", c.call, filepath.Base(c.path)) }

// changing are the system calls that change a tree, with their arguments that name files: an open file, or a directory and a
// path.
var changing = map[uint64]struct {
	name       string
	descriptor bool
	paths      []int
}{
	unix.SYS_OPENAT: {"open", false, []int{0}}, unix.SYS_MKDIRAT: {"mkdir", false, []int{0}}, unix.SYS_UNLINKAT: {"remove", false, []int{0}},
	unix.SYS_RENAMEAT: {"rename", false, []int{0, 2}}, unix.SYS_RENAMEAT2: {"rename", false, []int{0, 2}},
	unix.SYS_LINKAT: {"link", false, []int{0, 2}}, unix.SYS_SYMLINKAT: {"symlink", false, []int{1}},
	unix.SYS_FCHMODAT: {"chmod", false, []int{0}}, unix.SYS_UTIMENSAT: {"utimes", false, []int{0}},
	unix.SYS_WRITE: {"write", true, nil}, unix.SYS_PWRITE64: {"write", true, nil}, unix.SYS_FTRUNCATE: {"truncate", true, nil}, unix.SYS_FCHMOD: {"chmod", true, nil},
	unix.SYS_COPY_FILE_RANGE: {"copy", true, nil},
}

// traced is the environment variable that makes the test binary exec the command after requesting stops at calls that may change
// a tree.
const traced = "ATTACK_TRACED"

func init() {
	if os.Getenv(traced) == "" {
		return
	}
	runtime.LockOSThread()
	_ = os.Unsetenv(traced)
	err := stopAtChanges()
	if err == nil {
		err = syscall.Exec(os.Args[1], os.Args[1:], os.Environ())
	}
	log.Fatal(err)
}

// stopAtChanges makes the kernel stop the thread, and all programs that it execs or starts, at the calls in changing and when
// directories are listed. Without this filter, the thread would stop at each system call, which makes runs many times slower.
func stopAtChanges() error {
	const writes = unix.O_WRONLY | unix.O_RDWR | unix.O_CREAT | unix.O_TRUNC
	load := func(offset uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
	}
	give := func(verdict uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: verdict}
	}
	unless := func(test uint16, value uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | test | unix.BPF_K, K: value, Jf: 1}
	}
	filter := []unix.SockFilter{load(0), unless(unix.BPF_JEQ, unix.SYS_GETDENTS64), give(unix.SECCOMP_RET_TRACE)}
	for number := range changing {
		if number != unix.SYS_OPENAT {
			filter = append(filter, load(0), unless(unix.BPF_JEQ, uint32(number)), give(unix.SECCOMP_RET_TRACE))
		}
	}
	const flags = 16 + 2*8 // the third argument
	filter = append(filter, load(0), unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.SYS_OPENAT, Jf: 3},
		load(flags), unless(unix.BPF_JSET, writes), give(unix.SECCOMP_RET_TRACE), give(unix.SECCOMP_RET_ALLOW))
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	return unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&program)), 0, 0)
}

// trace runs the command in dir. It calls at for each change below dir before it happens, and returns the exit code, which is -1
// if the command was killed.
func trace(dir string, args []string, stdout *os.File, at func(change) action) (int, error) {
	return (&tracer{dir: dir, at: at}).run(append([]string{program}, args...), stdout)
}

// run runs a program and follows it to its end.
func (t *tracer) run(args []string, stdout *os.File) (int, error) {
	// All requests about a traced process must come from the thread that started it. The process has its own process group,
	// because the thread may have children that others wait for.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	process, err := os.StartProcess(os.Args[0], append([]string{os.Args[0]}, args...), &os.ProcAttr{
		Dir: t.dir, Env: append(os.Environ(), traced+"=1"), Files: []*os.File{nil, stdout, stdout}, Sys: &syscall.SysProcAttr{Ptrace: true, Setpgid: true},
	})
	if err != nil {
		return 0, err
	}
	defer func() { _ = process.Release() }()
	pid := process.Pid
	var status unix.WaitStatus
	if _, err := unix.Wait4(pid, &status, unix.WALL, nil); err != nil {
		return 0, err
	}
	const options = unix.PTRACE_O_TRACESECCOMP | unix.PTRACE_O_TRACESYSGOOD | unix.PTRACE_O_EXITKILL |
		unix.PTRACE_O_TRACECLONE | unix.PTRACE_O_TRACEFORK | unix.PTRACE_O_TRACEVFORK | unix.PTRACE_O_TRACEEXEC
	if err := unix.PtraceSetOptions(pid, options); err != nil {
		return 0, err
	}
	if err := unix.PtraceCont(pid, 0); err != nil {
		return 0, err
	}
	t.pid, t.seen, t.after = pid, map[int]bool{}, map[int]func(){}
	code, err := t.follow()
	for thread := range t.seen { // processes left over from a killed run
		_ = unix.Kill(thread, unix.SIGKILL)
	}
	for err == nil {
		_, err = unix.Wait4(-pid, &status, unix.WALL|unix.WNOTHREAD, nil)
	}
	if errors.Is(err, unix.ECHILD) {
		err = nil
	}
	return code, err
}

type tracer struct {
	pid    int
	dir    string
	at     func(change) action
	number int
	// shuffle, if not nil, reorders the entries of a directory by swapping.
	shuffle func(n int, swap func(i, j int))
	// seen are the stopped threads of all processes; after has the functions to call when a thread's system call returns.
	seen  map[int]bool
	after map[int]func()
}

// follow continues stopped threads until the process has ended.
func (t *tracer) follow() (int, error) {
	for {
		var status unix.WaitStatus
		thread, err := unix.Wait4(-t.pid, &status, unix.WALL|unix.WNOTHREAD, nil)
		switch {
		case err != nil:
			return 0, fmt.Errorf("wait for a traced process: %w", err)
		case status.Exited() && thread == t.pid:
			return status.ExitStatus(), nil
		case status.Signaled() && thread == t.pid:
			return -1, nil
		case status.Stopped():
			t.stopped(thread, status)
		default:
			delete(t.seen, thread)
		}
	}
}

// stopped continues a thread. That fails if the thread was killed in the meantime.
func (t *tracer) stopped(thread int, status unix.WaitStatus) {
	signal := status.StopSignal()
	started := t.seen[thread]
	t.seen[thread] = true
	switch {
	case signal == unix.SIGTRAP|0x80: // a call returns
		if do := t.after[thread]; do != nil {
			do()
			delete(t.after, thread)
		}
	case status.TrapCause() == unix.PTRACE_EVENT_SECCOMP:
		if t.after[thread] = t.call(thread); t.after[thread] != nil {
			_ = unix.PtraceSyscall(thread, 0)
			return
		}
	case signal == unix.SIGTRAP && status.TrapCause() > 0, signal == unix.SIGSTOP && !started:
	default:
		_ = unix.PtraceCont(thread, int(signal))
		return
	}
	_ = unix.PtraceCont(thread, 0)
}

// call handles a system call that a thread is about to make, and returns a function for its return.
func (t *tracer) call(thread int) func() {
	var regs unix.PtraceRegs
	if unix.PtraceGetRegs(thread, &regs) == nil && regs.Orig_rax == unix.SYS_GETDENTS64 {
		if t.shuffle == nil {
			return nil
		}
		return func() { t.shuffleEntries(thread) }
	}
	if t.change(thread) == halve {
		return func() { _ = unix.Kill(t.pid, unix.SIGKILL) }
	}
	return nil
}

// shuffleEntries reorders the directory entries that a thread has just read.
func (t *tracer) shuffleEntries(thread int) {
	var regs unix.PtraceRegs
	if unix.PtraceGetRegs(thread, &regs) != nil || int64(regs.Rax) <= 0 {
		return // an error, or the end of the directory
	}
	data := make([]byte, regs.Rax)
	if _, err := unix.PtracePeekData(thread, uintptr(regs.Rsi), data); err != nil {
		return
	}
	var entries [][]byte
	for rest := data; len(rest) > 0; {
		const lengthAt = 16 // after the inode and the offset
		n := binary.NativeEndian.Uint16(rest[lengthAt:])
		entries, rest = append(entries, rest[:n]), rest[n:]
	}
	t.shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
	_, _ = unix.PtracePokeData(thread, uintptr(regs.Rsi), slices.Concat(entries...))
}

// change requests and performs the action for the change that a thread is about to make, if any.
func (t *tracer) change(thread int) action {
	c, regs, ok := changeOf(thread, t.dir)
	if !ok {
		return proceed
	}
	t.number++
	c.number = t.number
	do := t.at(c)
	switch do {
	case kill:
		_ = unix.Kill(t.pid, unix.SIGKILL)
	case halve:
		regs.Rdx /= 2
		_ = unix.PtraceSetRegs(thread, regs)
	case proceed:
	}
	return do
}

// changeOf returns the change below dir that a thread is about to make, if any.
func changeOf(thread int, dir string) (change, *unix.PtraceRegs, bool) {
	var regs unix.PtraceRegs
	if unix.PtraceGetRegs(thread, &regs) != nil {
		return change{}, nil, false
	}
	call, ok := changing[regs.Orig_rax]
	if !ok || regs.Orig_rax == unix.SYS_OPENAT && regs.Rdx&(unix.O_WRONLY|unix.O_RDWR|unix.O_CREAT|unix.O_TRUNC) == 0 {
		return change{}, nil, false
	}
	arguments := []uint64{regs.Rdi, regs.Rsi, regs.Rdx, regs.R10}
	var paths []string
	if call.descriptor {
		path, _ := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", thread, regs.Rdi))
		paths = []string{path}
	}
	for _, i := range call.paths {
		path := stringAt(thread, arguments[i+1])
		if !filepath.IsAbs(path) {
			base := fmt.Sprintf("/proc/%d/fd/%d", thread, int32(arguments[i]))
			if int32(arguments[i]) == unix.AT_FDCWD {
				base = fmt.Sprintf("/proc/%d/cwd", thread)
			}
			base, _ = os.Readlink(base)
			path = filepath.Join(base, path)
		}
		paths = append(paths, path)
	}
	for _, path := range paths {
		if strings.HasPrefix(path, dir+"/") {
			return change{call: call.name, path: path}, &regs, true
		}
	}
	return change{}, nil, false
}

// stringAt reads a string from the memory of a stopped thread.
func stringAt(thread int, address uint64) string {
	var text []byte
	word := make([]byte, 8)
	for {
		if n, err := unix.PtracePeekData(thread, uintptr(address)+uintptr(len(text)), word); err != nil || n == 0 {
			return string(text)
		}
		for _, b := range word {
			if b == 0 {
				return string(text)
			}
			text = append(text, b)
		}
	}
}
