package module

import (
	"cmp"
	"errors"
	"fmt"
	"go/build"
	"go/version"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/regular"
)

// environment is the environment of the go command (go help environment).
type environment struct {
	goRoot, goVersion string
	goos, goarch      string
	modCache          string
	// workFile is the value of GOWORK, modMode the value of -mod in GOFLAGS.
	workFile, modMode string
}

// readEnvironment returns the environment of the go command on PATH. It returns an error if the configuration may change the go
// command's behavior in a way that this package does not know.
func readEnvironment() (*environment, error) {
	goRoot, goVersion, err := installation()
	if err != nil {
		return nil, err
	}
	get, err := settings(goRoot)
	if err != nil {
		return nil, err
	}
	e := &environment{
		goRoot: goRoot, goVersion: goVersion, workFile: get("GOWORK"),
		goos: cmp.Or(get("GOOS"), runtime.GOOS), goarch: cmp.Or(get("GOARCH"), runtime.GOARCH),
	}
	if e.modMode, err = modMode(get("GOFLAGS")); err != nil {
		return nil, err
	}
	if mode := get("GO111MODULE"); mode != "" && mode != "on" {
		return nil, fmt.Errorf("GO111MODULE is %s", mode)
	}
	if root := get("GOROOT"); root != "" && filepath.Clean(root) != goRoot {
		return nil, errors.New("GOROOT belongs to another installation")
	}
	if choice, _, _ := strings.Cut(get("GOTOOLCHAIN"), "+"); !slices.Contains([]string{"", "local", "auto", "path", goVersion}, choice) {
		return nil, fmt.Errorf("GOTOOLCHAIN is %s", choice)
	}
	e.modCache, err = cacheDir(get)
	return e, err
}

// CacheDir returns the module cache of the go command on PATH; "" if it cannot be determined.
func CacheDir() string {
	goRoot, _, _ := installation() // without Go, the user's configuration counts
	get, err := settings(goRoot)
	if err != nil {
		return ""
	}
	dir, err := cacheDir(get)
	if err != nil {
		return ""
	}
	return dir
}

// cacheDir returns the module cache that settings determine.
func cacheDir(get func(name string) string) (string, error) {
	if dir := get("GOMODCACHE"); dir != "" {
		return dir, nil
	}
	if goPath := filepath.SplitList(get("GOPATH")); len(goPath) > 0 {
		return filepath.Join(goPath[0], "pkg", "mod"), nil
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, "go", "pkg", "mod"), err
}

// installation returns the directory and version of the Go installation that the go command on PATH belongs to. Wrappers of the
// go command are elsewhere.
func installation() (root, goVersion string, err error) {
	command, err := exec.LookPath("go")
	if err == nil {
		command, err = filepath.Abs(command)
	}
	if err == nil {
		command, err = filepath.EvalSymlinks(command)
	}
	if err != nil {
		return "", "", err
	}
	root = filepath.Dir(filepath.Dir(command))
	text, err := os.ReadFile(filepath.Join(root, "VERSION"))
	if err != nil {
		return "", "", err
	}
	goVersion, _, _ = strings.Cut(string(text), "\n")
	if !version.IsValid(goVersion) {
		return "", "", fmt.Errorf("%q is no release of Go", goVersion)
	}
	// This program may have been built for another platform than the go command, which defaults to its own.
	_, err = os.Stat(filepath.Join(root, "pkg", "tool", runtime.GOOS+"_"+runtime.GOARCH))
	return root, goVersion, err
}

// settings returns a function for the variables of the environment, with the go command's configuration as a fallback: the user's first,
// then the installation's.
func settings(goRoot string) (get func(name string) string, err error) {
	files := []string{filepath.Join(goRoot, "go.env")}
	switch name := os.Getenv("GOENV"); name {
	case "off":
	case "":
		if dir, err := os.UserConfigDir(); err == nil {
			files = append(files, filepath.Join(dir, "go", "env"))
		}
	default:
		files = append(files, name)
	}
	configured := map[string]string{}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for line := range strings.Lines(string(text)) {
			if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok && !strings.HasPrefix(name, "#") {
				configured[name] = value
			}
		}
	}
	return func(name string) string { return cmp.Or(os.Getenv(name), configured[name]) }, nil
}

// harmless are flags in GOFLAGS that do not affect which packages exist. The effect of -race on build constraints is handled in readFiles.
var harmless = []string{"buildvcs", "trimpath", "modcacherw", "race", "v", "x", "p", "ldflags", "gcflags", "asmflags", "count", "timeout"}

// modMode returns the value of -mod in GOFLAGS.
func modMode(flags string) (mode string, err error) {
	for flag := range strings.FieldsSeq(flags) {
		name, value, _ := strings.Cut(strings.TrimLeft(flag, "-"), "=")
		switch {
		case name == "mod":
			mode = value
		case !slices.Contains(harmless, name) || strings.ContainsAny(value, `"'`):
			return "", fmt.Errorf("GOFLAGS has %s", flag)
		}
	}
	return mode, nil
}

// constraints returns the build context that decides which files belong to packages.
func (e *environment) constraints(tags []string) (*build.Context, error) {
	release, err := strconv.Atoi(strings.TrimPrefix(version.Lang(e.goVersion), "go1."))
	if err != nil {
		return nil, err
	}
	// GOROOT and GOPATH only affect import paths, which are known.
	c := &build.Context{GOOS: e.goos, GOARCH: e.goarch, Compiler: "gc", CgoEnabled: true, BuildTags: tags, OpenFile: regular.Open}
	for minor := range release {
		c.ReleaseTags = append(c.ReleaseTags, fmt.Sprintf("go1.%d", minor+1))
	}
	return c, nil
}

// runs returns an error if the installed go command does not handle a module or workspace with these lines itself: it switches to
// a newer toolchain, or refuses.
func (e *environment) runs(goLine *modfile.Go, toolchain *modfile.Toolchain) error {
	all := []string{"go" + goLine.Version}
	if toolchain != nil && toolchain.Name != "default" {
		all = append(all, toolchain.Name)
	}
	for _, wanted := range all {
		if !version.IsValid(wanted) || version.Compare(wanted, e.goVersion) > 0 {
			return fmt.Errorf("%s is asked for", wanted)
		}
	}
	return nil
}
