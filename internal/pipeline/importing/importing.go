// Package importing keeps the types of other projects in step with their CustomResourceDefinitions, which the configuration file names.
package importing

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"go/build"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/foreign"
	"github.com/informer-gen-lite/informer-gen-lite/internal/foreign/known"
	"github.com/informer-gen-lite/informer-gen-lite/internal/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/output"
	"github.com/informer-gen-lite/informer-gen-lite/internal/pipeline"
	"github.com/informer-gen-lite/informer-gen-lite/internal/regular"
)

// Import is the import of all sources in a configuration.
type Import struct {
	// Entries are the entries of the configuration with the checksums of their sources.
	Entries []config.Import
	// Warnings are what is odd about the sources.
	Warnings diag.List

	// files are all files by absolute name, and old those that exist. stale are former files.
	files, old map[string][]byte
	stale      []string
	outputs    []pipeline.Options
}

// Options are the options of an import.
type Options struct {
	// Given has the configuration file, and Outputs are its outputs. The first one has the text for the top of files.
	Given   config.CommandLine
	Outputs []pipeline.Options
	// Texts are the contents of sources that do not exist yet, by absolute name. They are written, too.
	Texts map[string][]byte
	// Force replaces edited files.
	Force bool
}

// Prepare reads the sources of entries and makes their types in memory. The configuration file is among the files. The error is a diag.List
// if the sources have mistakes.
func Prepare(ctx context.Context, entries []config.Import, opts Options) (*Import, error) {
	i := &Import{Entries: slices.Clone(entries), files: map[string][]byte{}, old: map[string][]byte{}, outputs: opts.Outputs}
	maps.Copy(i.files, opts.Texts)
	if err := i.addAll(ctx, opts); err != nil {
		return nil, err
	}
	edit, err := opts.Given.WithImports(i.Entries, generators.Names())
	if err != nil {
		return nil, err
	}
	i.files[edit.Name] = edit.Text
	return i, i.compare(opts)
}

// addAll adds the files of all entries.
func (i *Import) addAll(ctx context.Context, opts Options) error {
	header, err := pipeline.ReadBoilerplate(opts.Outputs[0])
	if err != nil {
		return err
	}
	var types *known.Types
	var problems diag.List
	for n := range i.Entries {
		entry := &i.Entries[n]
		if !entry.Plain && types == nil {
			if types, err = known.Load(ctx, opts.Given.Module); err != nil {
				return err
			}
		}
		err := i.add(entry, types, header, opts)
		if diags, ok := errors.AsType[diag.List](err); ok {
			problems = append(problems, diags...)
		} else if err != nil {
			return err
		}
	}
	return problems.Err()
}

// add adds the files of one entry.
func (i *Import) add(entry *config.Import, types *known.Types, header []byte, opts Options) error {
	if !module.Within(opts.Given.Module, entry.Into) {
		var diags diag.List
		diags.Add(entry.Pos, "%s is outside of the module in %s", entry.Into, opts.Given.Module)
		return diags
	}
	sources, err := read(entry.From, opts.Texts)
	if err != nil {
		var diags diag.List
		diags.Add(entry.Pos, "%w", err)
		return diags
	}
	definitions, err := foreign.Read(sources)
	if err != nil {
		return err
	}
	cfg := foreign.Options{
		Versions: entry.Versions, Names: entry.Names, NamesPos: entry.Pos, Header: header, Dir: filepath.Base(entry.Into),
		Source: Name(opts.Given.Module, entry.From), GroupGoNames: opts.Outputs[0].Resolve.GroupGoNames,
	}
	if !entry.Plain {
		cfg.Recognize = types.Recognize
	}
	files, warnings, err := definitions.Files(cfg)
	if err != nil {
		return err
	}
	i.Warnings = append(i.Warnings, warnings...)
	entry.SHA256 = checksum(sources)
	dirs := map[string]bool{}
	for _, f := range files {
		name := filepath.Join(entry.Into, filepath.FromSlash(f.Path))
		if _, again := i.files[name]; again {
			var diags diag.List
			diags.Add(entry.Pos, "another entry of imports has types for %s", Name(opts.Given.Module, filepath.Dir(name)))
			return diags
		}
		i.files[name] = seal(f.Content)
		dirs[filepath.Dir(filepath.Dir(name))] = true
	}
	return i.findStale(cfg.Source, slices.Collect(maps.Keys(dirs)))
}

// read reads the sources of an entry: a file, or the manifests in a directory.
func read(from string, texts map[string][]byte) ([]foreign.Source, error) {
	if text, ok := texts[from]; ok {
		return []foreign.Source{{Name: from, Text: text}}, nil
	}
	names := []string{from}
	if info, err := os.Stat(from); err != nil {
		return nil, err
	} else if info.IsDir() {
		names = nil
		entries, err := os.ReadDir(from)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(e.Name())) && !e.IsDir() {
				names = append(names, filepath.Join(from, e.Name()))
			}
		}
		if len(names) == 0 {
			return nil, errors.New("no YAML or JSON file in " + from)
		}
	}
	var sources []foreign.Source
	for _, name := range names {
		text, err := regular.ReadFile(name)
		if err != nil {
			return nil, err
		}
		sources = append(sources, foreign.Source{Name: name, Text: text})
	}
	return sources, nil
}

// checksum returns the checksum of sources, whatever their directory.
func checksum(sources []foreign.Source) string {
	hash := sha256.New()
	for _, s := range sources {
		if len(sources) > 1 {
			sum := sha256.Sum256(s.Text)
			hash.Write(append([]byte(filepath.Base(s.Name)+"\n"), sum[:]...))
		} else {
			hash.Write(s.Text)
		}
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// mark begins the first line of imported files below the header, and sealed the line with their checksum.
const (
	mark   = "// Code generated by informer-gen-lite import. DO NOT EDIT.\n"
	source = "// Source: "
	sealed = "// Checksum: "
)

// seal adds the checksum of a file below the line with its source.
func seal(content []byte) []byte {
	sum := sha256.Sum256(content)
	begin := bytes.Index(content, []byte(mark)) + len(mark)
	begin += bytes.IndexByte(content[begin:], '\n') + 1
	return slices.Concat(content[:begin], []byte(sealed+hex.EncodeToString(sum[:])+"\n"), content[begin:])
}

// isSealed reports whether a file is an imported one that nobody has edited.
func isSealed(content []byte) bool {
	content = bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n")) // git may have changed them
	begin := bytes.Index(content, []byte("\n"+sealed))
	if begin < 0 || !bytes.Contains(content, []byte(mark)) {
		return false
	}
	begin++
	end := begin + bytes.IndexByte(content[begin:], '\n') + 1
	return bytes.Equal(seal(slices.Concat(content[:begin], content[end:])), content)
}

// findStale finds the files of versions that a source had before.
func (i *Import) findStale(from string, dirs []string) error {
	for _, dir := range dirs {
		names, err := filepath.Glob(filepath.Join(dir, "*", "*.go"))
		if err != nil {
			return err
		}
		for _, name := range names {
			if _, made := i.files[name]; made || !slices.Contains([]string{"types.go", "doc.go"}, filepath.Base(name)) {
				continue
			}
			content, err := regular.ReadFile(name)
			if err == nil && isSealed(content) && sourceOf(content) == from {
				i.stale, i.old[name] = append(i.stale, name), content
			}
		}
	}
	return nil
}

// compare reads the existing files. Those of other sources are errors and, unless force replaces them, handwritten and edited ones, too.
func (i *Import) compare(opts Options) error {
	others, err := i.others(opts.Given)
	if err != nil {
		return err
	}
	var diags diag.List
	for name := range i.files {
		content, err := regular.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return err
		}
		i.old[name] = content
		pos := token.Position{Filename: name}
		if other := sourceOf(content); slices.Contains(others, other) {
			diags.AddHint(pos, "choose another directory, or change "+config.FromKey+" in "+config.FileName+" if one replaces the other",
				"the types in this file are from %s", other)
		} else if filepath.Ext(name) == ".go" && !isSealed(content) && !opts.Force {
			diags.AddHint(pos, "move additions to another file of the package, and run informer-gen-lite import --force",
				"this file was edited, or import did not write it")
		}
	}
	return diags.Err()
}

// others returns the sources in a configuration that are not part of the import.
func (i *Import) others(given config.CommandLine) (sources []string, err error) {
	all, err := given.Imports()
	for _, entry := range all {
		if !slices.ContainsFunc(i.Entries, entry.Replaces) {
			sources = append(sources, Name(given.Module, entry.From))
		}
	}
	return sources, err
}

// sourceOf returns the source of an imported file; "" for other files.
func sourceOf(content []byte) string {
	_, below, ok := strings.Cut(string(content), mark+source)
	if !ok {
		return ""
	}
	from, _, _ := strings.Cut(below, "\n")
	return strings.TrimRight(from, "\r")
}

// Differences returns the files that Write would write or remove.
func (i *Import) Differences() (all []pipeline.Difference) {
	for _, name := range slices.Sorted(maps.Keys(i.files)) {
		old, exists := i.old[name]
		switch {
		case !exists:
			all = append(all, pipeline.Difference{State: pipeline.Missing, Name: name, Generated: string(i.files[name])})
		case !bytes.Equal(old, i.files[name]):
			all = append(all, pipeline.Difference{State: pipeline.Differs, Name: name, OnDisk: string(old), Generated: string(i.files[name])})
		}
	}
	for _, name := range i.stale {
		all = append(all, pipeline.Difference{State: pipeline.Stale, Name: name, OnDisk: string(i.old[name])})
	}
	return all
}

// Unchanged returns the number of files that are as they would be written.
func (i *Import) Unchanged() int { return len(i.files) - len(i.Differences()) + len(i.stale) }

// Files returns the number of files, without the configuration file.
func (i *Import) Files() int { return len(i.files) - 1 }

// Uncovered warns about packages that no output of a configuration reads. Patterns that are import paths may match any.
func (i *Import) Uncovered() (warnings diag.List) {
	for _, entry := range i.Entries {
		covered := slices.ContainsFunc(i.outputs, func(o pipeline.Options) bool {
			return slices.ContainsFunc(o.Load.Patterns, func(pattern string) bool {
				above, all := strings.CutSuffix(pattern, "/...")
				return !build.IsLocalImport(pattern) && !filepath.IsAbs(pattern) || all && module.Within(o.Absolute(above), entry.Into)
			})
		})
		if !covered {
			warnings.Warn(entry.Pos, "add ./"+Name(i.outputs[0].Load.Dir, entry.Into)+"/... to "+config.PackagesKey,
				"no pattern in %s matches the packages in %s", config.PackagesKey, Name(i.outputs[0].Load.Dir, entry.Into))
		}
	}
	return warnings
}

// Name returns a name relative to a directory, with slashes.
func Name(dir, name string) string { return filepath.ToSlash(diag.Relative(dir, name)) }

// Write writes the files that differ, and removes stale ones. It returns the names of both. Waiting is called before it waits for another
// run that is writing to the module.
func (i *Import) Write(ctx context.Context, module string, waiting func(dir string)) (written, removed []string, err error) {
	files := map[string][]byte{}
	for _, d := range i.Differences() {
		if d.State != pipeline.Stale {
			files[d.Name] = i.files[d.Name]
		}
	}
	if len(files)+len(i.stale) == 0 {
		return nil, nil, nil
	}
	unlock, err := output.Lock(ctx, []string{module}, waiting)
	if err != nil {
		return nil, nil, err
	}
	defer unlock()
	return slices.Sorted(maps.Keys(files)), i.stale, output.Write(ctx, files, i.stale)
}
