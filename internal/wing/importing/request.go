package importing

import (
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/importing/foreign"
)

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
	// Groups are the groups to import. If it is nil, they are those of the entry that is there, otherwise all. All imports all groups.
	// One of both is required if Stdin has definitions of several groups.
	Groups []string
	All    bool
	// Omit are the names of definitions to leave out. If nil, the names in the existing entry apply.
	Omit []string
	// Versions, Plain and Note are as in option.Import; nil for those of the entry that is there.
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

// entry returns the entry for a source: what the request says and, apart from that, the entry that is there.
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
