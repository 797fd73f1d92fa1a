package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

// nextVariable is the environment variable with the Go release that compiles the program for the client-go release that is not final
// yet. If it is not set, that release is not measured.
const nextVariable = "INFORMER_GEN_LITE_NEXT_GO"

// next fills the cache of one informer with the client-go release that is not final yet, and with ours on the final one.
func (b *bench) next(ctx context.Context) error {
	golang := os.Getenv(nextVariable)
	if golang == "" {
		fmt.Fprintf(b.Progress, "next: not measured, because %s is not set\n", nextVariable)
		return nil
	}
	program, err := buildNext(ctx, filepath.Join(b.dir, "next"), golang)
	if err != nil {
		return err
	}
	kubeconfig := filepath.Join(b.dir, "kubeconfig")
	if err := apiservertest.WriteKubeconfig(b.world.server.Config(), kubeconfig); err != nil {
		return err
	}
	current := filling{name: "`New`, " + model.DefaultTarget.String(), fill: fillNew}
	inProgram := func(name, side string) contestant {
		return contestant{
			Name: name + ", " + model.NewestTarget.String(),
			Run:  func() (sample, error) { return b.syncNext(ctx, program, side, kubeconfig) },
		}
	}
	contestants := []contestant{
		inProgram("client-go's factory, its defaults", "client-go"),
		{Name: current.name, Run: func() (sample, error) { return b.syncOnce(ctx, current) }},
		inProgram("`New`", "new"),
	}
	medians, err := b.inTurn("next", contestants...)
	if err != nil {
		return err
	}
	for n, c := range contestants {
		b.results.next = append(b.results.next, syncing{what: c.Name, seconds: medians[n][0], bytes: medians[n][1]})
	}
	b.results.next[2].most, b.results.next[2].beside = 0.65, 1
	return nil
}

// syncNext is syncOnce in the program for the next release.
func (b *bench) syncNext(ctx context.Context, program, side, kubeconfig string) (sample, error) {
	output, err := outputOf(exec.CommandContext(ctx, program, side, kubeconfig))
	if err != nil {
		return nil, err
	}
	var seconds, perObject float64
	var objects int
	if _, err := fmt.Sscan(output, &seconds, &perObject, &objects); err != nil {
		return nil, fmt.Errorf("%s: %w in %q", program, err, output)
	}
	if objects != b.options.objects {
		return nil, fmt.Errorf("%d objects in the cache, not %d", objects, b.options.objects)
	}
	return sample{seconds, perObject}, nil
}

// buildNext compiles the program in testdata/next, with clients generated from the types of the examples. Its module has the
// requirements of the conformance tests for that release.
func buildNext(ctx context.Context, dir, golang string) (program string, err error) {
	root, err := filepath.Abs(filepath.Join(crdDir, "..", "..", ".."))
	if err != nil {
		return "", err
	}
	types := filepath.Join(dir, "apis", "fleet", "v1")
	requirements := filepath.Join(root, "test", "conformance", model.NewestTarget.String())
	for _, copied := range [][2]string{
		{filepath.Join(root, "examples", "apis", "fleet", "v1"), types},
		{filepath.Join(root, "test", "e2e", "bench", "testdata", "next"), dir},
	} {
		if err := os.CopyFS(copied[1], os.DirFS(copied[0])); err != nil {
			return "", err
		}
	}
	for _, ext := range []string{".mod", ".sum"} {
		content, err := os.ReadFile(requirements + ext)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, "go"+ext), content, 0o666)
		}
		if err != nil {
			return "", err
		}
	}
	const ours = "github.com/informer-gen-lite/informer-gen-lite"
	generator, program := filepath.Join(dir, "informer-gen-lite"), filepath.Join(dir, "next")
	for _, step := range []struct {
		in   string
		args []string
	}{
		{dir, []string{
			"go", "mod", "edit", "-module=bench.example/next", "-droprequire=example.com/guestbook", "-dropreplace=example.com/guestbook",
			"-replace=" + ours + "=" + root, "-replace=" + ours + "/runtime=" + filepath.Join(root, "runtime"),
			"-replace=" + ours + "/examples=" + filepath.Join(root, "examples"),
		}},
		{root, []string{"go", "build", "-o", generator, "./cmd/informer-gen-lite"}},
		{dir, []string{generator, "generate", "./apis/...", "--output-dir", "generated"}},
		{dir, []string{"go", "build", "-mod=mod", "-o", program, "."}},
	} {
		cmd := exec.CommandContext(ctx, step.args[0], step.args[1:]...)
		cmd.Dir, cmd.Env = step.in, append(os.Environ(), "GOTOOLCHAIN="+golang, "GOWORK=off")
		if _, err := outputOf(cmd); err != nil {
			return "", err
		}
	}
	return program, nil
}

// outputOf runs a command and returns its standard output. The error of one that fails includes its output.
func outputOf(cmd *exec.Cmd) (string, error) {
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s%s", strings.Join(cmd.Args, " "), err, stderr.String(), stdout.String())
	}
	return stdout.String(), nil
}
