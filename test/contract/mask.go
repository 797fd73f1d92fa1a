package contract

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// masks replace text that varies between runs.
var masks = []struct {
	pattern     *regexp.Regexp
	replacement string
}{
	{regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`), "<uid>"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)`), "<time>"},
	{regexp.MustCompile(`/registry/[^\s,"]+`), "<key>"},
	{regexp.MustCompile(`https?://(127\.0\.0\.1|localhost|\[::1\])(:\d+)?`), "<server>"},
	{regexp.MustCompile(`((?i:ResourceVersion in object meta: |current: ))\d+`), "$1<rv>"},
	{regexp.MustCompile(`(ResourceVersion in record \()\d+\)`), "$1<rv>)"},
	{regexp.MustCompile(`(\\*"resourceVersion\\*":\\*")\d+`), "$1<rv>"},
	{regexp.MustCompile(`(patch: Invalid value: )"\{.*\}": `), `$1"<object>": `},
	{regexp.MustCompile(`(too old resource version: \d+ \()\d+\)`), "$1<rv>)"},
}

// masked returns the lines with varying text replaced.
func (p *P) masked() string {
	p.mu.Lock()
	text := strings.Join(p.lines, "\n") + "\n"
	p.mu.Unlock()
	program := filepath.Base(os.Args[0])
	text = strings.NewReplacer(p.other, "<other>", p.namespace, "<namespace>", p.id, "<id>", program, "<program>").Replace(text)
	for _, mask := range masks {
		text = mask.pattern.ReplaceAllString(text, mask.replacement)
	}
	return text
}

// maskVersion replaces a resource version in a message.
func maskVersion(text, version string) string { return strings.ReplaceAll(text, version, "<rv>") }
