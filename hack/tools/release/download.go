package main

import (
	"archive/zip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const (
	// maxFile and maxZip limit what a module has. Larger files are usually added by mistake.
	maxFile = 256 << 10
	maxZip  = 4 << 20
)

// tagged is the module cache that has the modules from the tags. Its download directory is also a module proxy.
func (r *release) tagged() string { return filepath.Join(r.work, "tagged") }

// download lets the go command make the modules from the tags of the clone, as a module proxy does from those of the hosted repository.
func (r *release) download(ctx context.Context) error {
	env := []string{
		"GOMODCACHE=" + r.tagged(), "GOPROXY=direct", "GONOSUMDB=" + rootModule, "GOWORK=off", "GOFLAGS=-modcacherw",
		// Git reads the hosted repository from the clone.
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_VALUE_0=https://" + rootModule,
		"GIT_CONFIG_KEY_0=url.file://" + filepath.ToSlash(string(r.clone())) + ".insteadOf",
	}
	var problems []error
	for _, m := range r.modules {
		text, err := command(ctx, r.work, env, "go", "mod", "download", "-json", m.path+"@"+r.version)
		if err != nil {
			return err
		}
		var downloaded struct{ Zip, Sum, GoModSum string }
		if err := json.Unmarshal([]byte(text), &downloaded); err != nil {
			return err
		}
		m.zip, m.sum, m.goModSum = downloaded.Zip, downloaded.Sum, downloaded.GoModSum
		problems = append(problems, m.checkZip())
	}
	return errors.Join(problems...)
}

// checkZip checks what users of a module get.
func (m *module) checkZip() error {
	info, err := os.Stat(m.zip)
	if err != nil {
		return err
	}
	archive, err := zip.OpenReader(m.zip)
	if err != nil {
		return err
	}
	defer func() { _ = archive.Close() }()
	m.size = info.Size()
	problems := []error{fmt.Errorf("%s has no LICENSE", m.path)}
	for _, file := range archive.File {
		_, inVersion, _ := strings.Cut(strings.TrimPrefix(file.Name, m.path), "/")
		if inVersion == "LICENSE" {
			problems[0] = nil
		}
		if file.UncompressedSize64 > maxFile {
			problems = append(problems, fmt.Errorf("%s has %d bytes, more than %d", file.Name, file.UncompressedSize64, maxFile))
		}
	}
	if m.size > maxZip {
		problems = append(problems, fmt.Errorf("the zip file of %s has %d bytes, more than %d", m.path, m.size, maxZip))
	}
	return errors.Join(problems...)
}

// userEnv returns the environment of a user who gets the modules from a proxy. All other modules come from where they usually do, or from
// the module cache. Paths are trimmed so that builds share the build cache with those of other runs.
func (r *release) userEnv(ctx context.Context) ([]string, error) {
	text, err := command(ctx, r.work, nil, "go", "env", "-json", "GOPROXY", "GOMODCACHE", "GONOSUMDB", "GOFLAGS")
	if err != nil {
		return nil, err
	}
	var usual struct{ GOPROXY, GOMODCACHE, GONOSUMDB, GOFLAGS string }
	if err := json.Unmarshal([]byte(text), &usual); err != nil {
		return nil, err
	}
	proxies := []string{}
	for _, cache := range []string{r.tagged(), usual.GOMODCACHE} {
		proxies = append(proxies, "file://"+filepath.ToSlash(filepath.Join(cache, "cache", "download")))
	}
	return []string{
		"GOPROXY=" + strings.Join(append(proxies, usual.GOPROXY), ","),
		"GOMODCACHE=" + filepath.Join(r.work, "user"),
		"GONOSUMDB=" + strings.TrimPrefix(usual.GONOSUMDB+","+rootModule, ","),
		"GOFLAGS=" + strings.TrimSpace(usual.GOFLAGS+" -modcacherw -trimpath"),
		"GOWORK=", "GOBIN=" + r.bin(),
		"PATH=" + r.bin() + string(filepath.ListSeparator) + os.Getenv("PATH"),
	}, nil
}

// bin is the directory in which the user installs commands.
func (r *release) bin() string { return filepath.Join(r.work, "bin") }
