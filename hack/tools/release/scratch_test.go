package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// scratch is a small repository with modules that require each other.
type scratch struct {
	*testing.T

	repository
}

// newScratch returns a repository with one commit.
func newScratch(t *testing.T) scratch {
	t.Helper()
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	s := scratch{t, repository(t.TempDir())}
	s.must("init", "--quiet", "--initial-branch=main")
	s.must("config", "user.name", "Test")
	s.must("config", "user.email", "test@example.invalid")
	const head = "module " + rootModule
	s.commit(map[string]string{
		"LICENSE":               "Apache License\n",
		"CHANGELOG.md":          "# Changelog\n\n## v0.1.0 (not yet released)\n\nThe first.\n",
		"go.mod":                head + "\n\ngo 1.26.0\n",
		"root.go":               "package root\n\nfunc Run() {}\n",
		"generators/g.go":       "package generators\n\nfunc Unpromised() {}\n",
		"runtime/go.mod":        head + "/runtime\n\ngo 1.26.0\n",
		"runtime/r.go":          "package runtime\n\nfunc Start(name string) {}\n",
		"runtime/internal/i.go": "package internal\n\nfunc Hidden() {}\n",
		// In the order of their names, this module comes before its requirement.
		"agent/go.mod": head + "/agent\n\ngo 1.26.0\n\nrequire " + rootModule + "/runtime v0.0.0\n\nreplace " + rootModule + "/runtime => ../runtime\n",
		"agent/a.go":   "package agent\n\nimport _ \"" + rootModule + "/runtime\"\n",
		"examples/go.mod": head + "/examples\n\ngo 1.26.0\n\nrequire (\n\t" + rootModule + "/agent v0.0.0-00010101000000-000000000000\n\t" +
			rootModule + "/runtime v0.0.0 // indirect\n)\n\nreplace " + rootModule + "/agent => ../agent\n\nreplace " + rootModule + "/runtime => ../runtime\n",
		"examples/e.go": "package examples\n\nimport _ \"" + rootModule + "/agent\"\n",
	})
	return s
}

// must runs a git command.
func (s scratch) must(args ...string) string {
	s.Helper()
	out, err := s.git(s.Context(), args...)
	require.NoError(s, err)
	return out
}

// write writes files without a commit.
func (s scratch) write(files map[string]string) {
	s.Helper()
	for name, text := range files {
		name = filepath.Join(string(s.repository), name)
		require.NoError(s, os.MkdirAll(filepath.Dir(name), 0o777))
		require.NoError(s, os.WriteFile(name, []byte(text), 0o666))
	}
}

// commit writes files and commits them.
func (s scratch) commit(files map[string]string) {
	s.Helper()
	s.write(files)
	s.must("add", "--all")
	s.must("commit", "--quiet", "-m", "test")
}

// read returns a file of the repository.
func (s scratch) read(name string) string {
	s.Helper()
	text, err := os.ReadFile(filepath.Join(string(s.repository), name))
	require.NoError(s, err)
	return string(text)
}

// release returns a release of HEAD whose input is checked.
func (s scratch) release(version string) *release {
	s.Helper()
	r, err := options{repository: string(s.repository), version: version}.read(s.Context(), &bytes.Buffer{})
	require.NoError(s, err)
	require.NoError(s, r.check())
	r.work = s.TempDir()
	return r
}

// run runs the command, and returns what it prints and its error.
func (s scratch) run(o options) (string, error) {
	o.repository = string(s.repository)
	var out bytes.Buffer
	err := o.run(s.Context(), &out)
	return out.String(), err
}
