package load

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
)

// listed is the part of the go command's answer about one package that is of use here.
type listed struct {
	// Dir is empty for a package that was not found; ImportPath is then the pattern.
	Dir, ImportPath string
	Name            string
	// GoFiles and CgoFiles are those for this platform. InvalidGoFiles have a broken package clause, or that of another
	// package.
	GoFiles, CgoFiles, InvalidGoFiles []string
	Module                            *Module
	// Match are the patterns that the package matches.
	Match []string
	Error *listError
}

type listError struct {
	Pos string
	Err string
}

// goList asks the go command which packages match the patterns. With -find it does not look at their imports: no
// dependency is resolved, and a tree that does not compile is no obstacle. The flags are those of modCopy.use.
func goList(ctx context.Context, cfg Config, flags ...string) ([]listed, error) {
	args := []string{"list", "-e", "-find", "-json=Dir,ImportPath,Name,GoFiles,CgoFiles,InvalidGoFiles,Module,Match,Error"}
	args = append(args, flags...)
	if len(cfg.BuildTags) > 0 {
		args = append(args, "-tags="+strings.Join(cfg.BuildTags, ","))
	}
	args = append(append(args, "--"), cfg.Patterns...)
	out, err := goCommand(ctx, cfg.Dir, args)
	if err != nil {
		return nil, err
	}
	var packages []listed
	for dec := json.NewDecoder(strings.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: unreadable answer: %w", err)
		}
		packages = append(packages, p)
	}
}

// goCommand runs the go command in a directory and returns what it prints. The error has what it says about itself.
func goCommand(ctx context.Context, dir string, args []string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", fmt.Errorf("go %s: %w", args[0], ctx.Err())
		}
		if errors.Is(err, exec.ErrNotFound) {
			return "", fmt.Errorf("the go command is needed to find packages, and is not on PATH: %w", err)
		}
		return "", fmt.Errorf("go %s: %s", args[0], cmp.Or(strings.TrimSpace(stderr.String()), err.Error()))
	}
	return stdout.String(), nil
}

// diagnose reports a package that the go command could not make sense of. A directory without Go files for this
// platform is not a problem, as patterns match such directories all the time. Errors within files are left to the parser.
func (p listed) diagnose(dir string, diags *diag.List) {
	switch {
	case p.Error == nil, p.withoutFiles(), p.Error.Pos != "" && len(p.GoFiles)+len(p.CgoFiles) > 0:
		return
	}
	message := strings.ReplaceAll(strings.TrimSpace(p.Error.Err), dir+string(filepath.Separator), "")
	diags.Add(parsePosition(dir, p.Error.Pos), "%s", message)
	if p.Dir == "" {
		(*diags)[len(*diags)-1].Subject = p.ImportPath
	}
}

// withoutFiles reports whether the directory of the package was found, but no Go files for this platform in it: none at
// all, or only ones that build constraints exclude. Packages that were not found have no directory.
func (p listed) withoutFiles() bool {
	return p.Dir != "" && len(p.GoFiles)+len(p.CgoFiles)+len(p.InvalidGoFiles) == 0
}

// parsePosition reads the file:line:col of the go command, which is relative to the directory it ran in.
func parsePosition(dir, s string) token.Position {
	parts := strings.Split(s, ":")
	if len(parts) < 3 {
		return token.Position{}
	}
	column, errColumn := strconv.Atoi(parts[len(parts)-1])
	line, errLine := strconv.Atoi(parts[len(parts)-2])
	if errColumn != nil || errLine != nil {
		return token.Position{}
	}
	name := strings.Join(parts[:len(parts)-2], ":")
	if !filepath.IsAbs(name) {
		name = filepath.Join(dir, name)
	}
	return token.Position{Filename: name, Line: line, Column: column}
}
