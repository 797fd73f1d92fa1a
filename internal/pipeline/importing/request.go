package importing

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/foreign"
	"github.com/informer-gen-lite/informer-gen-lite/internal/module"
)

// Request is a source that is not in the configuration yet, or is to be read again.
type Request struct {
	// Module is the root of the module, Into the directory for the packages.
	Module, Into string
	// From is a file or directory. Without it, Text is what Name, such as the standard input, has.
	From, Name string
	Text       []byte
	// Cluster is the group, and optionally the version, that Text was read from.
	Cluster string
	// Versions and Plain are as in config.Import; nil for those of the entry that is there.
	Versions []string
	Plain    *bool
}

// Entries returns the entries of the configuration for a request. A source outside of the module is saved in the directory of the group's
// packages, so that the next import needs nothing else: texts are the contents of such files.
func (r Request) Entries(existing []config.Import) (entries []config.Import, texts map[string][]byte, err error) {
	if !module.Within(r.Module, r.Into) {
		return nil, nil, errors.New("--into: " + r.Into + " is outside of the module in " + r.Module)
	}
	if r.From != "" && module.Within(r.Module, r.From) {
		return []config.Import{r.entry(r.From, existing)}, nil, nil
	}
	sources := []foreign.Source{{Name: r.Name, Text: r.Text}}
	if r.From != "" {
		if sources, err = read(r.From, nil); err != nil {
			return nil, nil, err
		}
	}
	definitions, err := foreign.Read(sources)
	if err != nil {
		return nil, nil, err
	}
	texts = map[string][]byte{}
	for group, dir := range definitions.Dirs(filepath.Base(r.Into)) {
		name := filepath.Join(r.Into, filepath.FromSlash(dir), group+".yaml")
		if texts[name], err = definitions.Text(group); err != nil {
			return nil, nil, err
		}
		entries = append(entries, r.entry(name, existing))
	}
	slices.SortFunc(entries, func(a, b config.Import) int { return strings.Compare(a.From, b.From) })
	return entries, texts, nil
}

// entry returns the entry for a source: what the request says and, apart from that, the entry that is there.
func (r Request) entry(from string, existing []config.Import) config.Import {
	entry := config.Import{From: from, Into: r.Into}
	if i := slices.IndexFunc(existing, entry.Replaces); i >= 0 {
		entry = existing[i]
	}
	entry.Cluster = r.Cluster
	if r.Versions != nil {
		entry.Versions = r.Versions
	}
	if r.Plain != nil {
		entry.Plain = *r.Plain
	}
	return entry
}

// Merge returns the entries of a configuration with those of a request in place of the same sources.
func Merge(existing, requested []config.Import) []config.Import {
	all := slices.Clone(existing)
	for _, entry := range requested {
		if i := slices.IndexFunc(all, entry.Replaces); i >= 0 {
			all[i] = entry
		} else {
			all = append(all, entry)
		}
	}
	return all
}
