// Command licenses checks that every module that a program or package is built from has an allowed license:
//
//	go run . [-module DIR] PACKAGE...
//
// It prints each module with its licenses, and fails if a module has no license or one that is not allowed.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// allowed are the SPDX identifiers of licenses whose only condition is to pass them on.
var allowed = []string{"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT"}

// certain is the minimum percentage of a file that must be text of known licenses.
const certain = 75

// licenseFile matches the names of files with licenses.
var licenseFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying)`)

func main() {
	dir := flag.String("module", ".", "`directory` of the module")
	flag.Parse()
	if err := check(*dir, flag.Args(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "licenses:", err)
		os.Exit(1) //nolint:forbidigo // this is the main function
	}
}

// module is the go command's description of a module.
type module struct {
	Path, Dir string
	Main      bool
}

func check(dir string, packages []string, out io.Writer) error {
	modules, err := modulesOf(dir, packages)
	if err != nil {
		return err
	}
	var problems []error
	for _, m := range modules {
		licenses, err := licensesIn(m.Dir)
		if err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", m.Path, err))
			continue
		}
		fmt.Fprintln(out, m.Path, strings.Join(licenses, ", "))
		for _, license := range licenses {
			if !slices.Contains(allowed, license) {
				problems = append(problems, fmt.Errorf("%s: license %s is not one of %s", m.Path, license, strings.Join(allowed, ", ")))
			}
		}
	}
	return errors.Join(problems...)
}

// modulesOf returns the modules that packages are built from, except the main module, in the order of their paths.
func modulesOf(dir string, packages []string) ([]module, error) {
	cmd := exec.CommandContext(context.Background(), "go", append([]string{"list", "-deps", "-json=Module"}, packages...)...)
	cmd.Dir = dir
	cmd.Stderr = os.Stderr
	listed, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var modules []module
	for decoder := json.NewDecoder(bytes.NewReader(listed)); decoder.More(); {
		var pkg struct{ Module *module }
		if err := decoder.Decode(&pkg); err != nil {
			return nil, err
		}
		if m := pkg.Module; m != nil && !m.Main && !slices.Contains(modules, *m) {
			modules = append(modules, *m)
		}
	}
	slices.SortFunc(modules, func(a, b module) int { return strings.Compare(a.Path, b.Path) })
	return modules, nil
}

// licensesIn returns the licenses in the license files of a directory, in alphabetical order.
func licensesIn(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var found []string
	for _, entry := range entries {
		if entry.IsDir() || !licenseFile.MatchString(entry.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			return nil, err
		}
		coverage := licensecheck.Scan(text)
		if coverage.Percent < certain {
			return nil, fmt.Errorf("%s is not a license that is known: %.0f %% of it is", entry.Name(), coverage.Percent)
		}
		for _, match := range coverage.Match {
			found = append(found, match.ID)
		}
	}
	if len(found) == 0 {
		return nil, errors.New("no file with a license")
	}
	slices.Sort(found)
	return slices.Compact(found), nil
}
