package contract

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
)

// testdata holds the answers of a real API server, one file per group, one section per probe.
//
//go:embed testdata
var testdata embed.FS

const (
	testdataDir = "testdata"
	// atOnce is the number of concurrent probes.
	atOnce = 16
)

// Truth returns the answers of a real API server by the names of the probes.
func Truth() (map[string]string, error) {
	files, err := testdata.ReadDir(testdataDir)
	if err != nil {
		return nil, err
	}
	truth := map[string]string{}
	for _, file := range files {
		content, err := testdata.ReadFile(testdataDir + "/" + file.Name())
		if err != nil {
			return nil, err
		}
		if err := parseAnswers(string(content), truth); err != nil {
			return nil, fmt.Errorf("%s: %w", file.Name(), err)
		}
	}
	return truth, nil
}

// parseAnswers adds the sections of a file to answers. A section begins with a line like "-- create/duplicate --".
func parseAnswers(content string, answers map[string]string) error {
	name := ""
	for line := range strings.Lines(content) {
		header, isHeader := strings.CutPrefix(strings.TrimSpace(line), "-- ")
		header, closed := strings.CutSuffix(header, " --")
		switch {
		case isHeader && closed && answers[header] != "":
			return fmt.Errorf("duplicate section %q", header)
		case isHeader && closed:
			name = header
		case name == "":
			return errors.New("text before the first section")
		default:
			answers[name] += line
		}
	}
	return nil
}

// WriteTruth writes answers to the files of testdata in dir.
func WriteTruth(dir string, answers map[string]string) error {
	files := map[string]*strings.Builder{}
	for _, probe := range All() {
		text := files[probe.Group()]
		if text == nil {
			text = &strings.Builder{}
			files[probe.Group()] = text
		}
		fmt.Fprintf(text, "-- %s --\n%s", probe.Name, answers[probe.Name])
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for group, text := range files {
		if err := os.WriteFile(filepath.Join(dir, group+".txt"), []byte(text.String()), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// RunAll runs probes, several at a time, each against the clientset that newClient returns for it: one whose server has the feature gate
// ShardedListAndWatch, or another one.
func RunAll(
	ctx context.Context, probes []Probe, newClient func(sharded bool) (versioned.Interface, error),
) (map[string]string, error) {
	var mu sync.Mutex
	answers := map[string]string{}
	var running errgroup.Group
	running.SetLimit(atOnce)
	for _, probe := range probes {
		running.Go(func() error {
			client, err := newClient(probe.Sharded)
			if err != nil {
				return err
			}
			answer := Run(ctx, client, probe)
			mu.Lock()
			defer mu.Unlock()
			answers[probe.Name] = answer
			return nil
		})
	}
	return answers, running.Wait()
}
