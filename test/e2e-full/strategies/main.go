// Command strategies writes what kube-apiserver does with the objects of its built-in kinds, as a table for strict fakes. It runs the
// strategies of k8s.io/kubernetes on filled objects. Usage: strategies FILE.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1) //nolint:forbidigo // this is main
	}
}

func run() error {
	if len(os.Args) != 2 {
		return errors.New("usage: strategies FILE")
	}
	version, err := kubernetesVersion()
	if err != nil {
		return err
	}
	groups, err := storages()
	if err != nil {
		return err
	}
	kinds, err := describe(groups)
	if err != nil {
		return err
	}
	return write(os.Args[1], version, kinds)
}

// kubernetesVersion returns the version of k8s.io/kubernetes in this program.
func kubernetesVersion() (string, error) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", errors.New("the program has no build information")
	}
	for _, module := range info.Deps {
		if module.Path == "k8s.io/kubernetes" {
			return module.Version, nil
		}
	}
	return "", errors.New("the program does not contain k8s.io/kubernetes")
}

// write writes the table with one line for each kind, so that reviewers see which kinds have changed.
func write(name, version string, kinds []kind) error {
	slices.SortFunc(kinds, kind.compare)
	var text bytes.Buffer
	fmt.Fprintf(&text, "{\"comment\": \"make strategies wrote this file, from k8s.io/kubernetes %s\",\n\"version\": %q,\n\"kinds\": [\n", version, version)
	for i, k := range kinds {
		line, err := json.Marshal(k)
		if err != nil {
			return err
		}
		text.Write(line)
		if i < len(kinds)-1 {
			text.WriteByte(',')
		}
		text.WriteByte('\n')
	}
	text.WriteString("]}\n")
	return os.WriteFile(name, text.Bytes(), 0o644) //nolint:gosec // it is checked in
}
