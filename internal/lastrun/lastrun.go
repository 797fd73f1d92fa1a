// Package lastrun records the result of a run for the next run with the same command line. If no file has changed since, there is
// nothing to do, and no package is loaded: see package snapshot.
package lastrun

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/memo"
	"github.com/informer-gen-lite/informer-gen-lite/internal/pipeline"
	"github.com/informer-gen-lite/informer-gen-lite/internal/program"
	"github.com/informer-gen-lite/informer-gen-lite/internal/snapshot"
)

// Memory is the memory of runs with the same command line. The zero value remembers nothing.
type Memory struct {
	memo     memo.Memo
	identity string
	// before is the state of the files before this run read any; nil if changes cannot be detected.
	before *snapshot.Snapshot
	// planned are the files that the runs write and remove.
	planned changes
}

// changes are the contents of the files that runs write, by absolute name, and the files that they remove.
type changes struct {
	written map[string][]byte
	removed []string
}

func (c changes) names() []string {
	return slices.AppendSeq(slices.Clone(c.removed), maps.Keys(c.written))
}

// record is the record of a run that left everything up to date.
type record struct {
	// Identity is everything that the run depends on besides files.
	Identity string
	Snapshot *snapshot.Snapshot
	// Found is the encoded result of the run.
	Found []byte
}

// Place is the location of memories.
type Place struct {
	// CacheDir holds them; KeyFile has the key that seals them. Nothing is kept if one is "".
	CacheDir, KeyFile string
}

// ownFlags do not affect the output.
var ownFlags = []string{"timings", "output", "watch"}

// Open inspects the files and returns the memory of runs with a command line, and the requested outputs.
func Open(place Place, given config.CommandLine) (*Memory, []config.Options, error) {
	all, err := given.Options()
	if err != nil || place.CacheDir == "" || place.KeyFile == "" || program.Sum() == "" {
		return &Memory{}, all, err
	}
	m := &Memory{identity: identity(given)}
	m.memo = memo.Open(place.CacheDir, place.KeyFile, fmt.Appendf(nil, "%q %q %q", given.Dir, flags(given), given.Packages))
	roots, singles, ok := files(given, all)
	if ok {
		m.before, err = snapshot.OfModule(given.Dir, roots, singles)
	}
	if !ok || err != nil {
		return &Memory{}, all, nil
	}
	// The configuration file may have changed before the snapshot.
	if all, err = given.Options(); err != nil {
		return &Memory{}, nil, err
	}
	if rootsNow, singlesNow, ok := files(given, all); !ok || !slices.Equal(roots, rootsNow) || !slices.Equal(singles, singlesNow) {
		return &Memory{}, all, nil
	}
	return m, all, nil
}

// files returns the files that runs read outside the module of the working directory. It returns false if they read other
// modules.
func files(given config.CommandLine, all []config.Options) (roots, singles []string, ok bool) {
	if file, err := given.File(); err == nil && file != "" {
		singles = append(singles, followLinks(file))
	}
	module, err := config.OwningModule(given.Dir)
	if err != nil {
		return nil, nil, false
	}
	for _, opts := range all {
		if of, err := config.OwningModule(opts.Load.Dir); err != nil || of.Dir != module.Dir {
			return nil, nil, false
		}
		if opts.CRDDir != "" {
			roots = append(roots, followLinks(opts.Absolute(opts.CRDDir)))
		}
		if opts.OutputDir != "" {
			dir := followLinks(opts.Absolute(opts.OutputDir))
			switch of, err := config.OwningModule(dir); {
			case err != nil: // not in a module, unless one is created
				roots = append(roots, dir)
				for parent := dir; parent != filepath.Dir(parent); parent = filepath.Dir(parent) {
					singles = append(singles, filepath.Join(parent, "go.mod"), filepath.Join(parent, "go.work"))
				}
			case of.Dir != module.Dir:
				return nil, nil, false
			}
		}
		for _, name := range []string{opts.HeaderFile, opts.OpenAPI} {
			if name != "" {
				singles = append(singles, followLinks(opts.Absolute(name)))
			}
		}
	}
	return roots, singles, true
}

// flags returns the flags that affect the output.
func flags(given config.CommandLine) (set []string) {
	given.Given.Visit(func(f *pflag.Flag) {
		if !slices.Contains(ownFlags, f.Name) {
			set = append(set, f.Name+"="+f.Value.String())
		}
	})
	return set
}

// identity returns everything that a run depends on besides files.
func identity(given config.CommandLine) string {
	var environment []string
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		if strings.HasPrefix(name, "GO") || strings.HasPrefix(name, "CGO_") || name == "PATH" || name == "CC" {
			environment = append(environment, variable)
		}
	}
	slices.Sort(environment)
	return fmt.Sprintf("%q %q %q %q %q", given.Dir, flags(given), given.Packages, environment, program.Sum())
}

// Load stores the result of the last run in found, a pointer, and reports whether all files are unchanged since.
func (m *Memory) Load(found any) bool {
	var last record
	if m.before == nil || !m.memo.Load(&last) || last.Snapshot == nil || last.Identity != m.identity {
		return false
	}
	if !slices.Equal(last.Snapshot.Roots, m.before.Roots) || !slices.Equal(last.Snapshot.Singles, m.before.Singles) {
		return false
	}
	now, unchanged := m.before.Unchanged(last.Snapshot)
	if !unchanged || gob.NewDecoder(bytes.NewReader(last.Found)).Decode(found) != nil {
		return false
	}
	if last.Snapshot.Young() {
		last.Snapshot = now
		m.memo.Save(last)
	}
	return true
}

// Read records what runs have read, before they write. Nothing is saved if they read files that may change undetected, or if a
// file has changed meanwhile.
func (m *Memory) Read(runs []pipeline.Run) {
	if m.before == nil {
		return
	}
	var flats []string
	idle := true
	for _, run := range runs {
		read, ok := m.readOutside(run)
		if !ok {
			m.before = nil
			return
		}
		flats = append(flats, read...)
		idle = idle && run.Plan.Idle()
	}
	m.planned = changesOf(runs)
	// If nothing is written, Save detects changes until then. One output may affect what the next run finds for another.
	if m.before.AddFlats(flats) != nil || !idle && (len(runs) > 1 || !m.before.Still(m.planned.names())) {
		m.before = nil
	}
}

// Save saves what runs have found. The next run finds the same if all files are unchanged.
func (m *Memory) Save(runs []pipeline.Run, found any) {
	var encoded bytes.Buffer
	if m.before == nil || gob.NewEncoder(&encoded).Encode(found) != nil {
		return
	}
	now := changesOf(runs)
	if !slices.Equal(now.removed, m.planned.removed) || !maps.EqualFunc(now.written, m.planned.written, bytes.Equal) {
		return // planned again, after somebody else had written
	}
	written := map[string]snapshot.Sum{}
	for name, content := range now.written {
		written[name] = snapshot.SumOf(content)
	}
	if after, err := m.before.After(written, now.removed); err == nil {
		m.memo.Save(record{m.identity, after, encoded.Bytes()})
	}
}

// changesOf returns the changes that runs have planned or made.
func changesOf(runs []pipeline.Run) changes {
	c := changes{written: map[string][]byte{}}
	for _, run := range runs {
		dir := followLinks(run.API.Place.Dir)
		for _, file := range run.Plan.Write {
			c.written[filepath.Join(dir, filepath.FromSlash(file.Path))] = file.Content
		}
		for _, path := range run.Plan.Remove {
			c.removed = append(c.removed, filepath.Join(dir, filepath.FromSlash(path)))
		}
	}
	return c
}

// readOutside returns the directories outside the user's modules whose files a run has read. It returns false if some are neither
// in the module cache nor part of Go, or if the run has missed a package.
func (m *Memory) readOutside(run pipeline.Run) (dirs []string, ok bool) {
	if !m.before.Holds(followLinks(run.API.Place.Dir)) || run.API.Loaded.Missing() {
		return nil, false
	}
	for _, pkg := range run.API.Loaded.Known() {
		switch dir := followLinks(pkg.Dir); {
		case m.before.Holds(dir):
		case pkg.Module == nil || strings.Contains(pkg.Module.Dir, "@"):
			dirs = append(dirs, dir)
		default:
			return nil, false
		}
	}
	return dirs, true
}

// followLinks returns a path without symbolic links. If it does not exist, only its directory is resolved.
func followLinks(name string) string {
	resolved, err := filepath.EvalSymlinks(name)
	if errors.Is(err, fs.ErrNotExist) && name != filepath.Dir(name) {
		return filepath.Join(followLinks(filepath.Dir(name)), filepath.Base(name))
	}
	if err != nil {
		return name
	}
	return resolved
}
