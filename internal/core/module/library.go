package module

import (
	"cmp"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
)

const (
	tool = "github.com/informer-gen-lite/informer-gen-lite"
	// Library is the module path of the run-time library.
	Library = tool + "/runtime"
	// LibraryMetrics is the module path of the library's metrics for Prometheus, in the folder metrics of the library.
	LibraryMetrics = Library + "/metrics"
	// TestServer is the module path of the API server for tests.
	TestServer = tool + "/apiservertest"
	// libraryClientGo is the version of k8s.io/client-go that the library requires. A test compares it with its go.mod.
	libraryClientGo = "v0.36.6"
	// LibraryPlaceholder replaces the directory of the library in commands if the build does not know it.
	LibraryPlaceholder = "DIR"
)

// LibrarySource is where modules get the run-time library that fits a build of this program: one of a version and a directory.
type LibrarySource struct {
	// Version is a version for go get (https://go.dev/ref/mod#version-queries); "" for a build from a clone, whose library is not in
	// any module proxy.
	Version string
	// Dir is the directory of the library in the clone; "" if the program was built with -trimpath, or the clone is gone.
	Dir string
}

// ThisLibrary returns the source of the library for this build.
var ThisLibrary = sync.OnceValue(func() LibrarySource {
	info, _ := debug.ReadBuildInfo()
	_, file, _, _ := runtime.Caller(0)
	return librarySource(info, file)
})

// librarySource returns the source of the library for a build. File is the name of this file in the build.
func librarySource(info *debug.BuildInfo, file string) LibrarySource {
	if version := versionIn(info); version != "" {
		if module.IsPseudoVersion(version) {
			// The library has tags of its own, so its pseudo-versions have other bases.
			version, _ = module.PseudoVersionRev(version)
		}
		return LibrarySource{Version: version}
	}
	dir := filepath.Join(filepath.Dir(file), "..", "..", "..", "runtime")
	if goMod, err := ReadFile(dir); !filepath.IsAbs(file) || err != nil || goMod.Module == nil || goMod.Module.Mod.Path != Library {
		return LibrarySource{}
	}
	return LibrarySource{Dir: dir}
}

// versionIn returns the version of this module that a program was built with; "" for a clone. The main module of a clone has a version
// too, from its repository, but no checksum.
func versionIn(info *debug.BuildInfo) string {
	if info == nil {
		return ""
	}
	version := ""
	if info.Main.Path == tool && info.Main.Sum != "" {
		version = info.Main.Version
	}
	for _, dependency := range info.Deps {
		if dependency.Path == tool {
			version = cmp.Or(dependency.Replace, dependency).Version
		}
	}
	if !semver.IsValid(version) || semver.Build(version) != "" {
		return ""
	}
	return version
}

// LacksLibrary reports whether the library provides any of the missing import paths.
func LacksLibrary(lacking []string) bool { return len(lackingOfLibrary(lacking)) > 0 }

// lackingOfLibrary returns the modules of the library that provide missing import paths.
func lackingOfLibrary(lacking []string) []string {
	return lists.Filter([]string{Library, LibraryMetrics}, func(modulePath string) bool {
		return slices.ContainsFunc(lacking, func(importPath string) bool { return MayHave(modulePath, importPath) })
	})
}

// Edit returns the arguments of the go command that makes a module use the library of a clone, before Get; nil if the library is not
// missing, or is in module proxies. The module gets all modules of the library: other files may import them, and go get cannot find them.
func Edit(lacking []string, library LibrarySource) []string {
	if library.Version != "" || !LacksLibrary(lacking) {
		return nil
	}
	args, dir := []string{"mod", "edit"}, cmp.Or(library.Dir, LibraryPlaceholder)
	for _, modulePath := range []string{Library, LibraryMetrics} {
		args = append(args, "-require="+modulePath+"@v0.0.0", "-replace="+modulePath+"="+dir+strings.TrimPrefix(modulePath, Library))
	}
	return args
}

// Quote returns a word for a POSIX shell.
func Quote(word string) string {
	plain := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-_=+:,./@%", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
