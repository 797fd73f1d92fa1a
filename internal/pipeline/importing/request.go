package importing

import (
	"context"
	"errors"
	"go/token"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/foreign"
	"github.com/informer-gen-lite/informer-gen-lite/internal/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/pipeline/importing/remote"
)

// Request is a source that is not in the configuration yet, or is to be read again.
type Request struct {
	// Module is the root of the module, and Dir the base of relative names.
	Module, Dir string
	// Into is the directory for the packages. If it is empty, they go to the directory of the entry with this source, otherwise to Default.
	Into, Default string
	// From is a file or a directory, or - for Stdin.
	From  string
	Stdin io.Reader
	// Group is a group, or a group and a version such as sea.example.com/v1, to read from Cluster instead.
	Group   string
	Cluster remote.Cluster
	// Versions and Plain are as in config.Import; nil for those of the entry that is there.
	Versions []string
	Plain    *bool
}

// Entries returns the entries of the configuration for a request. A source outside of the module is saved in the directory of the group's
// packages, so that the next import needs nothing else: texts are the contents of such files.
func (r Request) Entries(ctx context.Context, existing []config.Import) (entries []config.Import, texts map[string][]byte, err error) {
	if r.Into = r.into(existing); !module.Within(r.Module, r.Into) {
		return nil, nil, errors.New("--into: " + r.Into + " is outside of the module in " + r.Module)
	}
	if _, version, ok := strings.Cut(r.Group, "/"); ok && r.Versions == nil {
		r.Versions = []string{version}
	}
	sources, inside, err := r.read(ctx)
	if err != nil {
		return nil, nil, err
	}
	if inside {
		return []config.Import{r.entry(diag.Absolute(r.Dir, r.From), existing)}, nil, nil
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

// into returns the absolute name of the directory for the packages.
func (r Request) into(existing []config.Import) string {
	if r.Into != "" {
		return diag.Absolute(r.Dir, r.Into)
	}
	from := diag.Absolute(r.Dir, r.From)
	i := slices.IndexFunc(existing, func(e config.Import) bool { return e.From == from || r.Group != "" && e.Cluster == r.Group })
	if i >= 0 {
		return existing[i].Into
	}
	return r.Default
}

// read reads the source. Inside reports whether it is in the module.
func (r Request) read(ctx context.Context) (sources []foreign.Source, inside bool, err error) {
	var text []byte
	name := "standard input"
	switch {
	case r.Group != "":
		group, version, _ := strings.Cut(r.Group, "/")
		name = "cluster"
		text, err = r.Cluster.Read(ctx, group, version)
	case r.From == "-":
		text, err = io.ReadAll(r.Stdin)
	case config.IsURL(r.From):
		var diags diag.List
		diags.AddHint(token.Position{}, config.DownloadHint(r.From), "%s is a URL, and sources are files", r.From)
		return nil, false, diags
	default:
		name = diag.Absolute(r.Dir, r.From)
		sources, err = read(name, nil)
		return sources, module.Within(r.Module, name), err
	}
	return []foreign.Source{{Name: name, Text: text}}, false, err
}

// entry returns the entry for a source: what the request says and, apart from that, the entry that is there.
func (r Request) entry(from string, existing []config.Import) config.Import {
	entry := config.Import{From: from, Into: r.Into}
	if i := slices.IndexFunc(existing, entry.Replaces); i >= 0 {
		entry = existing[i]
	}
	entry.Cluster = r.Group
	if r.Versions != nil {
		entry.Versions = r.Versions
	}
	if r.Plain != nil {
		entry.Plain = *r.Plain
	}
	return entry
}
