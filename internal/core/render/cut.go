package render

import (
	"bytes"
	"go/scanner"
	"go/token"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lazy"
)

// A cut is a declaration that was taken out of a file, with its comment. Functions are most of a file. If they are already formatted,
// tidy only needs the packages that they use, which takes a fraction of the time to parse them.
type cut struct {
	// at is the offset in the remaining source.
	at   int
	text []byte
}

// cutFormatted removes the declarations in which gofmt aligns nothing from a formatted file, and adds their identifiers before dots to
// used. The text from start on comes from the template. If a line is ambiguous, nothing is cut.
func cutFormatted(src []byte, start int, used map[string]bool) (rest []byte, cuts []cut) {
	rest = append(make([]byte, 0, len(src)/2), src[:start]...)
	text := src[start:]
	comment := -1 // where the comment above the declaration, or the declaration itself, begins
	for at := 0; at < len(text); {
		line := lineAt(text, at)
		if comment < 0 {
			comment = at
		}
		if bytes.HasPrefix(line, []byte("//")) {
			at += len(line)
			continue
		}
		end := endOfDecl(text, at)
		switch {
		case end < 0:
			return src, nil
		case !alignsNothing(line) || funcLit().Match(text[at:end]):
			rest = append(rest, text[comment:end]...)
		case !qualifiersIn(text[comment:end], used):
			return src, nil
		default:
			cuts = append(cuts, cut{len(rest), bytes.TrimRight(text[comment:end], "\n")})
		}
		comment, at = -1, end
	}
	if comment >= 0 {
		rest = append(rest, text[comment:]...)
	}
	return rest, cuts
}

// alignsNothing reports whether a line begins a declaration in which gofmt aligns nothing: a function, an interface, or a type in one line.
func alignsNothing(line []byte) bool {
	if bytes.HasPrefix(line, []byte("func ")) {
		return true
	}
	line = bytes.TrimRight(line, "\n")
	opens := bytes.HasSuffix(line, []byte("{")) || bytes.HasSuffix(line, []byte("("))
	return bytes.HasPrefix(line, []byte("type ")) && !bytes.Contains(line, []byte("//")) &&
		(!opens || bytes.HasSuffix(line, []byte(" interface {")))
}

// funcLit matches a function literal in one line. For long literals, gofmt takes several lines.
var funcLit = lazy.Regexp(`func\(.* }`)

// lineAt returns the line that begins at an offset, with its end.
func lineAt(text []byte, at int) []byte {
	if end := bytes.IndexByte(text[at:], '\n'); end >= 0 {
		return text[at : at+end+1]
	}
	return text[at:]
}

// endOfDecl returns the end of the declaration at an offset: after its line or, if that leaves something open, after the next line that
// closes it. It returns -1 if no line does, or if a raw string or comment has several lines.
func endOfDecl(text []byte, at int) int {
	for first := true; at < len(text); first = false {
		line := lineAt(text, at)
		if bytes.Count(line, []byte("`"))%2 != 0 || bytes.Contains(line, []byte("/*")) {
			return -1
		}
		at += len(line)
		line = bytes.TrimRight(line, "\n")
		opens := bytes.HasSuffix(line, []byte("{")) || bytes.HasSuffix(line, []byte("("))
		if closes := bytes.HasPrefix(line, []byte("}")) || bytes.HasPrefix(line, []byte(")")); !opens && (first || closes) {
			return at
		}
	}
	return -1
}

// qualifiersIn adds the identifiers before dots to used, except those after another dot. It returns false if brackets are not
// balanced.
func qualifiersIn(text []byte, used map[string]bool) bool {
	return identifiers(text, func(name string, at int, selected bool) {
		if end := at + len(name); !selected && end < len(text) && text[end] == '.' {
			used[name] = true
		}
	})
}

// identifiers calls f with each identifier, its offset, and whether a dot precedes it. It returns false if brackets are not balanced, or
// if a literal does not end.
func identifiers(text []byte, f func(name string, at int, selected bool)) bool {
	file := token.NewFileSet().AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(file, text, nil, 0)
	depth, afterDot := 0, false
	for {
		pos, tok, literal := s.Scan()
		switch tok {
		case token.EOF:
			return depth == 0 && s.ErrorCount == 0
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth--
		case token.IDENT:
			f(literal, file.Offset(pos), afterDot)
		}
		afterDot = tok == token.PERIOD
	}
}
