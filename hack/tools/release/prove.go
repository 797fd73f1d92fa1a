package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// user is a user in the directory of a module.
type user struct {
	dir, version string
	env          []string
}

// newUser returns a user in a new empty directory.
func (r *release) newUser(ctx context.Context) (user, error) {
	env, err := r.userEnv(ctx)
	if err != nil {
		return user{}, err
	}
	dir, err := os.MkdirTemp(r.work, "module-")
	return user{dir, r.version, env}, err
}

// run runs lines of a shell, and returns what they print.
func (u user) run(ctx context.Context, lines ...string) (string, error) {
	return command(ctx, u.dir, u.env, "sh", "-ec", strings.Join(lines, "\n"))
}

// write writes a file in a directory that may not exist yet.
func (u user) write(name, text string) error {
	name = filepath.Join(u.dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(text), 0o666)
}

// block matches a code block of a page.
var block = regexp.MustCompile("(?s)\n```go\n(.*?\n)```\n")

// proveExample installs the commands, and follows README's first example up to the scaffold with commands as they are printed.
func (r *release) proveExample(ctx context.Context) error {
	u, err := r.newUser(ctx)
	if err != nil {
		return err
	}
	readme, err := os.ReadFile(filepath.Join(string(r.clone()), "README.md"))
	if err != nil {
		return err
	}
	blocks := block.FindAllStringSubmatch(string(readme), -1)
	if len(blocks) < 2 {
		return errors.New("README.md: no example")
	}
	version, err := u.run(ctx, "go install "+rootModule+"/cmd/informer-gen-lite@"+r.version,
		"go install "+rootModule+"/cmd/cachemutation@"+r.version, "informer-gen-lite version", "go mod init example.com/shop")
	if err != nil {
		return err
	}
	if want := "informer-gen-lite " + r.version + " "; !strings.HasPrefix(version, want) {
		return fmt.Errorf("informer-gen-lite version printed %q, not %q", version, want)
	}
	if err := errors.Join(u.write("apis/fleet/v1/types.go", blocks[0][1]), u.write("main.go", blocks[1][1])); err != nil {
		return err
	}
	if err := u.follow(ctx, "informer-gen-lite ./..."); err != nil {
		return err
	}
	if printed, err := u.run(ctx, "go run ."); err != nil || printed != "added arm-1" {
		return errors.Join(err, fmt.Errorf("README's first example printed %q", printed))
	}
	if err := u.follow(ctx, "informer-gen-lite scaffold Robot"); err != nil {
		return err
	}
	if _, err := u.run(ctx, "go vet ./..."); err != nil {
		return err
	}
	return u.checkVersions(ctx)
}

// follow runs a command, and the commands that it prints up to those for a cluster.
func (u user) follow(ctx context.Context, line string) error {
	printed, err := u.run(ctx, line)
	if err != nil {
		return err
	}
	for line := range strings.Lines(printed) {
		step, isStep := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "\t")
		if !isStep {
			continue
		}
		if strings.HasPrefix(step, "kubectl ") {
			break
		}
		for word := range strings.FieldsSeq(step) {
			if module, version, _ := strings.Cut(word, "@"); isOurs(module) && version != u.version {
				return fmt.Errorf("%q names another version than %s", step, u.version)
			}
		}
		// The tests of the scaffold run elsewhere: it is enough that they compile.
		if _, err := u.run(ctx, strings.ReplaceAll(step, "go test", "go vet")); err != nil {
			return err
		}
	}
	if !strings.Contains(printed, rootModule+"/runtime@"+u.version) {
		return fmt.Errorf("%s printed no go get line for %s/runtime@%s:\n%s", line, rootModule, u.version, printed)
	}
	return nil
}

// checkVersions checks that a module uses all others of this repository at one version, and replaces none of them.
func (u user) checkVersions(ctx context.Context) error {
	list, err := u.run(ctx, `go list -m -f '{{.Path}} {{.Version}}{{with .Replace}} replaced{{end}}' all`)
	if err != nil {
		return err
	}
	for line := range strings.Lines(list) {
		path, version, _ := strings.Cut(strings.TrimSpace(line), " ")
		if isOurs(path) && version != u.version {
			return fmt.Errorf("go list -m all in a module that requires %s has %s", u.version, line)
		}
	}
	return nil
}

// proveModules requires each published module in an empty one, and imports all its packages there.
func (r *release) proveModules(ctx context.Context) error {
	for _, m := range r.modules {
		u, err := r.newUser(ctx)
		if err != nil {
			return err
		}
		list, err := command(ctx, filepath.Join(string(r.clone()), m.dir), []string{"GOWORK=off"}, "go", "list", "-f",
			`{{if ne .Name "main"}}{{.ImportPath}}{{end}}`, "./...")
		if err != nil {
			return err
		}
		imports := []string{}
		for path := range strings.FieldsSeq(list) {
			if !slices.Contains(strings.Split(path, "/"), "internal") && !strings.HasPrefix(path, rootModule+"/test/") {
				imports = append(imports, fmt.Sprintf("import _ %q\n", path))
			}
		}
		if err := u.write("user.go", "package user\n\n"+strings.Join(imports, "")); err != nil {
			return err
		}
		if _, err := u.run(ctx, "go mod init example.com/user", "go get "+m.path+"@"+r.version, "go get ./...", "go vet ./..."); err != nil {
			return err
		}
		if err := u.checkVersions(ctx); err != nil {
			return err
		}
	}
	return nil
}
