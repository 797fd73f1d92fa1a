package snapshot

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/informer-gen-lite/informer-gen-lite/internal/regular"
)

// OfModule records all that a run in a directory can read apart from the module cache: the main module or the modules of the
// workspace, with what they replace by directories, the go command and its configuration. Roots and singles are further
// directories and files that the run reads; both may be missing. It is ErrUnsupported if the go command is told to read other files
// instead.
func OfModule(dir string, roots, singles []string) (*Snapshot, error) {
	if redirects(os.Getenv("GOFLAGS")) {
		return nil, ErrUnsupported
	}
	// The go command looks for go.mod and go.work in the parents of the directory by its name.
	if resolved, err := filepath.EvalSymlinks(dir); err != nil || resolved != dir {
		return nil, ErrUnsupported
	}
	in := inputs{slices.Clone(roots), slices.Clone(singles)}
	module, workspace := "", os.Getenv("GOWORK")
	for parent := dir; ; parent = filepath.Dir(parent) {
		// A missing file may exist next time.
		in.singles = append(in.singles, filepath.Join(parent, "go.mod"), filepath.Join(parent, "go.work"))
		if module == "" && exists(filepath.Join(parent, "go.mod")) {
			module = parent
		}
		if workspace == "" && exists(filepath.Join(parent, "go.work")) {
			workspace = filepath.Join(parent, "go.work")
		}
		if parent == filepath.Dir(parent) {
			break
		}
	}
	if module == "" {
		return nil, ErrUnsupported
	}
	if err := in.addModule(module); err != nil {
		return nil, err
	}
	if workspace != "" && workspace != "off" {
		if err := in.addWorkspace(workspace); err != nil {
			return nil, err
		}
	}
	if err := in.addGo(); err != nil {
		return nil, err
	}
	return Take(outermost(in.roots), in.singles, nil)
}

// redirects reports whether flags of the go command, or its configuration, name other files than usual.
func redirects(flags string) bool {
	return strings.Contains(flags, "modfile") || strings.Contains(flags, "overlay")
}

type inputs struct{ roots, singles []string }

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// addModule adds a module, and the directories that replace others in it.
func (in *inputs) addModule(dir string) error {
	in.roots = append(in.roots, dir)
	data, err := regular.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return err
	}
	file, err := modfile.Parse("go.mod", data, nil)
	if err != nil {
		return err
	}
	return in.addReplaces(dir, file.Replace)
}

// addReplaces adds the directories that replace modules. A fork of a module of Kubernetes is ErrUnsupported: its source says which
// release it is, and nobody else reads that.
func (in *inputs) addReplaces(dir string, replaces []*modfile.Replace) error {
	for _, replace := range replaces {
		switch {
		case replace.New.Version == "":
			in.roots = append(in.roots, absolute(dir, replace.New.Path))
		case strings.HasPrefix(replace.Old.Path, "k8s.io/"):
			return ErrUnsupported
		}
	}
	return nil
}

func (in *inputs) addWorkspace(name string) error {
	in.singles = append(in.singles, name, name+".sum")
	data, err := regular.ReadFile(name)
	if err != nil {
		return err
	}
	file, err := modfile.ParseWork(name, data, nil)
	if err != nil {
		return err
	}
	dir := filepath.Dir(name)
	for _, use := range file.Use {
		if err := in.addModule(absolute(dir, use.Path)); err != nil {
			return err
		}
	}
	in.roots = append(in.roots, filepath.Join(dir, "vendor"))
	return in.addReplaces(dir, file.Replace)
}

// addGo adds the go command and its configuration file, see go help environment.
func (in *inputs) addGo() error {
	command, err := exec.LookPath("go")
	if err != nil {
		return err
	}
	if command, err = filepath.Abs(command); err != nil {
		return err
	}
	resolved, err := filepath.EvalSymlinks(command)
	if err != nil {
		return err
	}
	configs := []string{filepath.Join(filepath.Dir(filepath.Dir(resolved)), "go.env")}
	switch config := os.Getenv("GOENV"); config {
	case "off":
	case "":
		dir, err := os.UserConfigDir()
		if err != nil {
			return err
		}
		configs = append(configs, filepath.Join(dir, "go", "env"))
	default:
		configs = append(configs, config)
	}
	for _, name := range configs {
		content, err := regular.ReadFile(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if text := string(content); redirects(text) || strings.Contains(text, "GOWORK") {
			return ErrUnsupported
		}
	}
	in.singles = append(append(in.singles, command), configs...)
	for _, compiler := range []string{"gcc", "clang", os.Getenv("CC")} { // which decide about cgo
		if name, err := exec.LookPath(compiler); err == nil && filepath.IsAbs(name) {
			in.singles = append(in.singles, name)
		}
	}
	return nil
}

func absolute(dir, name string) string {
	name = filepath.FromSlash(name)
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, name)
}

// outermost returns the directories that lie in no other.
func outermost(dirs []string) (roots []string) {
	slices.Sort(dirs)
	for _, dir := range slices.Compact(dirs) {
		if !slices.ContainsFunc(roots, func(root string) bool { return within(root, dir) }) {
			roots = append(roots, dir)
		}
	}
	return roots
}

func within(root, name string) bool {
	return name == root || strings.HasPrefix(name, strings.TrimSuffix(root, string(filepath.Separator))+string(filepath.Separator))
}

// Holds reports whether all files below a directory are recorded.
func (s *Snapshot) Holds(dir string) bool {
	return slices.ContainsFunc(s.Roots, func(root string) bool {
		rel, err := filepath.Rel(root, dir)
		return err == nil && filepath.IsLocal(rel) && !slices.Contains(strings.Split(rel, string(filepath.Separator)), passedOver)
	})
}

// AddFlats records the files in directories that nobody is expected to change, such as those of the module cache. They were read
// after the snapshot was taken, so it is ErrUnsupported if one has changed since then.
func (s *Snapshot) AddFlats(dirs []string) error {
	if err := s.addFlats(dirs); err != nil {
		return err
	}
	for name, file := range s.Files {
		if file.young(s.Taken) && slices.Contains(dirs, filepath.Dir(name)) {
			return ErrUnsupported
		}
	}
	return nil
}
