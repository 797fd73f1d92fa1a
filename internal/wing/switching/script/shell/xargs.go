package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// xargs calls a command once for each word of its input, or for as many as a command may have, after the current command.
func (s *script) xargs(c running) bool {
	args, one, placeholder := c.args[1:], false, ""
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' {
		flag, value := args[0][:2], args[0][2:]
		args = args[1:]
		if value == "" && slices.Contains([]string{"-n", "-I", "-L", "-P", "-d"}, flag) && len(args) > 0 {
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
	groups, size := [][]string{nil}, 0
	if one {
		groups = nil
	}
	for word := range strings.FieldsSeq(c.input()) {
		if size += len(word) + 1; one || size > MaxValue/2 {
			groups, size = append(groups, nil), len(word)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], word)
	}
	late := s.current.late
	for _, group := range groups {
		words := slices.Concat(args, group)
		if placeholder != "" {
			words = slices.Clone(args)
			for i := range words {
				words[i] = strings.ReplaceAll(words[i], placeholder, group[0])
			}
		}
		c := command(words...).Cmd.(*syntax.CallExpr)
		late.Stmts = append(late.Stmts, &syntax.Stmt{Cmd: s.numbered(c, s.current.pos)})
	}
	return true
}
