// Package lastrun remembers what a run has found, for the next one with the same command line. If all files are as the last run
// has left them there is nothing to do, and that is known without loading a package: see package snapshot.
package lastrun

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/memo"
	"github.com/informer-gen-lite/informer-gen-lite/internal/pipeline"
	"github.com/informer-gen-lite/informer-gen-lite/internal/snapshot"
)

// Memory is the memory of runs with the same command line. The zero value remembers nothing.
type Memory struct {
	memo memo.Memo
	// before is what the files looked like before this run has read any; nil if it cannot be told when they change.
	before *snapshot.Snapshot
}

// record is what is kept of a run after which everything was up to date.
type record struct {
	Snapshot *snapshot.Snapshot
	// Found is what the run has found, encoded.
	Found []byte
}

// Place is where memories are kept.
type Place struct {
	// CacheDir holds them; KeyFile has the key that seals them. Nothing is kept if one is "".
	CacheDir, KeyFile string
}

// ownFlags do not change what is generated.
var ownFlags = []string{"timings", "output", "watch"}

// Open returns the memory of runs with a command line, which asks for these outputs, and looks at the files.
func Open(place Place, given config.CommandLine, all []config.Options) *Memory {
	program, err := os.Executable()
	if err != nil || place.CacheDir == "" || place.KeyFile == "" {
		return &Memory{}
	}
	roots, singles := []string(nil), []string{program}
	if file, err := given.File(); err == nil && file != "" {
		singles = append(singles, real(file))
	}
	for _, opts := range all {
		if opts.CRDDir != "" {
			roots = append(roots, real(opts.Absolute(opts.CRDDir)))
		}
		if opts.OutputDir != "" {
			roots = append(roots, outputRoot(opts))
		}
		for _, name := range []string{opts.HeaderFile, opts.OpenAPI} {
			if name != "" {
				singles = append(singles, real(opts.Absolute(name)))
			}
		}
	}
	m := &Memory{memo: memo.Open(place.CacheDir, place.KeyFile, identity(given))}
	if m.before, err = snapshot.OfModule(given.Dir, roots, singles); err != nil {
		m.before = nil
	}
	return m
}

// outputRoot returns the directory of the module that an output directory belongs to, or the output directory if there is none.
func outputRoot(opts config.Options) string {
	dir := real(opts.Absolute(opts.OutputDir))
	if module, err := config.OwningModule(dir); err == nil {
		return real(module.Dir)
	}
	return dir
}

// identity returns all that a run depends on besides files.
func identity(given config.CommandLine) []byte {
	flags := map[string]string{}
	given.Given.Visit(func(f *pflag.Flag) {
		if !slices.Contains(ownFlags, f.Name) {
			flags[f.Name] = f.Value.String()
		}
	})
	var environment []string
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "GO") || strings.HasPrefix(name, "CGO_") || name == "PATH" {
			environment = append(environment, variable)
		}
	}
	slices.Sort(environment)
	build, _ := debug.ReadBuildInfo()
	data, _ := json.Marshal([]any{given.Dir, flags, given.Packages, environment, build}) // plain data
	return data
}

// Load returns what the last run has found in found, a pointer, and true if all files are what they were after it.
func (m *Memory) Load(found any) bool {
	var last record
	if m.before == nil || !m.memo.Load(&last) {
		return false
	}
	if !slices.Equal(last.Snapshot.Roots, m.before.Roots) || !slices.Equal(last.Snapshot.Singles, m.before.Singles) {
		return false
	}
	if !m.before.Unchanged(last.Snapshot) || gob.NewDecoder(bytes.NewReader(last.Found)).Decode(found) != nil {
		return false
	}
	if last.Snapshot.Young() {
		last.Snapshot = m.before
		m.memo.Save(last)
	}
	return true
}

// Save remembers what runs have found after which everything is up to date, unless they have read files that may change unseen.
func (m *Memory) Save(runs []pipeline.Run, found any) {
	var encoded bytes.Buffer
	if m.before == nil || gob.NewEncoder(&encoded).Encode(found) != nil {
		return
	}
	var flats []string
	for _, run := range runs {
		read, ok := m.readOutside(run)
		if !ok || m.wrote(run) != nil {
			return
		}
		flats = append(flats, read...)
	}
	if m.before.AddFlats(flats) == nil {
		m.memo.Save(record{m.before, encoded.Bytes()})
	}
}

// readOutside returns the directories outside of the user's modules whose files a run has read. It returns false if some are
// neither in the module cache nor part of Go, or if the run has missed a package.
func (m *Memory) readOutside(run pipeline.Run) (dirs []string, ok bool) {
	if !m.before.Holds(real(run.API.Place.Dir)) || run.API.Loaded.Missing() {
		return nil, false
	}
	for _, pkg := range run.API.Loaded.Known() {
		switch dir := real(pkg.Dir); {
		case m.before.Holds(dir):
		case pkg.Module == nil || strings.Contains(pkg.Module.Dir, "@"):
			dirs = append(dirs, dir)
		default:
			return nil, false
		}
	}
	return dirs, true
}

// wrote records what a run has written.
func (m *Memory) wrote(run pipeline.Run) error {
	name := func(path string) string { return filepath.Join(real(run.API.Place.Dir), filepath.FromSlash(path)) }
	for _, file := range run.Plan.Write {
		if err := m.before.Wrote(name(file.Path), file.Content); err != nil {
			return err
		}
	}
	for _, path := range run.Plan.Remove {
		m.before.Removed(name(path))
	}
	return nil
}

// real returns a path without symbolic links. What does not exist is where its directory is.
func real(name string) string {
	resolved, err := filepath.EvalSymlinks(name)
	if errors.Is(err, fs.ErrNotExist) && name != filepath.Dir(name) {
		return filepath.Join(real(filepath.Dir(name)), filepath.Base(name))
	}
	if err != nil {
		return name
	}
	return resolved
}
