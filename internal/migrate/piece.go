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

// part is what one generator makes of a piece: from which packages, and where, unless the files are in these packages.
type part struct {
	where  module.Place
	inputs []input
}

// The generators whose output has a directory, with its key in the configuration.
const (
	clientset = "clientset"
	listers   = "listers"
	informers = "informers"
	applied   = "applyconfiguration"
	dirKey    = "-dir"
	headerKey = "go-header-file"
	applyKey  = "applyconfiguration-package"
)

var (
	inClients     = []string{clientset, listers, informers}
	inOwnDir      = append(slices.Clone(inClients), applied)
	inAPIPackages = []string{"deepcopy", "register"}
)

// piece is the contribution of one tool call to an output: all of it or, for a single generator, its part.
type piece struct {
	pos     token.Position
	partial bool
	// parts are what it generates, by the names of generators.
	parts map[string]part
	// problem is the reason why a location is unknown.
	problem string
	// clientsetLink and listersLink are the import paths used by the informers.
	clientsetLink, listersLink string
	// settings are the other keys. Files are relative to the repository.
	settings map[string]any
}

func (p *piece) set(name string, where module.Place, inputs []input) {
	p.parts[name] = part{where, inputs}
}

// add adds packages to a part.
func (p *piece) add(name string, inputs []input) {
	p.set(name, p.parts[name].where, union(p.parts[name].inputs, inputs))
}

// makes reports whether a piece has one of these parts.
func (p *piece) makes(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { _, ok := p.parts[name]; return ok })
}

// places returns where the parts with a directory are.
func (p *piece) places() map[string]module.Place {
	places := map[string]module.Place{}
	for _, name := range inOwnDir {
		if p.makes(name) {
			places[name] = p.parts[name].where
		}
	}
	return places
}

// makesOnly reports whether the only part with a directory is this one.
func (p *piece) makesOnly(name string) bool { return p.makes(name) && len(p.places()) == 1 }

// onlyAPIFiles reports whether all files of a piece are in API packages.
func (p *piece) onlyAPIFiles() bool { return !p.makes(inOwnDir...) }

// packages returns the packages of these parts or, without any, of all.
func (p *piece) packages(names ...string) (all []input) {
	if len(names) == 0 {
		names = slices.Concat(inOwnDir, inAPIPackages)
	}
	for _, name := range names {
		all = union(all, p.parts[name].inputs)
	}
	return all
}

// unknown returns the number of unknown inputs and locations.
func (p *piece) unknown() (n int) {
	for _, i := range p.packages() {
		if i.open != "" {
			n++
		}
	}
	for _, where := range p.places() {
		if where.Dir == "" {
			n++
		}
	}
	return n
}

// dirs returns the known directories that are written to: those of the API packages if nothing is written to others.
func (p *piece) dirs() (dirs []string) {
	for _, name := range inOwnDir {
		dirs = append(dirs, p.parts[name].where.Dir)
	}
	if p.onlyAPIFiles() {
		for _, i := range p.packages() {
			dirs = append(dirs, strings.TrimSuffix(i.Dir, "/..."))
		}
	}
	return slices.DeleteFunc(dirs, func(dir string) bool { return dir == "" })
}

// root returns the output directory: if possible, a directory in which the parts have their usual names.
func (p *piece) root() string {
	for _, name := range inClients {
		root, ok := strings.CutSuffix(p.parts[name].where.Dir, "/"+config.DefaultOf(name+dirKey))
		if ok && !slices.ContainsFunc(p.dirs(), func(dir string) bool { return !module.Within(root, dir) }) {
			return root
		}
	}
	return commonDir(p.dirs())
}
