package render

import (
	"strconv"
	"strings"
	"text/template"
)

// quoting are the functions with which templates write strings from sources: markers, tags, and names. No string can end the literal
// that it is in.
var quoting = template.FuncMap{"quote": strconv.Quote, "tag": tag, "text": text}

// raw returns a string literal, between backquotes if possible.
func raw(s string) string {
	if strconv.CanBackquote(strings.ReplaceAll(s, "\n", "")) {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}

// tag returns the tag of a struct field that gives key a value.
func tag(key, value string) string { return raw(key + ":" + strconv.Quote(value)) }

// text returns an expression for a text of several lines.
func text(s string) string {
	parts := strings.Split(s, "`")
	for i, part := range parts {
		parts[i] = raw(part)
	}
	return strings.Join(parts, " + \"`\" + ")
}
