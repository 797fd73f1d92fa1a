// Package toolchain records the compilers, linkers and vet processes that a go command starts, so that they can be repeated one by
// one.
package toolchain

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/measure"
)

// Command is a process that a go command started for a package.
type Command struct {
	// Package is the import path of the package.
	Package string
	// Dir is the working directory.
	Dir string
	// Args are the path of the program and its arguments.
	Args []string
}

// Program is the name of the program, such as "compile".
func (c Command) Program() string { return filepath.Base(c.Args[0]) }

// Run repeats the process.
func (c Command) Run(ctx context.Context) (measure.Sample, error) {
	cmd := exec.CommandContext(ctx, c.Args[0], c.Args[1:]...)
	cmd.Dir = c.Dir
	sample, err := measure.Run(cmd)
	if err != nil {
		err = fmt.Errorf("%s: %w", c.Package, err)
	}
	return sample, err
}

// recordsVariable is set to the directory of the records in processes that Record causes.
const recordsVariable = "BENCH_TOOLCHAIN_RECORDS"

// Record runs a go command, such as "go build ./...", and returns the processes that it starts for packages, in no particular order.
// Packages from the build cache have none. Their input is kept in dir, as Command.Run needs it. The go command starts this program
// in their place, so main must call Intercept first.
func Record(cmd *exec.Cmd, dir string) ([]Command, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	records, err := os.MkdirTemp(dir, "records")
	if err != nil {
		return nil, err
	}
	cmd.Args = slices.Insert(cmd.Args, 2, "-work", `-toolexec="`+self+`"`)
	cmd.Env = append(cmd.Environ(), recordsVariable+"="+records, "GOTMPDIR="+dir)
	if _, err := measure.Run(cmd); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(records)
	if err != nil {
		return nil, err
	}
	commands := make([]Command, len(entries))
	for i, entry := range entries {
		content, err := os.ReadFile(filepath.Join(records, entry.Name()))
		if err == nil {
			err = json.Unmarshal(content, &commands[i])
		}
		if err != nil {
			return nil, err
		}
	}
	return commands, nil
}

// Intercept does nothing in processes that Record does not cause. In others, it records and runs the program in the arguments, and
// exits.
func Intercept() {
	if records := os.Getenv(recordsVariable); records != "" {
		os.Exit(intercept(records, os.Args[1:]))
	}
}

// intercept returns the exit code of a program.
func intercept(records string, args []string) int {
	if err := record(records, args); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return exit.ExitCode()
	} else if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// record stores a process, unless the go command only asks the program for its version.
func record(records string, args []string) error {
	importPath := os.Getenv("TOOLEXEC_IMPORTPATH")
	if importPath == "" || slices.Contains(args, "-V=full") {
		return nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	content, err := json.Marshal(Command{Package: importPath, Dir: dir, Args: args})
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(records, "*.json")
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	return errors.Join(err, file.Close())
}
