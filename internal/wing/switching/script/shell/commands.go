package shell

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
)

// running is a command that is being run.
type running struct {
	interp.HandlerContext
	s    *script
	args []string
}

// captured reports whether something uses the output of a command.
func (c running) captured() bool { return c.Stdout != io.Discard }

// print prints to the output of a command.
func (c running) print(text string) error {
	if !c.s.limits.Count(0, len(text)) {
		return c.s.limits.Err()
	}
	_, err := io.WriteString(c.Stdout, text)
	return err
}

// input returns the standard input of a command.
func (c running) input() string {
	var b strings.Builder
	if c.Stdin != nil {
		_, _ = io.Copy(&b, io.LimitReader(c.Stdin, maxInput)) // a pipe of the interpreter
	}
	return b.String()
}

// call gets each command before it runs, and returns the command that the interpreter runs instead.
func (s *script) call(_ context.Context, args []string) ([]string, error) {
	if number, ok := strings.CutPrefix(args[0], callName); ok {
		if n, err := strconv.Atoi(number); err == nil && n < len(s.calls) {
			s.current = s.calls[n]
			s.current.late.Stmts = nil
			s.verdict = undecided
			s.limits.At(s.current.pos)
		}
		args = args[1:]
	}
	if len(args) == 0 {
		return []string{"true"}, nil
	}
	size := len(strings.Join(args, " "))
	if size > MaxValue && !strings.HasPrefix(args[0], specialName) {
		s.limits.Exceeded("%d KiB in a command", MaxValue>>10)
	}
	if !s.limits.Count(1, size) {
		return nil, s.limits.Err()
	}
	if program, ok := lookup(args); ok {
		return []string{specialName + "lookup", program}, nil
	}
	for len(args) > 1 && slices.Contains([]string{"command", "builtin", "exec"}, args[0]) && !strings.HasPrefix(args[1], "-") {
		args = args[1:]
	}
	return s.builtin(args[0], args[1:]), nil
}

// builtin returns a command without arguments that are unknown to the interpreter or unsafe. Commands that are neither builtins nor
// functions go to exec.
func (s *script) builtin(name string, args []string) []string {
	command := slices.Concat([]string{name}, args)
	switch name {
	case ":", "true", "false", "echo", "mapfile", "readarray", "popd":
		return command
	case "[", "test":
		return slices.Concat([]string{specialName + "test"}, args)
	case "pwd":
		return command[:1]
	case "printf": // widths may be large
		plain := strings.NewReplacer("%%", "", "%s", "", "%d", "", "%b", "")
		if len(args) > 0 && !strings.Contains(plain.Replace(args[0]), "%") && len(args[0])*len(args) <= MaxValue {
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
		if !s.conditional() {
			return command
		}
	case "set":
		if i := slices.Index(args, "--"); i >= 0 {
			return slices.Concat([]string{"set", "--"}, args[i+1:])
		}
	case "unset":
		return slices.DeleteFunc(command, func(arg string) bool { return strings.Contains(arg, "[") })
	case "read": // without the flags that the interpreter does not know, and their values
		names := slices.DeleteFunc(args, func(arg string) bool { return arg != "-a" && !syntax.ValidName(arg) })
		return slices.Concat([]string{"read", "-r"}, names)
	}
	switch {
	case slices.Contains([]string{"eval", "source", ".", "printf"}, name) || s.config.Surroundings.Opaque(name):
		command[0] = externalName + name
	case interp.IsBuiltin(name) || slices.Contains(s.stack, name):
		return []string{"true"}
	}
	s.called[name] = true
	return command
}

// exec gets the commands that are neither builtins nor functions: it follows a script, prints the output of a program that only reads, or
// passes a command on.
func (s *script) exec(ctx context.Context, args []string) error {
	name, isSpecial := strings.CutPrefix(args[0], specialName)
	if isSpecial {
		return s.special(ctx, name, running{interp.HandlerCtx(ctx), s, args[1:]})
	}
	args[0] = strings.TrimPrefix(name, externalName)
	c := running{interp.HandlerCtx(ctx), s, args}
	if s.load(c) || s.filtered(c) {
		return s.limits.Err()
	}
	if c.captured() {
		if ok, err := s.output(c); ok || err != nil {
			return err
		}
	}
	s.config.Handle(c.command())
	return s.limits.Err()
}

// command returns a command for those who handle it.
func (c running) command() Command {
	return Command{Pos: c.s.limits.Pos(), Dir: c.Dir, Variable: c.variable, Args: lists.Map(c.args, c.s.argument)}
}

// variable returns a path with the name of a variable that has the longest part of its beginning.
func (c running) variable(path string) (name string) {
	longest := 0
	for variable, v := range c.Env.Each {
		rest, ok := strings.CutPrefix(path, v.Str)
		isScripts := !slices.Contains([]string{"PWD", "OLDPWD", inputName, zeroName}, variable)
		if ok && isScripts && len(v.Str) > longest && (rest == "" || rest[0] == '/') {
			name, longest = "$"+variable+rest, len(v.Str)
		}
	}
	return name
}

// output prints the output of a program that only reads, or a mark. It reports whether the output is known.
func (s *script) output(c running) (ok bool, err error) {
	all := s.argument(strings.Join(c.args, " "))
	out, input, unknown := "", "", all.Unknown
	if unknown == "" {
		out, ok = s.config.Surroundings.Output(c.Dir, c.args, func() string {
			input = c.input()
			return input
		})
		unknown = s.argument(input).Unknown
	}
	switch {
	case unknown != "":
		out, ok = s.mark("$("+all.Text+")", unknown), false
	case !ok:
		out = s.mark("$("+all.Text+")", all.Text+onlyAtRunTime)
	case out == "":
		return true, interp.ExitStatus(1) // so that || has an alternative
	}
	return ok, c.print(out)
}

// Entries on the stack for statements that may run, and for statements that may run more than once.
const (
	condition = string(undecided)
	repeated  = "*"
)

// conditional reports whether the current command of a script or function may run.
func (s *script) conditional() bool {
	for _, name := range slices.Backward(s.stack) {
		if name == condition || name == repeated || filepath.IsAbs(name) {
			return !filepath.IsAbs(name)
		}
	}
	return false
}

// special runs a command of this package.
func (s *script) special(ctx context.Context, name string, c running) error {
	ok := true
	switch name {
	case "enter":
		return s.enter(c, c.args[0])
	case "decide":
		return s.enter(c, string(s.verdict))
	case "case":
		return s.enter(c, s.selects(c.args[0], c.args[1:]))
	case "leave":
		s.pop()
	case "end":
		s.end(c.args[0])
	case "taken":
		top := s.stack[len(s.stack)-1]
		ok = top == condition || top == c.args[0]
	case "item":
		ok = s.item(c.args)
	case "not":
		s.verdict = s.verdict.not()
		ok = len(c.args) == 0
	case "test":
		s.verdict = s.compare(c.args)
		return s.tested(c, s.verdict)
	case "lookup":
		return s.look(c, c.args[0])
	case "written":
		if s.config.Written != nil {
			s.config.Written(c.command())
		}
	case "captured":
		ok = c.captured()
	case "input":
		return c.print(c.input())
	case "keys":
		return c.print(s.keys(c.args[0], c.Env.Get(c.args[0])))
	case "prefix":
		return c.print(c.args[0] + strings.Join(c.args[1:], "\n"+c.args[0]))
	case "keep":
		ok = s.keep(c.Env.Get(c.args[0]).String(), c.args[0], c.args[1])
	case "assigned":
		s.verdict = undecided
		return s.assigned(ctx, c, c.args[0])
	}
	return s.status(ok)
}

// status returns the status of a command.
func (s *script) status(ok bool) error {
	if !ok {
		return interp.ExitStatus(1)
	}
	return nil
}

// enter puts the name of a function or file, or a verdict, on the stack.
func (s *script) enter(c running, name string) error {
	if s.stack = append(s.stack, name); len(s.stack) > maxDepth {
		s.limits.Exceeded("%d functions, scripts and conditions within each other", maxDepth)
	}
	if name == condition || name == repeated {
		return s.tested(c, undecided)
	}
	return s.limits.Err()
}

// tested ends a test. Captured output of an undecided test is a mark, because it depends on the condition.
func (s *script) tested(c running, v verdict) error {
	if v == undecided && c.captured() {
		return c.print(s.runtime("a condition"))
	}
	return s.status(v != unmet)
}

// keep reports whether a variable keeps its old value: if that is known, and the assignment only may happen.
func (s *script) keep(old, name, assignment string) bool {
	if old == "" || s.argument(old).Unknown != "" || !s.conditional() {
		return false
	}
	_, value, _ := strings.Cut(assignment, "=")
	if value = strings.Trim(value, `"'`); value != old {
		s.ambiguous[name] = diag.Diagnostic{
			Pos: s.limits.Pos(), Message: fmt.Sprintf("%s depends on a condition: using %q, not %q", name, old, value),
		}
	}
	return true
}

// assigned checks a variable after its assignment: it becomes a mark with its name if it has an unknown part or is too long.
func (s *script) assigned(ctx context.Context, c running, name string) error {
	v := c.Env.Get(name)
	value := v.Str + strings.Join(v.List, " ")
	size := len(v.Str)
	for _, element := range v.Map {
		size += len(element)
	}
	if !s.limits.Count(0, size) {
		return s.limits.Err()
	}
	unknown := s.argument(value).Unknown
	limit := MaxValue
	if name == inputName {
		limit = maxInput
	}
	switch {
	case len(value)+16*len(v.List) > limit:
		unknown = "a text that is too long"
	case unknown == "" || name == inputName:
		return nil
	}
	if !strings.Contains(unknown, "$"+name+" ") && len(unknown) < maxReason {
		unknown = "$" + name + " comes from " + unknown
	}
	value = "'" + s.mark("$"+name, unknown) + "'"
	if v.Kind == expand.Indexed {
		value = "(" + value + ")"
	}
	return c.Builtin(ctx, []string{"eval", name + "=" + value})
}

// load follows the code that a command runs: the text of source and eval and the command of xargs in the current shell, a script or the
// text of bash -c in another. It returns false for any other command.
func (s *script) load(c running) bool {
	at, args := s.limits.Pos(), c.args
	here := source{name: at.Filename, zero: s.config.Name, firstLine: at.Line - 1}
	switch name := filepath.Base(args[0]); {
	case args[0] == "xargs":
		return s.xargs(c)
	case args[0] == "eval":
		return s.late(here, s.argument(strings.Join(args[1:], " ")).Text, nil, false)
	case args[0] == "source" || args[0] == ".":
		return len(args) == 1 || s.file(c, args[1:], false) || true
	case name == "bash" || name == "sh":
		for args = args[1:]; len(args) > 1 && strings.HasPrefix(args[0], "-"); args = args[1:] {
			if !strings.HasPrefix(args[0], "--") && strings.HasSuffix(args[0], "c") {
				return s.late(here, s.argument(args[1]).Text, args[min(3, len(args)):], true)
			}
		}
		if len(args) == 0 || strings.HasPrefix(args[0], "-") {
			return s.late(here, s.argument(c.input()).Text, nil, true)
		}
	}
	isScript := len(args) > 0 && (strings.Contains(args[0], "/") || strings.HasSuffix(args[0], ".sh"))
	return isScript && s.file(c, args, true)
}

// file follows a script with its arguments. It returns false if the script must not be followed.
func (s *script) file(c running, args []string, apart bool) bool {
	from := source{name: diag.Absolute(c.Dir, args[0]), zero: s.config.Name}
	var call []string
	if apart {
		from.zero = from.name
	}
	if apart && !c.captured() {
		call = slices.Clone(args)
		for _, v := range c.Env.Each {
			if v.Exported {
				call = append(call, v.Str)
			}
		}
	}
	text, ok := s.config.Surroundings.Script(from.name, call)
	return ok && !slices.Contains(s.stack, from.name) && s.late(from, string(text), args[1:], apart)
}

// late follows a text after the current command, apart in a shell of its own. Syntax errors in it are ignored.
func (s *script) late(from source, text string, params []string, apart bool) bool {
	stmts, err := s.parse([]byte(text), from)
	if err != nil {
		return true
	}
	if apart || len(params) > 0 {
		stmts = slices.Concat([]*syntax.Stmt{command(slices.Concat([]string{"set", "--"}, params)...)}, stmts)
	}
	stmts = within(from.name, stmts)
	if apart {
		assigns := &syntax.Stmt{Cmd: &syntax.CallExpr{Assigns: s.current.assigns}}
		stmts = []*syntax.Stmt{{Cmd: &syntax.Subshell{Stmts: slices.Concat([]*syntax.Stmt{assigns}, stmts)}}}
	}
	s.current.late.Stmts = stmts
	return true
}
