package foreign

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"text/template"

	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/test/foreign/internal/objects"
	"github.com/informer-gen-lite/informer-gen-lite/test/foreign/internal/scratch"
)

// request is a request to the driver, a program that is compiled with generated code: see testdata/driver.
type request struct {
	Project, Group, Version, Kind string
	Apply, Status                 bool
	Object                        map[string]any
}

// answer is the driver's answer.
type answer struct {
	Object  json.RawMessage
	Error   string
	Invalid bool
}

// driver is a running driver.
type driver struct {
	encoder *json.Encoder
	decoder *json.Decoder
	stderr  *bytes.Buffer
}

// writeDriver renders a template to a program in a directory.
func writeDriver(t *testing.T, name, dir string, data any) {
	t.Helper()
	program, err := template.ParseFiles(filepath.Join("testdata", "driver", name))
	require.NoError(t, err)
	var text bytes.Buffer
	require.NoError(t, program.Execute(&text, data))
	require.NoError(t, os.MkdirAll(dir, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), text.Bytes(), 0o644))
}

// startDriver compiles the package driver of a module, and runs it for the duration of the test.
func startDriver(t *testing.T, module string, args ...string) *driver {
	t.Helper()
	_, err := scratch.Run(module, "go", "build", "-o", "driver.bin", "./driver")
	require.NoError(t, err)
	cmd := scratch.Command(module, filepath.Join(module, "driver.bin"), args...)
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	d := &driver{encoder: json.NewEncoder(stdin), decoder: json.NewDecoder(stdout), stderr: &bytes.Buffer{}}
	cmd.Stderr = d.stderr
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		require.NoError(t, errors.Join(stdin.Close(), cmd.Wait()), d.stderr)
	})
	return d
}

// do sends a request for an object of a version and returns the answer.
func (d *driver) do(t *testing.T, project string, v objects.Version, r request) answer {
	t.Helper()
	r.Project, r.Group, r.Version, r.Kind = project, v.Group, v.Version, v.Kind
	require.NoError(t, d.encoder.Encode(r), d.stderr)
	var a answer
	err := d.decoder.Decode(&a)
	if errors.Is(err, io.EOF) {
		require.FailNow(t, "the driver has ended", d.stderr)
	}
	require.NoError(t, err)
	return a
}
