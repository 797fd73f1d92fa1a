package render

import (
	"go/build/constraint"
	"go/scanner"
	"go/token"
	"regexp"
	"strings"
	"sync"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/origin"
)

// trailingSpace matches the spaces that gofmt removes from comments.
var trailingSpace = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)[ \t]+$`) })

// headerText returns the text of a boilerplate file as it appears in Go files, and the space before it. Other generators replace the word
// YEAR by the current year. The output must not depend on the date, so YEAR is removed.
func headerText(boilerplate []byte) (space, text string) {
	all := strings.ReplaceAll(strings.TrimPrefix(string(boilerplate), "\ufeff"), "\r\n", "\n")
	text = strings.TrimSpace(all)
	space, _, _ = strings.Cut(all, text)
	text = trailingSpace().ReplaceAllString(text, "")
	return space, strings.ReplaceAll(strings.ReplaceAll(text, "YEAR ", ""), " YEAR", "")
}

// CheckBoilerplate returns a diag.List if a boilerplate file has anything but comments, or has comments with a meaning at the top of a
// Go file.
func CheckBoilerplate(name string, boilerplate []byte) error {
	space, text := headerText(boilerplate)
	blank := strings.Map(func(r rune) rune {
		if r == '\n' {
			return r
		}
		return ' '
	}, space)
	src := []byte(blank + text) // so positions are those in the file
	file := token.NewFileSet().AddFile(name, -1, len(src))
	var diags diag.List
	var s scanner.Scanner
	s.Init(file, src, func(pos token.Position, msg string) {
		diags.AddHint(pos, "it must consist of comments", "the header file is not valid Go: %s", msg)
	}, scanner.ScanComments)
	for {
		pos, tok, literal := s.Scan()
		if tok != token.COMMENT {
			if tok != token.EOF && len(diags) == 0 {
				diags.AddHint(file.PositionFor(pos, false), "move it into a comment, or remove it",
					"the header file must only have comments: %s", firstLine(src[file.Offset(pos):]))
			}
			return diags.Err()
		}
		checkComment(file, pos, literal, &diags)
	}
}

func firstLine(src []byte) string {
	line, _, _ := strings.Cut(string(src), "\n")
	return line
}

// checkComment reports directives, and the generated-code lines of other programs.
func checkComment(file *token.File, pos token.Pos, comment string, diags *diag.List) {
	directive := strings.HasPrefix(comment, "//go:") || strings.HasPrefix(comment, "//line ") || strings.HasPrefix(comment, "/*line ") ||
		constraint.IsPlusBuild(comment)
	if directive {
		diags.AddHint(file.PositionFor(pos, false), "remove the line, or put a space after the slashes to make it a comment",
			"the header file must not have directives, which would apply to every generated file: %s", firstLine([]byte(comment)))
	}
	for line := range strings.Lines(comment) {
		if _, ok := origin.Line(strings.TrimSuffix(line, "\n")); ok {
			diags.AddHint(file.PositionFor(pos, false), "remove the line: every generated file has its own",
				"the header file must not have a Code generated line")
		}
		pos += token.Pos(len(line))
	}
}
