package script

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lazy"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/controllergen"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/script/shell"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/script/tools"
)

// command translates the call of a known generator, no matter how it is started. It ignores other commands, except for commands that copy
// the repository.
func (t *translator) command(e *entry, c shell.Command) {
	args := tools.Unwrap(c.Args)
	if len(args) == 0 {
		return
	}
	c.Args = args[1:]
	call := &toolCall{
		Command: c, name: t.tools.Name(args[0]), flags: map[string][]shell.Argument{}, products: t.products, repo: t.repo, diags: &e.diags,
	}
	if call.name == "informer-gen-lite" {
		e.others.AddHint(c.Pos, "keep its configuration, which has what this call generates", "the script calls informer-gen-lite already")
		return
	}
	if what, ok := tools.Others[call.name]; ok {
		hint := tools.Keep
		if strings.Contains(call.name, "openapi") {
			hint += ", unless only --applyconfig-openapi-schema reads its output"
		}
		e.others.AddHint(c.Pos, hint, "%s is not translated: informer-gen-lite does not generate %s", call.name, what)
		return
	}
	if isForeign(call.name) && !t.tools.IsTool(call.name) {
		call.diags.AddHint(c.Pos, tools.Keep, "%s is not translated: it is not a function of kube_codegen.sh", call.name)
		call.diags = &diag.List{}
		call.name = "kube::codegen::" + call.name[strings.LastIndex(call.name, ":")+1:]
		if p := call.translate(); p != nil && call.name != "kube::codegen::gen_client" {
			p.Stays = true
			e.pieces = append(e.pieces, p)
		}
		return
	}
	if call.copies() || call.container(t, e) || call.finds(t, e) || !t.tools.IsTool(call.name) {
		return
	}
	// Calls and their arguments are compared with each other later.
	if !t.limits.Count(callSteps+len(args)*len(args)/callSteps, 0) {
		return
	}
	if call.name == controllergen.Name {
		e.pieces = append(e.pieces, call.controllerGen(&e.others)...)
	} else if p := call.translate(); p != nil {
		e.pieces = append(e.pieces, p)
	}
}

// callSteps is the cost of a generator call, in steps of the limits.
const callSteps = 64

// isForeign reports whether a name is a function of a script that is modeled on kube_codegen.sh.
func isForeign(name string) bool {
	_, function, ok := strings.Cut(name, "::codegen::")
	return ok && slices.Contains([]string{"gen_client", "gen_register", "gen_helpers"}, function)
}

// copies records a copy of the repository.
func (c *toolCall) copies() bool {
	isWord := func(arg shell.Argument) bool { return arg.Unknown == "" && !strings.HasPrefix(arg.Text, "-") }
	words := lists.Map(lists.Filter(c.Args, isWord), func(arg shell.Argument) string { return arg.Text })
	switch {
	case c.name == "git" && len(words) > 0 && words[0] == "clone":
		words = words[1:]
	case c.name == "git" && len(words) > 1 && words[0] == "worktree" && words[1] == "add":
		words = append([]string{c.repo.Root}, words[2:]...)
	case c.name == "cp" || c.name == "rsync" || c.name == "ln" || c.name == "mv":
	default:
		return false
	}
	if len(words) < 2 {
		return true
	}
	to := c.path(words[len(words)-1])
	if c.repo.Written(c.repo.Home(to), false, []string{c.absolute(words[0])}); c.name == "mv" {
		return true
	}
	for _, from := range words[:len(words)-1] {
		// A copy into a directory has its old name there, unless the contents of a directory are copied, or the copy has a new name.
		from = c.path(from)
		inside := filepath.Join(to, filepath.Base(from))
		if c.repo.Within(from) && !c.repo.Within(to) {
			c.repo.Copied(from, inside)
			if c.name != "cp" || len(words) == 2 {
				c.repo.Copied(from, to)
			}
		}
	}
	return true
}

// written records that a script writes files into another file.
func (t *translator) written(c shell.Command) {
	var files []string
	for _, arg := range c.Args[1:] {
		if arg.Unknown == "" && arg.Text != "" {
			files = append(files, t.repo.Home(diag.Absolute(c.Dir, arg.Text)))
		}
	}
	if c.Args[1].Unknown == "" && len(files) > 0 {
		t.repo.Written(files[0], strings.HasPrefix(c.Args[0].Text, ">>"), files[1:])
	}
}

// path returns the absolute path of a copy's source or target.
func (c *toolCall) path(name string) string {
	return diag.Absolute(c.Dir, strings.TrimSuffix(strings.TrimSuffix(name, "/*"), "/."))
}

// container follows the command in a container: the arguments after the image, or the script of a shell. Volumes are treated as
// copies of the mounted directories.
func (c *toolCall) container(t *translator, e *entry) bool {
	if c.name != "docker" && c.name != "podman" && c.name != "nerdctl" && !strings.HasPrefix(c.name, "$") {
		return false
	}
	dir := c.Dir
	for i, arg := range c.Args {
		flag, value, hasValue := strings.Cut(arg.Text, "=")
		if !hasValue && i+1 < len(c.Args) {
			value = c.Args[i+1].Text
		}
		switch flag {
		case "-v", "--volume":
			if from, to, ok := strings.Cut(value, ":"); ok {
				to, _, _ = strings.Cut(to, ":")
				c.repo.Copied(c.path(from), filepath.Clean(to))
			}
		case "-w", "--workdir":
			dir = cmp.Or(c.repo.Home(value), dir)
		}
		if i == 0 && strings.HasPrefix(c.name, "$") {
			continue
		}
		var text string
		name := t.tools.Name(arg)
		switch {
		case (name == "sh" || name == "bash") && i+2 < len(c.Args) && commandFlag().MatchString(c.Args[i+1].Text):
			text = c.Args[i+2].Text
		case t.tools.IsTool(name) || strings.HasSuffix(name, ".sh") && !strings.Contains(arg.Text, ":"):
			text = quoted(c.Args[i:])
		default:
			continue
		}
		_ = t.script(e, []byte(text), shell.Config{Name: c.Pos.Filename, FirstLine: c.Pos.Line - 1, Dir: dir})
		return true
	}
	if i := slices.IndexFunc(c.Args, func(arg shell.Argument) bool { return strings.Contains(arg.Text, generatorImage) }); i >= 0 {
		c.diags.AddHint(c.Pos, "run informer-gen-lite init, and set packages and output-dir to what the container reads and writes",
			"the image %s is not translated", c.Args[i].Text)
	}
	return true
}

// finds follows the generator that find calls for each file or, with + at the end, once for all of them.
func (c *toolCall) finds(t *translator, e *entry) bool {
	if c.name != "find" {
		return false
	}
	isAction := func(arg shell.Argument) bool {
		return slices.Contains([]string{"-exec", "-execdir", "-ok", "-okdir"}, arg.Text)
	}
	first := slices.IndexFunc(c.Args, isAction)
	for i, arg := range c.Args {
		n := slices.IndexFunc(c.Args[i:], func(arg shell.Argument) bool { return arg.Text == ";" || arg.Text == "+" })
		if !isAction(arg) || n < 0 || !t.mention.MatchString(quoted(c.Args[i:i+n])) {
			continue
		}
		files, action := "$(find "+quoted(c.Args[:first])+")", quoted(c.Args[i+1:i+n])
		loop := strings.ReplaceAll(action, "'{}'", files)
		if c.Args[i+n].Text == ";" {
			file := `'"$FILE"'`
			if strings.HasSuffix(arg.Text, "dir") {
				action, file = `cd "$(dirname "$FILE")"; `+action, `./'"$(basename "$FILE")"'`
			}
			loop = "for FILE in " + files + "; do (" + strings.ReplaceAll(action, "{}", file) + "); done"
		}
		_ = t.script(e, []byte(loop), shell.Config{Name: c.Pos.Filename, FirstLine: c.Pos.Line - 1, Dir: c.Dir})
	}
	return true
}

// generatorImage is a part of the names of images that call code-generator by themselves.
const generatorImage = "kube-code-generator"

// quoted returns a script with one command. Unknown arguments remain as they are written.
func quoted(args []shell.Argument) string {
	words := make([]string, len(args))
	for i, arg := range args {
		words[i] = arg.Text
		if arg.Unknown == "" {
			words[i] = "'" + strings.ReplaceAll(arg.Text, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}

// commandFlag matches the flags of a shell, such as -ec, after which comes a script.
var commandFlag = lazy.Regexp(`^-.*c$`)
