package shell

import (
	"context"
	"fmt"
	"go/token"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
)

// running is a command that is being run.
type running struct {
	interp.HandlerContext
	ctx  context.Context
	s    *script
	args []string
}

// captured reports whether something uses the output of a command.
func (c running) captured() bool { return c.Stdout != io.Discard }

// print prints to the output of a command.
func (c running) print(text string) error {
	if !c.s.limits.Text(len(text)) {
		return c.s.limits.Err()
	}
	_, err := io.WriteString(c.Stdout, text)
	return err
}

// input returns the standard input of a command.
func (c running) input() string {
	if c.Stdin == nil {
		return ""
	}
	input, err := io.ReadAll(io.LimitReader(c.Stdin, MaxValue))
	if err != nil || !c.s.limits.Text(len(input)) {
		return ""
	}
	return string(input)
}

// call gets each command before it runs, and returns what the interpreter is to run.
func (s *script) call(ctx context.Context, args []string) ([]string, error) {
	if strings.HasPrefix(args[0], specialName) {
		return args, nil
	}
	if pos := interp.HandlerCtx(ctx).Pos; pos.Line() > 1 {
		s.limits.At(s.at(pos))
	}
	size := 0
	for i := range args {
		if size += len(args[i]); size > MaxValue {
			args[i] = s.mark("…", tooLong)
		}
	}
	if !s.limits.Step(1) || !s.limits.Text(min(size, MaxValue)) {
		return nil, s.limits.Err()
	}
	for len(args) > 1 && slices.Contains([]string{"command", "builtin", "exec"}, args[0]) && !strings.HasPrefix(args[1], "-") {
		args = args[1:]
	}
	return s.builtin(args[0], args[1:]), nil
}

// builtin returns a command without what the interpreter does not know or must not do. What is neither a builtin nor a function
// goes to exec.
func (s *script) builtin(name string, args []string) []string {
	command := slices.Concat([]string{name}, args)
	nothing := []string{"true"}
	switch name {
	case ":", "true", "false", "echo", "mapfile", "readarray", "popd":
		return command
	case "exit", "return", "break", "continue", "trap", "exec", "wait", "shopt", "getopts", "umask", "alias", "unalias", "times":
		return nothing
	case "pwd":
		return command[:1]
	case "[", "test":
		if len(args) > 1 && len(args) <= 4 && comparesStrings(args[0], args[1]) {
			return command
		}
	case "printf": // widths may be large
		plain := strings.NewReplacer("%%", "", "%s", "", "%d", "", "%b", "")
		if len(args) > 0 && !strings.Contains(plain.Replace(args[0]), "%") && len(args[0])*len(args) <= MaxOutput {
			command[1] = strings.ReplaceAll(args[0], `\0`, `\n`)
			return command
		}
	case "cd", "pushd":
		args = slices.DeleteFunc(args, func(arg string) bool { return arg != "-" && strings.HasPrefix(arg, "-") })
		if len(args) > 0 && args[0] != "" && s.argument(args[0]).Unknown == "" {
			return []string{name, args[0]}
		}
		return []string{name, "."}
	case "shift":
		if _, err := strconv.ParseUint(strings.Join(args, ""), 10, 16); s.perhaps > 0 || len(args) > 0 && err != nil {
			return nothing
		}
		return command
	case "set":
		if i := slices.Index(args, "--"); i >= 0 {
			return slices.Concat([]string{"set", "--"}, args[i+1:])
		}
		return nothing
	case "unset":
		return slices.DeleteFunc(command, func(arg string) bool { return strings.Contains(arg, "[") })
	case "read":
		return readable(args)
	}
	switch {
	case interp.IsBuiltin(name) || s.config.Surroundings.Opaque(name):
		command[0] = externalName + name
	case slices.Contains(s.active, name):
		return nothing
	}
	s.called[name] = true
	return command
}

// readable returns a call of read without the flags that the interpreter does not know.
func readable(args []string) []string {
	known := []string{"read", "-r"}
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case slices.Contains([]string{"-d", "-p", "-u", "-n", "-N", "-t", "-i"}, arg):
			i++
		case arg == "-a" || !strings.HasPrefix(arg, "-"):
			known = append(known, arg)
		}
	}
	return known
}

// exec gets the commands that are neither builtins nor functions.
func (s *script) exec(ctx context.Context, args []string) error {
	c := running{interp.HandlerCtx(ctx), ctx, s, args[1:]}
	if number, ok := strings.CutPrefix(args[0], specialName); ok {
		n, err := strconv.Atoi(number)
		if err == nil && n >= 0 && n < len(s.specials) && s.limits.Step(1) {
			return s.specials[n](c)
		}
		return s.limits.Err()
	}
	c.args = slices.Concat([]string{strings.TrimPrefix(args[0], externalName)}, args[1:])
	return s.program(c)
}

// program follows a script, prints what a program that only reads prints, or passes a command on.
func (s *script) program(c running) error {
	if followed, err := s.callScript(c); followed || err != nil {
		return err
	}
	if c.args[0] == "xargs" {
		return s.xargs(c)
	}
	args, all := make([]Argument, len(c.args)), s.argument(strings.Join(c.args, " "))
	for i, arg := range c.args {
		args[i] = s.argument(arg)
	}
	if c.captured() {
		source, unknown := "$("+all.Text+")", all.Unknown
		out, ok, input := "", false, ""
		if unknown == "" {
			out, ok = s.config.Surroundings.Output(c.Dir, c.args, func() string {
				input = c.input()
				return input
			})
			unknown = s.argument(input).Unknown
		}
		switch {
		case unknown != "":
			out = s.mark(source, unknown)
		case !ok:
			out = s.mark(source, all.Text+onlyAtRunTime)
		case len(out) > MaxValue:
			out = s.mark(source, tooLong)
		case out == "":
			return interp.ExitStatus(1) // so that || has an alternative
		}
		if err := c.print(out); err != nil || ok {
			return err
		}
	}
	s.config.Handle(Command{Pos: s.limits.Pos(), Args: args, Dir: c.Dir})
	return s.limits.Err()
}

// callCost is the cost of a command that xargs calls, in steps: its text is parsed.
const callCost = 3

// xargs calls a command once, or once for each word of its input.
func (s *script) xargs(c running) error {
	args, one, placeholder := c.args[1:], false, ""
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		flag, value := args[0][:min(2, len(args[0]))], args[0][min(2, len(args[0])):]
		args = args[1:]
		if value == "" && strings.Contains("-n -I -L -P -d", flag) && len(args) > 0 {
			value, args = args[0], args[1:]
		}
		if flag == "-I" {
			placeholder = value
		}
		one = one || flag == "-I" || value == "1" && (flag == "-n" || flag == "-L")
	}
	if len(args) == 0 {
		args = []string{"echo"}
	}
	input := strings.Fields(c.input())
	groups := [][]string{input}
	if one {
		groups = slices.Collect(slices.Chunk(input, 1))
	}
	for _, group := range groups {
		if !s.limits.Step(callCost) {
			break
		}
		command := quote(slices.Concat(args, group)...)
		if placeholder != "" {
			command = strings.ReplaceAll(quote(args...), placeholder, group[0])
		}
		if _ = c.Builtin(c.ctx, []string{"eval", command}); s.limits.Err() != nil {
			break
		}
	}
	return s.limits.Err()
}

// assigned checks a variable after its assignment: it is unknown if it is too long or has an unknown part, and keeps its old value
// if that is known and the assignment only may happen.
func (s *script) assigned(c running, name string, old expand.Variable) error {
	v := c.Env.Get(name)
	all := v.Str + strings.Join(v.List, " ")
	unknown := s.argument(all).Unknown
	switch {
	case !s.limits.Text(len(all)):
		return s.limits.Err()
	case len(all) > MaxValue || len(v.List) > maxElements:
		unknown = tooLong
	case s.perhaps > 0 && old.Kind != 0 && old.String() != "" && old.String() != v.String() && s.argument(old.String()).Unknown == "":
		if unknown == "" {
			s.ambiguous[name] = diag.Diagnostic{
				Pos: s.limits.Pos(), Message: fmt.Sprintf("%s depends on a condition: using %q, not %q", name, old.String(), v.String()),
			}
		}
		unknown = ""
		v = old
	case unknown == "":
		return nil
	}
	if unknown != "" {
		if !strings.Contains(unknown, "$"+name+" ") && len(unknown) < maxReason {
			unknown = "$" + name + " comes from " + unknown
		}
		v.Str = s.mark("$"+name, unknown)
		v.List = []string{v.Str}
	}
	value := quote(v.Str)
	if v.Kind == expand.Indexed {
		value = "(" + quote(v.List...) + ")"
	}
	return c.Builtin(c.ctx, []string{"eval", name + "=" + value})
}

// quote quotes words for the shell.
func quote(words ...string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return strings.Join(quoted, " ")
}

// load puts what source or eval follows into a block, which runs next.
func (s *script) load(c running, pos token.Position, isText bool, late *syntax.Block) error {
	late.Stmts = nil
	if len(c.args) == 0 {
		return nil
	}
	from := source{name: pos.Filename, firstLine: pos.Line - 1}
	text := []byte(s.argument(strings.Join(c.args, " ")).Text)
	var before []*syntax.Stmt
	if !isText {
		from = source{name: absolute(c.Dir, c.args[0])}
		var ok bool
		if text, ok = s.config.Surroundings.Script(from.name); !ok || slices.Contains(s.files, from.name) {
			return nil
		}
		if len(c.args) > 1 {
			before = []*syntax.Stmt{command(slices.Concat([]string{"set", "--"}, c.args[1:])...)}
		}
	}
	stmts, err := s.within(from, text)
	s.files = append(s.files, from.name)
	leave := (&rewriter{s: s}).special(func(running) error {
		s.files = s.files[:len(s.files)-1]
		return nil
	})
	late.Stmts = slices.Concat(before, stmts, []*syntax.Stmt{leave})
	return err
}

// within parses a text that the script calls. Syntax errors in it are ignored.
func (s *script) within(from source, text []byte) ([]*syntax.Stmt, error) {
	if len(s.files) > maxScripts {
		s.limits.Exceeded("%d nested scripts", maxScripts)
		return nil, s.limits.Err()
	}
	stmts, err := s.parse(text, from)
	if err != nil {
		return nil, s.limits.Err()
	}
	return stmts, nil
}

// callScript follows a script in a separate shell, with or without naming the shell, and the text of -c.
func (s *script) callScript(c running) (followed bool, err error) {
	args := c.args
	if name := filepath.Base(args[0]); name == "bash" || name == "sh" {
		for args = args[1:]; len(args) > 0 && strings.HasPrefix(args[0], "-"); args = args[1:] {
			if !strings.HasPrefix(args[0], "--") && strings.HasSuffix(args[0], "c") && len(args) > 1 {
				from := source{name: s.limits.Pos().Filename, firstLine: s.limits.Pos().Line - 1}
				return true, s.separately(c, from, []byte(s.argument(args[1]).Text), args[min(3, len(args)):])
			}
		}
	}
	if len(args) == 0 || !strings.Contains(args[0], "/") && !strings.HasSuffix(args[0], ".sh") {
		return false, nil
	}
	from := source{name: absolute(c.Dir, args[0])}
	text, ok := s.config.Surroundings.Script(from.name)
	if !ok || slices.Contains(s.files, from.name) {
		return false, nil
	}
	return true, s.separately(c, from, text, args[1:])
}

// separately follows a text in a shell of its own, which has all variables of the current one. The text of a -c also has its
// functions, since they may be exported.
func (s *script) separately(c running, from source, text []byte, params []string) error {
	stmts, err := s.within(from, text)
	if err != nil {
		return err
	}
	runner, err := s.runner(c.Env, c.Dir, params, c.Stdin, c.Stdout)
	if err != nil {
		return err
	}
	if runner.Reset(); slices.Contains(s.files, from.name) {
		runner.Funcs = maps.Clone(s.main.Funcs)
	}
	defer func(active, files []string, perhaps int) { s.active, s.files, s.perhaps = active, files, perhaps }(s.active, s.files, s.perhaps)
	s.active, s.files, s.perhaps = nil, append(s.files, from.name), 0
	return s.run(runner, from.name, stmts)
}

// absolute resolves a path relative to a directory.
func absolute(dir, name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, name)
}
