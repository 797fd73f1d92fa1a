package output

import (
	"bytes"
	"context"
	"fmt"
	"go/token"
	"os"
	"os/exec"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
)

// Ignored warns about written files that git ignores: they are missing in every other checkout, so that nothing compiles there or verify
// fails. Files of one pattern are one warning, at the first of them. At the first run, the configuration file counts, too, if there is one.
// Without git, or outside of a repository, there are no warnings.
func (p *Plan) Ignored(ctx context.Context, configuration string) diag.List {
	if len(p.Write) == 0 {
		return nil
	}
	var names bytes.Buffer
	if _, err := os.Stat(configuration); err == nil && p.scanned == nil {
		names.WriteString(configuration + "\x00")
	}
	for _, file := range p.Write {
		names.WriteString(fileName(p.root, file.Path) + "\x00")
	}
	cmd := exec.CommandContext(ctx, "git", "-C", p.root, "check-ignore", "--verbose", "-z", "--stdin")
	cmd.Stdin = &names
	answer, err := cmd.Output()
	if err != nil {
		return nil // it also fails if nothing is ignored
	}
	type pattern struct{ file, line, text string }
	var order []pattern
	ignored := map[pattern][]string{}
	for fields := strings.Split(string(answer), "\x00"); len(fields) >= 4; fields = fields[4:] {
		by := pattern{fields[0], fields[1], fields[2]}
		if ignored[by] == nil {
			order = append(order, by)
		}
		ignored[by] = append(ignored[by], fields[3])
	}
	var warnings diag.List
	for _, by := range order {
		names, others := ignored[by], ""
		if names[0] == configuration {
			warnings.Warn(token.Position{Filename: names[0]}, "check it in with git add --force",
				"git ignores this configuration, because of %s in %s:%s: without it, verify fails in other checkouts", by.text, by.file, by.line)
			names = names[1:]
		}
		if len(names) == 0 {
			continue
		}
		if n := len(names) - 1; n > 0 {
			others = fmt.Sprintf(" and %d more", n)
		}
		warnings.Warn(token.Position{Filename: names[0]},
			"check it in with git add --force, or do nothing if generated files are not checked in here",
			"git ignores this generated file%s, because of %s in %s:%s", others, by.text, by.file, by.line)
	}
	return warnings
}
