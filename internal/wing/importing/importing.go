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
	"io"
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
	// Warnings are about the sources.
	Warnings diag.List

	// files are all files by absolute name, and old the existing ones. origins are the entries of imported files. stale are former files.
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

// stdin is the source that names the standard input.
const stdin = "-"

// Request is a source that is not in the configuration yet, or is to be read again.
type Request struct {
	// Module is the root of the module, and Dir the base of relative names.
	Module, Dir string
	// Into is the directory for the packages. If it is empty, they go to the directory of the entry with this source, otherwise to Default.
	Into, Default string
	// From is a file or a directory, or - for Stdin.
	From  string
	Stdin io.Reader
	// Groups are the groups to import. If it is nil, the groups in the existing entry apply, otherwise all. All imports all groups. One
	// of both is required if Stdin has definitions of several groups.
	Groups []string
	All    bool
	// Omit are the names of definitions to leave out. If nil, the names in the existing entry apply.
	Omit []string
	// Versions, Plain and Note are as in option.Import; if nil, the values in the existing entry apply.
	Versions []string
	Plain    *bool
	Note     *string
}

// Entries returns the entries of the configuration for a request. A source outside of the module is saved in the directory of the group's
// packages, so that the next import needs nothing else: texts are the contents of such files.
func (r Request) Entries(existing []option.Import) (entries []option.Import, texts map[string][]byte, err error) {
	from := diag.Absolute(r.Dir, r.From)
	if r.Into != "" {
		r.Into = diag.Absolute(r.Dir, r.Into)
	} else if i := slices.IndexFunc(existing, func(e option.Import) bool { return e.From == from }); i >= 0 {
		r.Into = existing[i].Into
	} else {
		r.Into = r.Default
	}
	if !module.Within(r.Module, r.Into) {
		return nil, nil, errors.New("--into: " + r.Into + " is outside of the module in " + r.Module)
	}
	sources, inside, err := r.read()
	if err != nil {
		return nil, nil, err
	}
	if inside {
		entry := r.entry(from, r.Into, existing)
		if r.Groups != nil || r.All {
			entry.Groups = r.Groups
		}
		if r.Omit != nil {
			entry.Omit = r.Omit
		}
		return []option.Import{entry}, nil, nil
	}
	definitions, err := foreign.Read(sources, foreign.Groups{Names: r.Groups, Single: r.From == stdin && !r.All, Omit: r.Omit})
	if err != nil {
		return nil, nil, err
	}
	texts = map[string][]byte{}
	held := func(dir string) string { return holder(filepath.Join(r.Into, dir), nil) }
	for group, dir := range definitions.Dirs(filepath.Base(r.Into), held) {
		into := r.Into
		if dir == group && strings.Contains(group, ".") { // on its own, the group would have a shorter name
			into = filepath.Join(into, group)
			dir = ""
		}
		name := filepath.Join(into, filepath.FromSlash(dir), group+".yaml")
		if texts[name], err = definitions.Text(group); err != nil {
			return nil, nil, err
		}
		entries = append(entries, r.entry(name, into, existing))
	}
	slices.SortFunc(entries, func(a, b option.Import) int { return strings.Compare(a.From, b.From) })
	return entries, texts, nil
}

// read reads the source. Inside reports whether it is in the module.
func (r Request) read() (sources []foreign.Source, inside bool, err error) {
	switch {
	case r.From == stdin:
		text, err := io.ReadAll(r.Stdin)
		return []foreign.Source{{Name: "standard input", Text: text}}, false, err
	case option.IsURL(r.From):
		return nil, false, diag.List{{Message: r.From + " is a URL, and sources are files", Hint: option.DownloadHint(r.From)}}
	}
	name := diag.Absolute(r.Dir, r.From)
	sources, err = read(name, nil)
	return sources, module.Within(r.Module, name), err
}

// entry returns the entry for a source: the values of the request and, apart from these, the existing entry.
func (r Request) entry(from, into string, existing []option.Import) option.Import {
	entry := option.Import{From: from, Into: into}
	if i := slices.IndexFunc(existing, entry.Replaces); i >= 0 {
		entry = existing[i]
	}
	if r.Versions != nil {
		entry.Versions = r.Versions
	}
	if r.Plain != nil {
		entry.Plain = *r.Plain
	}
	if r.Note != nil {
		entry.Note = *r.Note
	}
	return entry
}
