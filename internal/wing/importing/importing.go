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
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/regular"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/importing/foreign"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/importing/known"
)

// Import is the import of all sources in a configuration.
type Import struct {
	// Entries are the entries of the configuration with the checksums of their sources.
	Entries []option.Import
	// Warnings are what is odd about the sources.
	Warnings diag.List

	// files are all files by absolute name, and old those that exist. origins are the entries of imported ones. stale are former files.
	files, old map[string][]byte
	origins    map[string]token.Position
	stale      []string
	outputs    []run.Options
}

// Options are the options of an import.
type Options struct {
	// Config has the configuration file, and Outputs are its outputs. The first one has the text for the top of files. Module is the root of
	// the module.
	Config  run.Configuration
	Outputs []run.Options
	Module  string
	// Texts are the contents of sources that do not exist yet, by absolute name. They are written, too.
	Texts map[string][]byte
	// Force replaces edited files.
	Force bool
}

// Prepare reads the sources of entries and makes their types in memory. The configuration file is among the files. The error is a diag.List
// if the sources have mistakes.
func Prepare(ctx context.Context, entries []option.Import, opts Options) (*Import, error) {
	i := &Import{
		Entries: slices.Clone(entries), files: map[string][]byte{}, old: map[string][]byte{}, origins: map[string]token.Position{},
		outputs: opts.Outputs,
	}
	maps.Copy(i.files, opts.Texts)
	if err := i.addAll(ctx, opts); err != nil {
		return nil, err
	}
	edit, err := opts.Config.WithImports(i.Entries)
	if err != nil {
		return nil, err
	}
	if len(entries) > 0 {
		i.files[edit.Name] = edit.Text
	}
	if err := i.compare(opts); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(opts.Outputs, func(o run.Options) bool { return o.Values.Strict }) {
		i.Warnings = i.Warnings.AsErrors()
	}
	return i, i.Warnings.Err()
}

// addAll adds the files of all entries.
func (i *Import) addAll(ctx context.Context, opts Options) error {
	header, err := run.ReadBoilerplate(opts.Outputs[0])
	if err != nil {
		return err
	}
	var types *known.Types
	var problems diag.List
	for n := range i.Entries {
		entry := &i.Entries[n]
		if !entry.Plain && types == nil {
			if types, err = known.Load(ctx, opts.Module); err != nil {
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
func (i *Import) add(entry *option.Import, types *known.Types, header []byte, opts Options) error {
	if !module.Within(opts.Module, entry.Into) {
		return diag.List{{Pos: entry.Pos, Message: entry.Into + " is outside of the module in " + opts.Module}}
	}
	sources, err := read(entry.From, opts.Texts)
	if err != nil {
		return diag.List{{Pos: entry.Pos, Message: err.Error(), Cause: err}}
	}
	definitions, err := foreign.Read(sources, foreign.Groups{Names: entry.Groups, Omit: entry.Omit})
	if err != nil {
		return err
	}
	cfg := foreign.Options{
		Versions: entry.Versions, Names: entry.Names, NamesPos: entry.Pos, Header: header, Dir: filepath.Base(entry.Into),
		Holder: func(dir string) string { return holder(filepath.Join(entry.Into, dir), i.files) },
		Source: opts.source(*entry), GroupGoNames: opts.Outputs[0].Resolve.GroupGoNames,
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
	if err := addMarkers(files, *entry); err != nil {
		return err
	}
	for _, f := range files {
		name := filepath.Join(entry.Into, filepath.FromSlash(f.Path))
		if _, again := i.files[name]; again {
			dir := Name(opts.Module, filepath.Dir(name))
			return diag.List{{Pos: entry.Pos, Message: "another entry of imports has types for " + dir}}
		}
		i.files[name], i.origins[name] = seal(f.Content), entry.Pos
	}
	return nil
}

// addMarkers adds the markers of an entry to the comments of its types.
func addMarkers(files []render.File, entry option.Import) error {
	var diags diag.List
	for name, lines := range entry.Markers {
		found := false
		for i, f := range files {
			if above, below, ok := bytes.Cut(f.Content, []byte("\ntype "+name+" ")); ok {
				text := "\n// " + strings.Join(lines, "\n// ") + "\ntype " + name + " "
				files[i].Content, found = slices.Concat(above, []byte(text), below), true
			}
		}
		if !found {
			diags.Add(entry.Pos, "%s: no type is called %s", option.MarkersKey, name)
		}
	}
	return diags.Err()
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

// Uncovered warns about packages that no output of a configuration reads. Patterns that are import paths may match any.
func (i *Import) Uncovered() (warnings diag.List) {
	for _, entry := range i.Entries {
		covered := slices.ContainsFunc(i.outputs, func(o run.Options) bool {
			return slices.ContainsFunc(o.Load.Patterns, func(pattern string) bool {
				above, all := strings.CutSuffix(pattern, "/...")
				return !build.IsLocalImport(pattern) && !filepath.IsAbs(pattern) || all && module.Within(o.Absolute(above), entry.Into)
			})
		})
		if !covered {
			warnings.Warn(entry.Pos, "add ./"+Name(i.outputs[0].Load.Dir, entry.Into)+"/... to "+option.PackagesKey,
				"no pattern in %s matches the packages in %s", option.PackagesKey, Name(i.outputs[0].Load.Dir, entry.Into))
		}
	}
	return warnings
}

// Name returns a name relative to a directory, with slashes.
func Name(dir, name string) string { return filepath.ToSlash(diag.Relative(dir, name)) }
