package migrate

import (
	"go/token"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/module"
)

// input is a package that a call names.
type input struct {
	// Place has the directory, if known, and the import path.
	module.Place
	// open is the question for the user if the package is unknown; else "".
	open string
	pos  token.Position
}

func (i input) same(j input) bool {
	return i.open == j.open && (i.open != "" || i.Place == j.Place || i.ImportPath != "" && i.ImportPath == j.ImportPath)
}

// covers reports whether i is the package j, or a pattern for it.
func (i input) covers(j input) bool {
	root, all := strings.CutSuffix(i.Dir, "/...")
	return i.same(j) || all && j.Dir != "" && module.Within(root, j.Dir)
}

// union returns the inputs of both, without duplicates.
func union(a, b []input) []input {
	all := slices.Clone(a)
	for _, i := range b {
		if !slices.ContainsFunc(all, i.same) {
			all = append(all, i)
		}
	}
	return all
}

// part is one of the directories of an output.
type part int

const (
	clientset part = iota
	listers
	informers
	applied
	parts
)

// key returns the key for the directory of a part, and its generator.
func (p part) key() (key, generator string) {
	switch p {
	case clientset:
		return "clientset-dir", "clientset"
	case listers:
		return "listers-dir", "listers"
	case informers:
		return "informers-dir", "informers"
	default:
		return "applyconfiguration-dir", "applyconfiguration"
	}
}

// piece is the contribution of one tool call to an output: all of it or, for a single generator, its part.
type piece struct {
	pos     token.Position
	partial bool
	// where has the locations of the generated parts, and inputs their packages.
	where  [parts]module.Place
	made   [parts]bool
	inputs [parts][]input
	// problem is the reason why a location is unknown.
	problem string
	// apiFiles are the generators that write to API packages, with these packages.
	apiFiles map[string][]input
	// clientsetLink and listersLink are the import paths used by the informers, applyLink that used by the clients.
	clientsetLink, listersLink, applyLink string
	// header is the header file, and settings are the other keys.
	header   string
	settings map[string]any
}

func (p *piece) set(part part, where module.Place, inputs []input) {
	p.where[part], p.made[part], p.inputs[part] = where, true, inputs
}

// addAPIFiles adds a generator that writes to API packages.
func (p *piece) addAPIFiles(name string, inputs []input) {
	if p.apiFiles == nil {
		p.apiFiles = map[string][]input{}
	}
	p.apiFiles[name] = union(p.apiFiles[name], inputs)
}

// onlyAPIFiles reports whether all files of a piece are in API packages.
func (p *piece) onlyAPIFiles() bool { return !slices.Contains(p.made[:], true) }

// onlyPart reports whether a piece has only this part.
func (p *piece) onlyPart(part part) bool {
	var only [parts]bool
	only[part] = true
	return p.made == only
}

// packages returns the packages of all parts.
func (p *piece) packages() []input {
	var all []input
	for part := range parts {
		all = union(all, p.inputs[part])
	}
	return all
}

// unknown returns the number of unknown inputs and locations.
func (p *piece) unknown() int {
	n := 0
	for _, i := range p.packages() {
		if i.open != "" {
			n++
		}
	}
	for part, made := range p.made {
		if made && p.where[part].Dir == "" {
			n++
		}
	}
	return n
}

// dirs returns the known directories that are written to.
func (p *piece) dirs() []string {
	var dirs []string
	for _, where := range p.where {
		if where.Dir != "" {
			dirs = append(dirs, where.Dir)
		}
	}
	return dirs
}

// root returns the output directory: if possible, a directory in which the parts have their usual names.
func (p *piece) root() string {
	for _, part := range []part{clientset, informers, listers} {
		key, _ := part.key()
		usual := config.DefaultOf(key)
		root, ok := strings.CutSuffix(p.where[part].Dir, "/"+usual)
		if ok && !slices.ContainsFunc(p.dirs(), func(dir string) bool { return !module.Within(root, dir) }) {
			return root
		}
	}
	return commonDir(p.dirs())
}
