package load

import "bytes"

// WithoutBodies returns a gofmt'ed file without the statements of functions that seem longer than one statement. Tokens keep their
// lines and columns, but not their offsets. Functions are left alone if one of their lines is neither empty nor indented, such as a
// label, or has a backquote or a marker. So no declaration can get lost; only a raw string with functions can differ.
func WithoutBodies(src []byte) []byte {
	if clause := bytes.Index(src, []byte("\npackage ")); bytes.Contains(src[max(clause, 0):], []byte("/*")) {
		return src // a comment might contain what looks like a function
	}
	short := make([]byte, 0, len(src))
	for len(src) > 0 {
		line := firstLine(src)
		short, src = append(short, line...), src[len(line):]
		if isFunc(line) {
			if body := bodyAt(src); body != nil {
				short = append(short, bytes.Repeat([]byte("\n"), bytes.Count(body, []byte("\n")))...)
				src = src[len(body):]
			}
		}
	}
	return short
}

// isFunc reports whether a function's body begins after the line. The brace may also belong to a type in its signature.
func isFunc(line []byte) bool {
	before, open := bytes.CutSuffix(line, []byte("{\n"))
	before = bytes.TrimSpace(before)
	return open && bytes.HasPrefix(line, []byte("func ")) &&
		!bytes.HasSuffix(before, []byte("interface")) && !bytes.HasSuffix(before, []byte("struct"))
}

// bodyAt returns the lines before the brace that ends a function, or nil if they are to stay.
func bodyAt(src []byte) []byte {
	statements := 0
	for rest := src; len(rest) > 0; {
		line := firstLine(rest)
		switch {
		case line[0] == '}':
			if statements < 2 {
				return nil
			}
			return src[:len(src)-len(rest)]
		case line[0] == '\n':
		case line[0] != '\t' || bytes.IndexByte(line, '`') >= 0 || bytes.Contains(line, []byte("\t// +")):
			return nil
		case len(line) > 1 && !bytes.ContainsAny(line[1:2], "\t})]") && !bytes.HasPrefix(line, []byte("\t//")):
			statements++
		}
		rest = rest[len(line):]
	}
	return nil
}

// firstLine returns the first line with its newline.
func firstLine(src []byte) []byte {
	if end := bytes.IndexByte(src, '\n'); end >= 0 {
		return src[:end+1]
	}
	return src
}
